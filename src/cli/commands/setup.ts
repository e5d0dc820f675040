import { existsSync } from 'node:fs';
import type { Agent, Machine } from '../../agents/agent.ts';
import { AGENTS, agentsFound, agentsNamed } from '../../agents/agents.ts';
import { type Command, commandOn, enterCommand, textOfCommand } from '../../agents/app/command.ts';
import { appIn, launcherIn } from '../../agents/app/current.ts';
import { hasPlugin } from '../../agents/plugin.ts';
import { type Remote, TOKEN } from '../../agents/remote.ts';
import { inProject } from '../../agents/shared.ts';
import { stableNode } from '../../agents/stable-node.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { IS_PUBLISHED } from '../../domain/release.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import { here } from '../../files/surroundings.ts';
import { dim, good, indented, line, strong, type View, warn } from '../../operations/view.ts';
import { alone } from '../agents/alone.ts';
import { machineHere, requestHere, requireProject } from '../agents/here.ts';
import { tryServer } from '../agents/statuses.ts';
import { outcomesView, pluginsView } from '../agents/view.ts';
import { asking } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { findPlace, type PlaceOptions } from '../place.ts';
import { addressOf, isReadOnTheWay } from '../serving/where.ts';
import { findDataFolder } from '../settings.ts';

const SHARED =
  'Commit these files: they hold no path of this machine. Each person runs "precedent setup" for hooks and skills.';

/** Z-8: until the package is on npm, whoever takes its name there would be started by what names it. */
const UNPUBLISHED =
  'The package is not on npm yet, so these files do not name it: they start the command "precedent", which each person must install.';

const OF_TOKEN =
  'All projects share one memory, that of the token. Name one with --workspace, or run this with --project in each project.';

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
      about: `which: ${AGENTS.map(({ name }) => name).join(', ')}; default: those found on this machine`,
      many: true,
      choices: AGENTS.map(({ name }) => name),
    },
  },
  options: {
    project: { about: 'write only the server, into files of this project, for everybody who works on it' },
    url: {
      value: 'url',
      about: 'the address of a server: the agents reach its memory, with the token in PRECEDENT_TOKEN',
    },
    noHooks: { about: 'write no hooks: agents are shown only what they ask for' },
    askLocks: {
      about: 'let a lock ask you before an agent changes a file that it binds, in agents whose hooks can ask',
    },
    noCommand: { about: 'do not add the command "precedent" for your shell' },
    dryRun: { about: 'only show what would change' },
  },
  async run({ agents: names, project, url, noHooks, askLocks, noCommand, dryRun }, options) {
    if (askLocks && (noHooks || project))
      throw invalid.both_given(
        `Expected --ask-locks or ${noHooks ? '--no-hooks' : '--project'}, found both: hooks ask, and this writes none.`,
      );
    const machine = machineHere();
    const dataFolder = await findDataFolder(here().env);
    const found = agentsFound(machine);
    // An agent that is set up in each project is not, because somebody sets up the machine in the folder of one.
    const other = names.length > 0 || project ? [] : found.filter(({ isPerProject }) => isPerProject);
    const chosen = names.length > 0 ? agentsNamed(names) : found.filter((agent) => !other.includes(agent));
    const agents = project ? chosen.map((agent) => inProject(agent, requireProject(machine))) : chosen;
    const isDry = dryRun === true;
    if (agents.length + other.length === 0) {
      const looked = AGENTS.map(
        (agent) => `- ${agent.title}: ${agent.programs.join(' or ')} in PATH, ${agent.folder(machine)}`,
      );
      throw notFound.no_agent(
        `Expected an agent on this machine, found none. Looked for a program or the folder of its settings:\n${looked.join('\n')}\nNothing was changed. If you have one of them elsewhere, name it: "precedent setup ${AGENTS[0]?.name}"; the names are ${AGENTS.map(({ name }) => name).join(', ')}. For any other agent, enter "precedent mcp" as an MCP server in its settings.`,
      );
    }
    const remote = url === undefined ? undefined : await remoteHere(url, options, project === true);
    const { carryOutAll } = await import('../agents/entering.ts');
    const enter = async () => {
      const request = requestHere(options, dataFolder, {
        remote,
        noHooks: noHooks === true,
        asksLocks: askLocks === true,
        isForGood: !isDry && !project,
      });
      return carryOutAll(agents, machine, dataFolder, request, { isWanted: true, isDry });
    };
    const outcomes = await (isDry ? enter() : alone(dataFolder, true, enter));
    const failed = outcomes.find(({ error }) => error)?.error;
    const command = project || noCommand || failed ? undefined : commandHere(machine, dataFolder, isDry);
    const isChanged = outcomes.some(({ files }) => files.some(({ done }) => done !== 'unchanged'));
    const isShared = project && outcomes.some(({ error }) => !error);
    const notes = [
      ...(isChanged && isDry && !remote
        ? [`The program would be copied to ${appIn(dataFolder)}, which agents start.`]
        : []),
      ...agents.flatMap(({ title, trust }, at) =>
        trust && outcomes[at]?.files.some(({ parts }) => parts.includes('hooks'))
          ? [`! ${title} silently skips hooks that it does not trust: ${trust.byHand}.`]
          : [],
      ),
      ...(askLocks ? unasking(agents, machine) : []),
      ...agents.flatMap(({ afterSetup = [] }) => afterSetup),
      ...(remote ? [...remoteNotes(remote), ...(await answerOf(remote))] : []),
      ...(isShared ? [SHARED] : []),
      ...(isShared && !IS_PUBLISHED && !remote ? [UNPUBLISHED] : []),
      ...other.map(
        ({ title, name }) => `${title} is set up in each project: run "precedent setup ${name}" there.`,
      ),
      ...(isChanged && !failed ? [COST] : []),
      ...(isChanged && !isDry && !failed && !remote ? [BEGIN] : []),
      ...(isChanged && !isDry
        ? [`Restart these agents. "precedent unsetup${project ? ' --project' : ''}" undoes all of this.`]
        : []),
    ];
    return {
      report: { dry_run: isDry, agents: outcomes, ...(command && { command: command.file }) },
      view: [
        ...outcomesView(outcomes, 'set up', isDry),
        ...pluginsView(agents, machine),
        ...(command ? viewCommand(command, isDry) : []),
        ...notes.map((text) => line(text.startsWith('!') ? warn(text) : dim(text))),
      ],
      ...(failed && { code: failed.code }),
    };
  },
});

/** As `test/mcp-diet.test.ts` and docs/agents.md bound it. */
const COST =
  'An agent reads at most 3,500 tokens of tools in each conversation, and 800 as a session starts (docs/agents.md).';
const BEGIN =
  'A memory fills as agents work. To add what is written in a repository, run "precedent import --from auto" there.';

/** In which agents a lock does not ask, although it was chosen (RE-15). */
function unasking(agents: readonly Agent[], machine: Machine): string[] {
  const cannot = agents.filter(({ hook }) => !hook.ask).map(({ title }) => title);
  const plugins = agents.filter((agent) => agent.hook.ask && hasPlugin(agent, machine));
  return [
    ...(cannot.length > 0 ? [`! Locks do not ask in ${cannot.join(', ')}: hooks cannot ask there.`] : []),
    ...plugins.map(
      ({ title, plugin }) =>
        `! Locks do not ask in ${title}: its plugin brings the hooks. Run "${plugin?.remove}" and this again.`,
    ),
  ];
}

/**
 * The command for people, where none of that name is there (V-7): in every folder, on the Node that setup keeps.
 * @returns undefined where one is there already, or the program that it would start is not
 */
function commandHere(machine: Machine, dataFolder: string, isDry: boolean): Command | undefined {
  const command = commandOn(machine);
  const program = launcherIn(dataFolder);
  if ((command.is === 'missing' && machine.hasProgram('precedent')) || !(isDry || existsSync(program)))
    return undefined;
  if (!isDry) enterCommand(command, textOfCommand(machine.platform, stableNode(process.execPath), program));
  return command;
}

function viewCommand({ file, is, toPath }: Command, isDry: boolean): View {
  if (is === 'other')
    return [line(warn(`! ${file} is not ours and was not changed: the command "precedent" is not set up.`))];
  return [
    line(
      good(isDry ? '· ' : '✔ '),
      strong('precedent'),
      dim(`  the command, ${isDry ? 'would be written to' : 'in'} ${file}`),
    ),
    ...(toPath === undefined ? [] : [indented(warn(`! That folder is not in PATH. ${toPath}`))]),
  ];
}

/**
 * The server that setup should enter (A-1, H-1).
 * @param inProject whether it goes into the files of a project: then it is the memory of this repository, unless another
 *   one is named
 * @throws PrecedentError `invalid` for an address that no server of ours can have, for one together with `--db`, and for a repository that
 *   every machine would call by another name
 */
async function remoteHere(url: string, { db, workspace }: PlaceOptions, inProject: boolean): Promise<Remote> {
  if (db !== undefined)
    throw invalid.both_given(
      `Expected --url or --db, found both: the server at ${url} has its memories where it runs.`,
    );
  if (workspace !== undefined) checkWorkspace(workspace);
  const address = addressOf(url, '--url');
  const name = workspace ?? (inProject ? await nameForAll() : undefined);
  return { url: address, ...(name !== undefined && { workspace: name.normalize('NFC') }) };
}

/** The name of this repository that is the same on every machine: that of its remote. */
async function nameForAll(): Promise<string> {
  const { repository } = await findPlace({}, {}, here().cwd(), asking);
  const name = repository?.repository.remoteName;
  if (name !== undefined) return name;
  throw invalid.missing(
    'Expected the name of a memory, since this repository has no remote that names it for everybody. Name one with --workspace.',
  );
}

/** What the server says now, since agents and hooks only meet it later (T-12). */
async function answerOf(remote: Remote): Promise<string[]> {
  const token = here().env[TOKEN] || undefined;
  const { answers, workspace, note } = await tryServer(remote, token);
  if (!answers) return [`! ${note}.`];
  if (workspace !== undefined) return [`${remote.url} answers, from the memory ${workspace}.`];
  return [`! ${remote.url} answers. Your token was not checked: ${TOKEN} is not set here.`];
}

/** What a person has to know of agents that reach a server. */
function remoteNotes({ url, workspace }: Remote): string[] {
  return [
    ...(isReadOnTheWay(url)
      ? [`! ${url} is not encrypted: others on the network can read the token. Use https.`]
      : []),
    ...(workspace === undefined ? [OF_TOKEN] : []),
    `The token is in no file: these agents and their hooks read it from ${TOKEN}. Set it where they are started.`,
  ];
}
