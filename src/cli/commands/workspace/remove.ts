import { counted, dim, good, indented, line, type View } from '../../../operations/view.ts';
import { findHere } from '../../open.ts';
import { ASKING } from '../../output/asking.ts';
import { confirm } from '../../output/destroy.ts';
import { defineCommand } from '../../own-command.ts';
import { atHome } from '../../repository/home.ts';
import { requireHome, requireWorkspace } from '../../workspaces/memories.ts';

export const workspaceRemove = defineCommand({
  name: 'workspace remove',
  summary: 'Remove a whole memory, for good',
  examples: ['workspace remove old-shop --dry-run'],
  arguments: { workspace: { about: 'the memory', required: true } },
  options: ASKING,
  async run({ workspace: wanted, yes, dryRun }, options) {
    const home = requireHome(await findHere(options));
    return atHome(home, async (workspaces) => {
      const workspace = await requireWorkspace(home, workspaces, wanted);
      const records = (await workspaces.usage(workspace))?.records ?? 0;
      const parts = await workspaces.parts(workspace);
      const count = counted(records, 'record');
      const answer = (removed: boolean, view: View) => ({
        report: { workspace, removed, records, parts },
        view,
      });
      const list = parts.map((part) => indented(dim(part)));
      if (dryRun)
        return answer(false, [line(`would remove ${count}`, dim(`  workspace ${workspace}`)), ...list]);
      if (!yes && !(await confirm(`Remove workspace "${workspace}" with ${count} for good?`, parts)))
        return answer(false, [line(dim(`nothing was removed  workspace ${workspace}`))]);
      await workspaces.remove(workspace);
      return answer(true, [line(good('✔ removed '), count, dim(`  workspace ${workspace}`)), ...list]);
    });
  },
});
