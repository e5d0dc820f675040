import { KINDS, type RecordKind } from '../../domain/kinds.ts';
import { vanishedNote } from '../../domain/place.ts';
import { iso } from '../../domain/text/moment.ts';
import { dataFolderHere } from '../../files/data-folder.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { remedyOf } from '../../memory/off.ts';
import { bad, counted, dim, good, line, strong, table, type View, warn } from '../../operations/view.ts';
import { droppedLately, lateLately } from '../agents/hook-sessions.ts';
import { quietHooksView, shownHere, shownView } from '../agents/hooks-here.ts';
import { agentsView } from '../agents/view.ts';
import { findEvenOff, openHere, shown } from '../open.ts';
import { localTime } from '../output/date.ts';
import type { Answer } from '../output/print.ts';
import { withProgressBar } from '../output/progress.ts';
import { triedText } from '../output/tried.ts';
import { defineCommand } from '../own-command.ts';
import type { Place, PlaceOptions } from '../place.ts';
import { hooksOffHere } from '../repository/off.ts';
import { leftoverOf, removeLeftoversOf } from '../scratch.ts';
import { findDataFolder, findEmbedder } from '../settings.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Show where the memory is and which agents are connected, and check that it is sound',
  examples: ['doctor', 'doctor --repair'],
  options: {
    repair: {
      about:
        'first rebuild the indexes and everything else derived from the records; compute missing vectors, and test the model',
    },
  },
  async run({ repair }, options) {
    const meant = await findEvenOff(options);
    if (meant.off.length > 0) return isOffHere(meant);
    const leftovers = await removeLeftoversOf(options);
    const { place, memory } = await openHere(options, { isSaid: true });
    const note = place.repository?.note ?? place.repository?.apart;
    try {
      // Nothing is created where no memory is: the path may be mistyped.
      const answer = memory ? await examine(memory, repair === true) : nothing(place, options);
      // What reads the settings of agents is loaded by the commands that need it.
      const { agentsHere } = await import('../agents/statuses.ts');
      const agents = await agentsHere();
      const hasHooks = agents.some(({ hooks }) => hooks);
      const quiet = hasHooks ? hooksOffHere(here().cwd(), dataFolderHere()) : [];
      const lastShown = memory && (await shownHere(place, memory));
      const { movedIn } = await import('../repository/vanished.ts');
      const { vanished } = memory ? await movedIn(memory, options) : { vanished: [] };
      const folder = findDataFolder(here().env);
      const dropped = await folder.then(droppedLately, () => 0);
      const late = await folder.then(lateLately).catch(() => ({ count: 0, last: 0 }));
      const notes = [...(note === undefined ? [] : [note]), ...leftovers.map(leftoverOf)];
      return {
        ...answer,
        report: {
          ...answer.report,
          agents,
          ...(quiet.length > 0 && { hooks_off: [...new Set(quiet.map(({ only }) => only))] }),
          ...(lastShown && { last_shown: lastShown }),
          ...(leftovers.length > 0 && { leftovers }),
          ...(note !== undefined && { note }),
          ...(vanished.length > 0 && { vanished }),
          ...(dropped > 0 && { dropped }),
          ...(late.count > 0 && { late: { count: late.count, last: iso(late.last) } }),
        },
        view: [
          ...answer.view,
          ...agentsView(agents),
          ...quietHooksView(quiet),
          ...shownView(lastShown),
          ...notes.map((each) => line(warn(`! ${each}`))),
          ...vanished.map((each) => line(warn(`! ${each.called} ${vanishedNote(each)}`))),
          ...droppedView(dropped),
          ...lateView(late),
        ],
      };
    } finally {
      await memory?.close();
    }
  },
});

/** @param dropped prompts whose words hooks could not record (M-11) */
function droppedView(dropped: number): View {
  if (dropped === 0) return [];
  return [
    line(
      dim(
        `The words of ${counted(dropped, 'prompt')} of the last week were not recorded: the memory was busy.`,
      ),
    ),
  ];
}

/** @param late hooks that were not answered in time: what they had to tell was not told */
function lateView({ count, last }: { count: number; last: number }): View {
  if (count === 0) return [];
  return [
    line(
      warn(
        `! ${counted(count, 'hook')} of the last week told nothing: the memory did not answer in time, last on ${localTime(iso(last))}.`,
      ),
    ),
    line(
      dim(
        'If it goes on: close what keeps this machine or the memory busy, and look into hooks.log in the data folder. Until then agents can ask: recall.',
      ),
    ),
  ];
}

/** V-6: nothing of the memory is read. */
function isOffHere(place: Place): Answer {
  const { workspace } = place;
  return {
    report: { ok: true, off: true, workspace, location: shown(place) },
    view: [
      line(warn(`! off here: nothing is read or saved; ${remedyOf(place.off)} turns it on again`)),
      line(dim(`workspace ${workspace} at ${shown(place)}`)),
    ],
  };
}

/** What is named in the command itself may be mistyped, and a check of it must not pass; else nothing was saved yet (K-2). */
function nothing(place: Place, named: PlaceOptions): Answer {
  const { db, workspace } = place;
  const isTyped = (named.db ?? named.workspace) !== undefined;
  return {
    report: { ok: !isTyped, exists: false, workspace, location: shown(place) },
    view: [
      line(`No memory yet at ${describeDatabase(db).shown}`, dim(`  workspace ${workspace}`)),
      line(dim('The first save makes it.')),
    ],
    ...(isTyped && { code: 'not_found' }),
  };
}
const MENDED =
  '"precedent doctor --repair" rebuilds the indexes and everything else derived from the records.';
const LEFT =
  'The records themselves are damaged, which --repair cannot mend. Restore a backup from before the damage: "precedent backup --restore FILE --force".';
const LACKING =
  'without a vector, found by words only: "precedent doctor --repair" computes the vectors, and tests the model';
const STILL_ON_DISK =
  'deleted text is still on the disk: close other processes that have the memory open, and repeat; on a server, the statistics of the database may hold it, which only its owner may clear';

async function examine(memory: MemoryCore, repair: boolean): Promise<Answer> {
  const { before, scrubbed, embedded } = repair ? await repairIt(memory) : UNREPAIRED;
  const health = await memory.inspect();
  const lacks = findEmbedder(here().env) ? health.withoutVector : 0;
  const repaired = before.filter((problem) => !health.problems.includes(problem));
  const isSound = health.problems.length === 0;
  return {
    report: {
      ok: isSound,
      ...health,
      ...(repair && { repaired }),
      ...embedded?.report,
    },
    view: [
      summaryOf(health),
      ...(scrubbed ? [] : [line(warn(`! ${STILL_ON_DISK}`))]),
      ...(embedded?.view ?? (lacks > 0 ? [line(warn(`! ${counted(lacks, 'record')} ${LACKING}`))] : [])),
      ...repaired.map((problem) => line(good('✔ '), `repaired: ${problem}`)),
      ...[...(health.isolation ? [health.isolation] : []), ...health.notes].map((note) =>
        line(dim(`  note: ${note}`)),
      ),
      ...(isSound ? [line(good('✔ sound'))] : problemsOf(health)),
    ],
    ...(!isSound && { code: 'unavailable' }),
  };
}

interface Repaired {
  /** What was wrong before. */
  before: string[];
  scrubbed: boolean;
  /** The vectors that the model computed; left out where none is set. */
  embedded?: Answer | undefined;
}

const UNREPAIRED: Repaired = { before: [], scrubbed: true };

async function repairIt(memory: MemoryCore): Promise<Repaired> {
  // A memory may be too damaged to inspect before its repair.
  const { problems } = await memory.inspect().catch((error: Error) => ({ problems: [error.message] }));
  const { scrubbed } = await memory.repair();
  return { before: problems, scrubbed, embedded: await embedWhatLacks(memory) };
}

/**
 * Computes the vectors that records lack, and tries the model. Ctrl-C ends it: what has a vector keeps it, and the next
 * repair goes on with the others. A memory is sound without a model: that it failed is said, and refuses nothing.
 */
async function embedWhatLacks(memory: MemoryCore): Promise<Answer | undefined> {
  const model = findEmbedder(here().env);
  if (!model) return undefined;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  let records = 0;
  try {
    const { missing, tried } = await withProgressBar((progress) =>
      memory.embed(
        (done, all) => {
          records = all;
          progress(done, all);
        },
        stop.signal,
        model,
      ),
    );
    const isStopped = stop.signal.aborted;
    const count = `${records - missing} of ${records} records have a vector`;
    const rest = isStopped
      ? 'stopped: repeat it to continue'
      : 'the model refused the others, or they were saved meanwhile';
    return {
      report: { vectors: { records, missing, stopped: isStopped, ...(tried && { tried }) } },
      view: [line(missing > 0 ? warn(`! ${count}; ${rest}`) : good('✔ '), missing > 0 ? '' : count)],
    };
  } catch (error) {
    const { message } = error as Error;
    return { report: { failed: message }, view: [line(warn(`! ${message}`))] };
  } finally {
    process.removeListener('SIGINT', onSignal);
  }
}

type Health = Awaited<ReturnType<MemoryCore['inspect']>>;

function summaryOf(health: Health): View[number] {
  const { synced, model } = health;
  const counts = Object.entries(health.records).map(([kind, number]) =>
    kind === 'decision'
      ? `${counted(health.active, 'active decision')} (${counted(number, 'version')} in all)`
      : counted(number, kind, KINDS[kind as RecordKind]?.plural),
  );
  return table(
    [],
    [
      [dim('workspace'), strong(health.workspace)],
      [dim('where'), health.location],
      [dim('engine'), health.engine],
      [dim('size'), `${health.isEstimate ? 'about ' : ''}${(health.bytes / 1024).toFixed(0)} KiB`],
      [dim('schema'), health.schema],
      ...(synced ? [[dim('synced'), `with ${synced.folder}, last on ${localTime(synced.at)}`]] : []),
      [dim('records'), counts.join(', ') || 'none yet'],
      ...(model ? [[dim('model'), triedText(model, `the model ${model.name}`)]] : []),
      health.readOnly === undefined
        ? [dim('write, read'), good('work')]
        : [dim('read'), warn(`works. ${health.readOnly}`)],
    ],
  );
}

function problemsOf({ problems, broken }: Health): View {
  const mended = problems.filter((problem) => !broken.includes(problem));
  return [...partOf(mended, MENDED), ...partOf(broken, LEFT)];
}

function partOf(problems: string[], advice: string): View {
  if (problems.length === 0) return [];
  return [...problems.map((problem) => line(bad(`✘ ${problem}`))), line(dim(advice))];
}
