import { AGENTS, agentsNamed } from '../../agents/agents.ts';
import { readManifest } from '../../agents/manifest.ts';
import { removeCopy } from '../../agents/stable-program.ts';
import { dim, line } from '../../operations/view.ts';
import { machineHere, packageRoot } from '../agents/here.ts';
import { outcomesView } from '../agents/view.ts';
import { defineCommand } from '../own-command.ts';
import { findDataFolder } from '../place.ts';

/**
 * files in which nobody else has written since are as they were before, and others lose exactly our entries. One
 * that was changed is left, stays on the list, and keeps the copy of the program that it starts.
 */
export const unsetup = defineCommand({
  name: 'unsetup',
  summary: 'take back what setup wrote',
  examples: ['unsetup --dry-run', 'unsetup claude'],
  arguments: { agents: { summary: 'which; default: all that were set up', many: true } },
  options: { dryRun: { summary: 'only show what would change' } },
  async run({ agents: names, dryRun }) {
    const dataFolder = await findDataFolder(process.env);
    const { written } = readManifest(dataFolder);
    const chosen = names.length > 0 ? agentsNamed(names) : AGENTS;
    const agents = chosen.filter(({ name }) => written.some(({ agent }) => agent === name));
    const isDry = dryRun === true;
    const { carryOutAll } = await import('../agents/carried-out.ts');
    const outcomes = carryOutAll(agents, machineHere(), dataFolder, () => [], isDry);
    if (!isDry && readManifest(dataFolder).written.length === 0) removeCopy(packageRoot(), dataFolder);
    const failed = outcomes.find(({ error }) => error)?.error;
    return {
      report: { dry_run: isDry, agents: outcomes },
      view:
        agents.length > 0
          ? outcomesView(outcomes, 'taken back', isDry)
          : [line(dim('Setup has written nothing here. What was entered by hand is not touched.'))],
      ...(failed && { code: failed.code }),
    };
  },
});
