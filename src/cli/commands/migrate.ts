import { asPrecedentError, PrecedentError } from '../../domain/error.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { bad, counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';
import { findHere, openExisting, openLazily } from '../open.ts';
import { type Answer, log } from '../output/print.ts';
import { withProgressBar } from '../output/progress.ts';
import { defineCommand } from '../own-command.ts';
import { atHome, memoryAt } from '../repository/home.ts';
import { noMemory, requireHome } from '../workspaces/memories.ts';

/** Memories that are brought up to date at once by default; and at most: a server has few connections. */
const [AT_ONCE, MOST] = [2, 16];

/** One that was not brought up to date. */
interface Failed {
  workspace: string;
  message: string;
}

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Bring memories up to date with this version, in advance',
  about:
    'Brings the memory up to date with this version: its schema, and its index for searching. Opening a memory does that too, so that whoever comes first waits; after an update, --all does it for every memory of this machine or server. One that fails is named and stops no other. Stopped at any point, it can be run again and goes on with the rest.',
  examples: ['migrate', 'migrate --all --parallel 4'],
  options: {
    all: { about: 'every memory on this machine, or on the server' },
    parallel: { about: `how many at once, 1 to ${MOST}; ${AT_ONCE} if left out`, value: 'number' },
  },
  async run({ all, parallel }, options) {
    const atOnce = parallel === undefined ? AT_ONCE : Number(parallel);
    if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > MOST)
      throw new PrecedentError(
        'invalid',
        `Expected --parallel to be a whole number from 1 to ${MOST}, found "${parallel}".`,
      );
    const place = await findHere(options);
    if (!all) {
      const memory = await openExisting(place, undefined);
      if (!memory) throw await noMemory(place);
      await memory.close();
      return answer(1, [], place.workspace, describeDatabase(place.db).shown);
    }
    const home = requireHome(place);
    const memories = await atHome(home, (workspaces) => workspaces.list());
    const failed = await migrateAll(
      memories.map(({ workspace }) => memoryAt(home, workspace)),
      atOnce,
    );
    return answer(memories.length, failed, undefined, describeDatabase(home.where).shown);
  },
});

/** @returns those that could not be brought up to date, by name */
async function migrateAll(places: { db: string; workspace: string }[], atOnce: number): Promise<Failed[]> {
  const failed: Failed[] = [];
  const left = places[Symbol.iterator]();
  let done = 0;
  await withProgressBar(async (progress) => {
    const worker = async () => {
      for (const place of left) {
        try {
          await (await openLazily({ ...place, create: false, log })).close();
        } catch (error) {
          failed.push({ workspace: place.workspace, message: asPrecedentError(error, log).message });
        }
        progress(++done, places.length);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }, 'Bringing memories up to date ');
  return failed.sort((one, other) => (one.workspace < other.workspace ? -1 : 1));
}

/** @param workspace the one that was meant; undefined for all */
function answer(memories: number, failed: Failed[], workspace: string | undefined, location: string): Answer {
  const current = memories - failed.length;
  return {
    report: { location, ...(workspace !== undefined && { workspace }), memories, current, failed },
    view: [
      workspace === undefined
        ? line(
            good('✔ '),
            `${current} of ${counted(memories, 'memory', 'memories')} up to date`,
            dim(`  at ${location}`),
          )
        : line(good('✔ '), 'up to date', dim(`  workspace ${workspace}`)),
      ...failedView(failed),
    ],
    ...(failed.length > 0 && { code: 'unavailable' }),
  };
}

function failedView(failed: Failed[]): View {
  if (failed.length === 0) return [];
  return [
    ...failed.flatMap(({ workspace, message }) => [line(bad('✘ '), workspace), indented(message)]),
    line(warn('Run it again when that is mended: it goes on with these.')),
  ];
}
