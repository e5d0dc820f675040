import { existsSync } from 'node:fs';
import { invalid } from '../domain/error.ts';
import { didYouMean } from '../domain/filter/near.ts';
import type { Agent, EventKind, Machine } from './agent.ts';
import { claude } from './hosts/claude.ts';
import { codex } from './hosts/codex.ts';
import { copilot } from './hosts/copilot.ts';
import { cursor } from './hosts/cursor.ts';
import { gemini } from './hosts/gemini.ts';
import { opencode } from './hosts/opencode.ts';
import { vscode } from './hosts/vscode.ts';

/** The agents that setup knows by their names, in the order in which they are shown. */
const BY_NAME = { claude, codex, gemini, copilot, vscode, cursor, opencode };
export type AgentName = keyof typeof BY_NAME;
export const AGENTS: readonly Agent[] = Object.values(BY_NAME);

/** The files in which people instruct agents, as patterns, in a home and in a project. Of equal texts the first one counts. */
export const INSTRUCTIONS = {
  home: AGENTS.flatMap(({ instructions }) => instructions.home),
  project: ['**/AGENTS.md', ...AGENTS.flatMap(({ instructions }) => instructions.project)],
};

/** Whether a file of this name instructs an agent, wherever it is. */
export function isInstruction(file: string): boolean {
  return INSTRUCTIONS.project.some((each) => each.split('/').at(-1)?.toLowerCase() === file.toLowerCase());
}

/** Variables that agents which setup does not know set where they start a command. */
const SET_BY_OTHERS = [
  ...['AI_AGENT', 'AGENT', 'AMP_CURRENT_THREAD_ID', 'ANTIGRAVITY_AGENT', 'AUGMENT_AGENT', 'CLINE_ACTIVE'],
  ...['CRUSH', 'GOOSE_TERMINAL', 'REPL_ID', 'ROO_ACTIVE', 'TRAE_AI_SHELL_ID'],
];

/**
 * The mark of an agent that started this command (Z-14): a variable that it sets, or a parent; undefined where there is none.
 * @param parents what the processes around it are called
 */
export function agentAround(
  environment: Readonly<Record<string, string | undefined>>,
  parents: readonly string[],
): string | undefined {
  const shells = AGENTS.flatMap(({ shell }) => shell ?? []);
  const set = [...shells.flatMap(({ sets }) => sets), ...SET_BY_OTHERS].find((name) => environment[name]);
  return set ?? parents.find((name) => shells.some(({ programs }) => programs.includes(name)));
}

/** The agents that are named, each once. @throws PrecedentError `invalid` for a name that no agent has */
export function agentsNamed(names: readonly string[]): Agent[] {
  return [...new Set(names)].map((name) => {
    const agent = AGENTS.find((each) => each.name === name.toLowerCase());
    if (agent) return agent;
    const known = AGENTS.map((each) => each.name);
    throw invalid.not_one_of(
      `Expected one of these agents: ${known.join(', ')}; found ${JSON.stringify(name)}.${didYouMean(name, known)}`,
    );
  });
}

/** The agents that are on this machine. */
export function agentsFound(machine: Machine): Agent[] {
  const isFound = ({ programs, folder }: Agent) =>
    programs.some((program) => machine.hasProgram(program)) || existsSync(folder(machine));
  return AGENTS.filter(isFound);
}

/**
 * The agent that runs a hook, which may be another one than that in whose settings it is; undefined for an unknown one.
 * @param payload what it sent
 */
export function runningAgent(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  payload: object,
): Agent | undefined {
  const named = AGENTS.find((agent) => agent.name === name);
  const running = AGENTS.find(
    (agent) => named?.hook.alsoRunBy?.includes(agent.name) && agent.hook.isRunning?.(environment, payload),
  );
  return running ?? named;
}

/** The event of this name, whichever agent it is from: some run the hooks of others. */
export function eventKind(name: string): EventKind | undefined {
  return AGENTS.map(({ hook }) => hook.events).find((events) => Object.hasOwn(events, name))?.[name];
}
