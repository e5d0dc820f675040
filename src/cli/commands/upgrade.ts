import { describeDatabase } from '../../memory/engines.ts';
import { bad, counted, dim, good, line } from '../../operations/view.ts';
import { findHere, openLazily } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { atHome, memoryAt } from '../repository/home.ts';

export const upgrade = defineCommand({
  name: 'upgrade',
  summary: 'Bring the memories of this machine, or of a database, up to date with this version',
  about:
    'Bring the memories of this machine, or of a database, up to date with this version. On a database server the owner of the tables runs it, once for all workspaces; programs of the older version are refused from then on.',
  examples: ['upgrade'],
  async run(_, options) {
    const { home, db, workspace } = await findHere(options);
    const where = home?.where ?? db;
    const { tables, all } = home
      ? await atHome(home, async (workspaces) => ({
          tables: await workspaces.upgrade(),
          all: (await workspaces.list()).map((each) => memoryAt(home, each.workspace)),
        }))
      : { tables: undefined, all: [{ db, workspace }] };
    const failed: { workspace: string; message: string }[] = [];
    for (const each of all) {
      try {
        // Opening brings what is the memory's own up to date: a file, and the index of its texts.
        await (await openLazily({ ...each, create: false })).close();
      } catch (error) {
        failed.push({ workspace: each.workspace, message: (error as Error).message });
      }
    }
    const done = all.length - failed.length;
    const location = describeDatabase(where).shown;
    return {
      report: { location, ...tables, workspaces: done, failed },
      view: [
        ...(tables ? [line(good('✔ '), `tables: ${tables.from} → ${tables.to}`)] : []),
        line(good('✔ '), `${counted(done, 'memory', 'memories')} up to date`, dim(`  at ${location}`)),
        ...failed.map((each) => line(bad(`✘ ${each.workspace}: ${each.message}`))),
      ],
      ...(failed.length > 0 && { code: 'unavailable' as const }),
    };
  },
});
