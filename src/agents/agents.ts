import { PrecedentError } from '../domain/error.ts';
import { type Agent, isFound, type Machine } from './agent.ts';
import { claude } from './hosts/claude.ts';
import { codex } from './hosts/codex.ts';
import { copilot } from './hosts/copilot.ts';
import { cursor } from './hosts/cursor.ts';
import { gemini } from './hosts/gemini.ts';
import { opencode } from './hosts/opencode.ts';
import { vscode } from './hosts/vscode.ts';
import { besidePlugin } from './plugin.ts';

/** The agents that setup knows, in the order in which they are shown. */
export const AGENTS: readonly Agent[] = [claude, codex, gemini, copilot, vscode, cursor, opencode].map(
  besidePlugin,
);

/** The agents that are named, each once. @throws PrecedentError `invalid` for a name that is none */
export function agentsNamed(names: readonly string[]): Agent[] {
  return [...new Set(names)].map((name) => {
    const agent = AGENTS.find((each) => each.name === name.toLowerCase());
    if (agent) return agent;
    const known = AGENTS.map((each) => each.name).join(', ');
    throw new PrecedentError('invalid', `Expected an agent of ${known}; found ${JSON.stringify(name)}.`);
  });
}

/** The agents that are on this machine. */
export function agentsFound(machine: Machine, exists: (path: string) => boolean): Agent[] {
  return AGENTS.filter((agent) => isFound(agent, machine, exists));
}
