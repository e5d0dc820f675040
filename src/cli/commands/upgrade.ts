import { describeDatabase } from '../../memory/engines.ts';
import { bad, counted, dim, good, line } from '../../operations/view.ts';
import { findHere } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { atHome } from '../repository/home.ts';
import { onEveryMemory } from '../workspaces/every.ts';

export const upgrade = defineCommand({
  name: 'upgrade',
  summary: 'Bring the memories of this machine, or of a database, up to date with this version',
  about:
    'Bring the memories of this machine, or of a database, up to date with this version. On a database server the owner of the tables runs it, once for all workspaces; programs of the older version are refused from then on.',
  examples: ['upgrade'],
  async run(_, options) {
    const { home, db } = await findHere(options);
    const where = home?.where ?? db;
    const tables = home && (await atHome(home, (workspaces) => workspaces.upgrade(true)));
    // Opening brings what is the memory's own up to date: a file, and the index of its texts.
    const { done: each, failed } = await onEveryMemory(options, async () => {});
    const done = each.length;
    const location = describeDatabase(where).shown;
    const at = dim(`  at ${location}`);
    return {
      report: { location, ...tables, workspaces: done, failed },
      view: [
        ...(tables ? [line(good('✔ '), `tables: ${tables.from} → ${tables.to}`)] : []),
        ...(done > 0 ? [line(good('✔ '), `${counted(done, 'memory', 'memories')} up to date`, at)] : []),
        ...(done + failed.length === 0 ? [line('No memory is there yet.', at)] : []),
        ...failed.map(({ workspace, message }) => line(bad(`✘ ${workspace}: ${message}`))),
      ],
      ...(failed.length > 0 && { code: 'unavailable' as const }),
    };
  },
});
