import { resolve } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';
import { refuseAddress } from '../input/file.ts';
import { withMemory } from '../open.ts';
import { askFirst } from '../output/destroy.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';

type Synced = NonNullable<Awaited<ReturnType<MemoryCore['sync']>>>;

export const sync = defineCommand({
  name: 'sync',
  summary: 'Bring this memory together with that of another machine',
  about: `Takes in what other machines said in a shared folder, and says there what they do not know. Nothing is overwritten: what two machines decided differently is shown until "precedent settle" ends it.
Whoever may read the folder reads what goes there, and whoever may write to it may speak as anybody. Memos, checkpoints, keywords and conversations stay here.`,
  examples: ['sync --init shared --yes', 'sync --dry-run'],
  options: {
    init: { value: 'folder', about: 'the folder that the machines share; asked once' },
    yes: { about: 'do not ask' },
    dryRun: { about: 'only show what would come and go' },
    stop: { about: 'forget the folder; what went there stays there' },
  },
  async run({ init, yes, dryRun = false, stop }, place) {
    return withMemory(place, async (memory): Promise<Answer> => {
      const { workspace } = memory;
      if (stop) {
        await memory.sync(null);
        return { report: { workspace, stopped: true }, view: [line(good('✔ '), 'no longer synced')] };
      }
      if (init !== undefined) return begin(memory, init, { yes, dryRun });
      const synced = await memory.sync(undefined, { dryRun });
      if (!synced)
        throw new PrecedentError(
          'not_found',
          `Expected a folder to sync "${workspace}" with, found none. Name one: precedent sync --init FOLDER.`,
        );
      return answer(synced, workspace, dryRun);
    });
  },
});

/** Shows what would go, and asks (Y-5). */
async function begin(
  memory: MemoryCore,
  named: string,
  { yes, dryRun }: { yes: boolean | undefined; dryRun: boolean },
): Promise<Answer> {
  refuseAddress(named, 'a folder that the machines share');
  const folder = resolve(here().cwd(), named);
  const { workspace } = memory;
  const would = (await memory.sync(folder, { dryRun: true })) as Synced;
  const stays = await askFirst(
    { yes, dryRun },
    {
      doing: `send ${counted(would.said, 'fact')} of workspace "${workspace}" to whoever may read ${folder}`,
      shown: shownOf(would),
      report: { workspace, ...would },
    },
  );
  return stays ?? answer((await memory.sync(folder)) as Synced, workspace, false);
}

function shownOf({ kinds, authors, secrets, came, machines }: Synced): View {
  const list = Object.entries(kinds).map(([kind, count]) => counted(count, kind));
  return [
    ...(list.length > 0 ? [indented(list.join(', '))] : []),
    ...(authors.length > 0 ? [indented(`names in it: ${authors.join(', ')}`)] : []),
    ...(machines.length > 0
      ? [
          indented(
            `who speaks there: ${machines.join(', ')}${came.map(({ author }) => ` ${author}`).join(',')}`,
          ),
        ]
      : []),
    ...(secrets === undefined ? [] : [line(warn(`! looks like a secret: ${secrets}`))]),
  ];
}

function answer(synced: Synced, workspace: string, isDry: boolean): Answer {
  const { came, said, decidedTwice, warnings } = synced;
  return {
    report: { workspace, dry_run: isDry, ...synced },
    view: [
      ...came.map(({ author, records }) =>
        line(good('↓ '), `${counted(records, 'record')} from ${author || 'nobody named'}`),
      ),
      line(
        good('↑ '),
        `${counted(said, 'fact')}${isDry ? ' would go' : ''}`,
        dim(`  workspace ${workspace}`),
      ),
      ...decidedTwice.flatMap(({ topic, heads }) => [
        line(warn(`! decided twice: ${topic ?? heads[0]?.id}`)),
        ...heads.map(({ id, text, withdrawn }) =>
          indented(`${id.slice(0, 8)}  ${withdrawn ? 'withdrawn: ' : ''}${text}`),
        ),
        indented(dim(`precedent settle ${topic ?? heads[0]?.id} --keep ${heads.at(-1)?.id.slice(0, 8)}`)),
      ]),
      ...warnings.map((warning) => line(warn(`! ${warning}`))),
    ],
  };
}
