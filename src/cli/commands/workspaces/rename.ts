import { checkWorkspace } from '../../../domain/workspace.ts';
import { dim, good, line } from '../../../operations/view.ts';
import { findHere } from '../../open.ts';
import { defineCommand } from '../../own-command.ts';
import { atHome } from '../../repository/home.ts';
import { changeRegistry, withRename } from '../../repository/registry.ts';
import { requireHome, requireWorkspace } from '../../workspaces/memories.ts';

export const workspacesRename = defineCommand({
  name: 'workspaces rename',
  summary: 'Give a memory another name; its other names still work',
  examples: ['workspaces rename shop acme-shop'],
  arguments: {
    old: { about: 'its name now', required: true },
    new: { about: 'its name from now on', required: true },
  },
  async run(given, options) {
    const home = requireHome(await findHere(options));
    const to = given.new.normalize('NFC');
    checkWorkspace(to);
    const from = await atHome(home, async (workspaces) => {
      const found = await requireWorkspace(home, workspaces, given.old);
      if (home.dataFolder === undefined) await workspaces.rename(found, to);
      else {
        // Together, so that nobody makes the memory anew who still knows it by its old name.
        await changeRegistry(home.dataFolder, async (registry, intend) => {
          // A server renames all of it at once.
          if (home.db === undefined) intend({ from: found, to });
          await workspaces.rename(found, to);
          return withRename(found, to, home.db)(registry);
        });
      }
      return found;
    });
    return {
      report: { workspace: to, before: from },
      view: [line(good('✔ renamed '), from, dim(`  workspace ${to}`))],
    };
  },
});
