import { counted, dim, good, indented, line } from '../../../operations/view.ts';
import { findHere } from '../../open.ts';
import { ASKING } from '../../output/asking.ts';
import { askFirst } from '../../output/destroy.ts';
import { defineCommand } from '../../own-command.ts';
import { atHome } from '../../repository/home.ts';
import { requireHome, requireWorkspace } from '../../workspaces/memories.ts';

export const workspacesRemove = defineCommand({
  name: 'workspaces remove',
  summary: 'Remove a whole memory, for good',
  examples: ['workspaces remove old-shop --dry-run'],
  arguments: { workspace: { about: 'the memory', required: true } },
  options: ASKING,
  async run({ workspace: wanted, yes, dryRun }, options) {
    const home = requireHome(await findHere(options));
    return atHome(home, async (workspaces) => {
      const workspace = await requireWorkspace(home, workspaces, wanted);
      const records = (await workspaces.usage(workspace))?.records ?? 0;
      const parts = await workspaces.parts(workspace);
      const count = counted(records, 'record');
      const report = { workspace, records, parts };
      const shown = parts.map((part) => indented(dim(part)));
      const doing = `remove workspace "${workspace}" with ${count}`;
      const stays = await askFirst({ yes, dryRun }, { doing, shown, report });
      if (stays) return stays;
      await workspaces.remove(workspace);
      const head = line(good('✔ removed '), count, dim(`  workspace ${workspace}`));
      return { report: { changed: true, ...report }, view: [head, ...shown] };
    });
  },
});
