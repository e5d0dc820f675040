import { existsSync } from 'node:fs';
import type { Agent, Machine } from '../../agents/agent.ts';
import { AGENTS, agentsFound, agentsNamed } from '../../agents/agents.ts';
import { inProject } from '../../agents/shared.ts';
import { PrecedentError } from '../../domain/error.ts';
import { IS_PUBLISHED } from '../../domain/release.ts';
import { here } from '../../files/surroundings.ts';
import { dim, line, type View, warn } from '../../operations/view.ts';
import { alone } from '../agents/alone.ts';
import { machineHere, requestHere, requireProject } from '../agents/here.ts';
import { remoteHere, remoteView } from '../agents/remote-here.ts';
import { outcomesView, pluginsView } from '../agents/view.ts';
import { findDataFolder } from '../data-folder.ts';
import { defineCommand } from '../own-command.ts';

const SHARED =
  'These files name no path of this machine: commit them. Hooks and skills are each person’s own: "precedent setup" enters them.';

/** Z-8: until the package is on npm, whoever takes its name there would be started by what names it. */
const UNPUBLISHED =
  'The package is not on npm yet, so these files name none: each of them starts its own "precedent", which everybody installs.';

/** The agents that skip hooks that their user did not trust. */
const TRUSTING = AGENTS.filter(({ trust }) => trust)
  .map(({ title }) => title)
  .join(', ');

/** Twice is once, to the byte; `unsetup` takes exactly what this wrote. */
export const setup = defineCommand({
  name: 'setup',
  summary: 'Connect the agents of this machine to their projects’ memories',
  examples: [
    'setup --dry-run claude',
    'setup claude codex',
    'setup codex --url https://memory.example --workspace shop',
  ],
  arguments: {
    agents: {
      summary: `which: ${AGENTS.map(({ name }) => name).join(', ')}; default: those that are found here`,
      many: true,
      choices: AGENTS.map(({ name }) => name),
    },
  },
  options: {
    project: { summary: 'in the files of this project, for everybody who works on it: the server alone' },
    url: {
      value: 'url',
      summary: 'the address of a server: the agents reach its memory, with the token in PRECEDENT_TOKEN',
    },
    noHooks: { summary: 'enter no hooks: the agents are shown nothing unasked' },
    trust: { summary: `let ${TRUSTING} trust the hooks, which it skips else` },
    dryRun: { summary: 'only show what would change' },
  },
  async run({ agents: names, project, url, noHooks, trust, dryRun }, options) {
    const machine = machineHere();
    const dataFolder = await findDataFolder(here().env);
    const found = agentsFound(machine, existsSync);
    // An agent that is set up in each project is not, because somebody sets up the machine in the folder of one.
    const other = names.length > 0 || project ? [] : found.filter(({ isPerProject }) => isPerProject);
    const chosen = names.length > 0 ? agentsNamed(names) : found.filter((agent) => !other.includes(agent));
    const agents = project ? chosen.map((agent) => inProject(agent, requireProject(machine))) : chosen;
    const isDry = dryRun === true;
    if (agents.length + other.length === 0) {
      const known = AGENTS.map(({ title }) => title).join(', ');
      throw new PrecedentError(
        'not_found',
        `Expected an agent on this machine, found none of ${known}. Name one: "precedent setup ${AGENTS[0]?.name}".`,
      );
    }
    if (trust) requireTrust(agents, noHooks === true);
    const remote = url === undefined ? undefined : await remoteHere(url, options, project === true);
    const { enterAll } = await import('../agents/entering.ts');
    const enter = () => {
      const request = requestHere(options, dataFolder, {
        remote,
        noHooks: noHooks === true,
        isForGood: !isDry && !project,
      });
      return enterAll(agents, machine, dataFolder, request, { trusts: trust === true, isDry });
    };
    const outcomes = await (isDry ? enter() : alone(dataFolder, true, enter));
    const failed = outcomes.find(({ error }) => error)?.error;
    const isChanged = outcomes.some(({ files }) => files.some(({ done }) => done !== 'unchanged'));
    return {
      report: { dry_run: isDry, agents: outcomes },
      view: [
        ...outcomesView(outcomes, 'set up', isDry),
        ...pluginsView(agents, machine),
        ...agents.flatMap((agent, at) => trustView(agent, machine, outcomes[at]?.trusted)),
        ...(trust && isDry ? [line(dim(`${TRUSTING} would be asked how it trusts these hooks.`))] : []),
        ...agents.flatMap(({ afterSetup }) => (afterSetup === undefined ? [] : [line(dim(afterSetup))])),
        ...(remote ? remoteView(remote) : []),
        ...(project && outcomes.some(({ error }) => !error) ? sharedView(remote !== undefined) : []),
        ...other.map(({ title, name }) =>
          line(dim(`${title} is set up in each project: run "precedent setup ${name}" there.`)),
        ),
        ...(isChanged && !isDry
          ? [
              line(
                dim(
                  `Start these agents anew. "precedent unsetup${project ? ' --project' : ''}" takes it all back.`,
                ),
              ),
            ]
          : []),
      ],
      ...(failed && { code: failed.code }),
    };
  },
});

/** What a person should know of files that everybody shares. */
function sharedView(isRemote: boolean): View {
  const isStarted = !IS_PUBLISHED && !isRemote;
  return [line(dim(SHARED)), ...(isStarted ? [line(dim(UNPUBLISHED))] : [])];
}

/** @throws PrecedentError `invalid` where nobody is to be asked */
function requireTrust(agents: readonly Agent[], hasNoHooks: boolean): void {
  if (hasNoHooks || !agents.some(({ trust }) => trust))
    throw new PrecedentError('invalid', `Expected hooks of ${TRUSTING} with --trust: others need none.`);
}

function trustView(
  { name, title, trust, programs }: Agent,
  machine: Machine,
  isTrusted: boolean | undefined,
): View {
  if (!trust || isTrusted !== false) return [];
  const isThere = programs.some((program) => machine.hasProgram(program));
  const setup = isThere ? `, or run "precedent setup ${name} --trust"` : '';
  return [
    line(warn(`! ${title} skips hooks that it does not trust, without a word: ${trust.byHand}${setup}.`)),
  ];
}
