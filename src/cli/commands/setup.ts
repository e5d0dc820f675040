import { existsSync } from 'node:fs';
import { AGENTS, agentsFound, agentsNamed } from '../../agents/agents.ts';
import { ENTERS_HOOKS } from '../../agents/hook.ts';
import { PrecedentError } from '../../domain/error.ts';
import { dim, line } from '../../operations/view.ts';
import { machineHere, wishHere } from '../agents/here.ts';
import { outcomesView } from '../agents/view.ts';
import { defineCommand } from '../own-command.ts';
import { findDataFolder } from '../place.ts';

/** Twice is once, to the byte; `unsetup` takes exactly what this wrote. */
export const setup = defineCommand({
  name: 'setup',
  summary: 'connect the agents of this machine to their projects’ memories',
  examples: ['setup --dry-run claude', 'setup claude codex'],
  arguments: {
    agents: {
      summary: `which: ${AGENTS.map(({ name }) => name).join(', ')}; default: those that are found here`,
      many: true,
    },
  },
  options: {
    ...(ENTERS_HOOKS && { noHooks: { summary: 'enter no hooks' } }),
    dryRun: { summary: 'only show what would change' },
  },
  async run({ agents: names, noHooks, dryRun }, options) {
    const machine = machineHere();
    const dataFolder = await findDataFolder(process.env);
    const found = agentsFound(machine, existsSync);
    // An agent that is set up in each project is not, because somebody sets up the machine in the folder of one.
    const agents = names.length > 0 ? agentsNamed(names) : found.filter(({ isPerProject }) => !isPerProject);
    const isDry = dryRun === true;
    const other = names.length > 0 ? [] : found.filter(({ isPerProject }) => isPerProject);
    if (agents.length + other.length === 0) {
      const known = AGENTS.map(({ title }) => title).join(', ');
      throw new PrecedentError(
        'not_found',
        `Expected an agent on this machine, found none of ${known}. Name one: "precedent setup ${AGENTS[0]?.name}".`,
      );
    }
    const wish = wishHere(options, dataFolder, { noHooks: noHooks === true, isForGood: !isDry });
    const { carryOutAll } = await import('../agents/carried-out.ts');
    const outcomes = carryOutAll(agents, machine, dataFolder, (agent) => agent.entries(machine, wish), isDry);
    const failed = outcomes.find(({ error }) => error)?.error;
    const isChanged = outcomes.some(({ files }) => files.some(({ done }) => done !== 'unchanged'));
    return {
      report: { dry_run: isDry, agents: outcomes },
      view: [
        ...outcomesView(outcomes, 'set up', isDry),
        ...agents.flatMap(({ afterwards }) => (afterwards === undefined ? [] : [line(dim(afterwards))])),
        ...other.map(({ title, name }) =>
          line(dim(`${title} is set up in each project: run "precedent setup ${name}" there.`)),
        ),
        ...(isChanged && !isDry
          ? [line(dim('Start these agents anew. "precedent unsetup" takes it all back.'))]
          : []),
      ],
      ...(failed && { code: failed.code }),
    };
  },
});
