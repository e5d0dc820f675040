import type { Agent, Machine, SetupRequest } from '../../agents/agent.ts';
import { converse } from '../../agents/conversation.ts';
import type { Entry } from '../../agents/entry.ts';
import { readManifest } from '../../agents/manifest.ts';
import { entriesFor, notPinned } from '../../agents/plugin.ts';
import { isSamePlace } from '../../agents/settings-editor.ts';
import type { Converse, SeenHook, Trust } from '../../agents/trust.ts';
import { PrecedentError } from '../../domain/error.ts';
import { log } from '../output/print.ts';
import { carryOutAll, type Outcome } from './carried-out.ts';
import { findAgentProgram } from './here.ts';

/**
 * Enters all that the agents shall have.
 * @param trusts whether an agent that asks its user first shall trust the hooks
 * @param isDry only says what would be done
 */
export async function enterAll(
  agents: readonly Agent[],
  machine: Machine,
  dataFolder: string,
  request: SetupRequest,
  { trusts, isDry }: { trusts: boolean; isDry: boolean },
): Promise<Outcome[]> {
  const requested = new Map<string, Entry[]>();
  const requestedFor = (agent: Agent) => {
    const entries = withTrust(agent, dataFolder, entriesFor(agent, machine, request));
    requested.set(agent.name, entries);
    return entries;
  };
  const outcomes: Outcome[] = [];
  for (const done of carryOutAll(agents, machine, dataFolder, requestedFor, isDry)) {
    const agent = agents.find(({ name }) => name === done.agent);
    const lost = agent ? notPinned(agent, machine, request.launch.pins) : [];
    const entries = requested.get(done.agent) ?? [];
    const hasHooks = entries.some(({ part }) => part === 'hooks');
    // Next to the plugin there is no need for any.
    if (agent?.trust && trusts && !hasHooks)
      lost.push(`setup enters no hooks here that it could trust: ${agent.trust.byHand}`);
    const outcome = { ...done, left: [...done.left, ...lost] };
    if (!agent?.trust || !hasHooks || outcome.error || (trusts && isDry)) outcomes.push(outcome);
    else if (trusts)
      outcomes.push(await trustHooks(agent, agent.trust, outcome, machine, dataFolder, entries));
    else outcomes.push({ ...outcome, trusted: entries.some(({ part }) => part === 'trust') });
  }
  return outcomes;
}

/** What an agent shall have: what it is entered, and the trust that it was given before in the very same hooks. */
function withTrust(agent: Agent, dataFolder: string, entries: Entry[]): Entry[] {
  const files = new Set(entries.map(({ file }) => file));
  const had = readManifest(dataFolder)
    .written.filter((each) => each.agent === agent.name && files.has(each.file))
    .flatMap((each) => each.entries);
  const hooks = hooksOf(entries);
  const isSame = hooks.every((hook) => had.some((each) => isSamePlace(each, hook)));
  const kept = isSame && hooks.length > 0 ? had.filter(({ part }) => part === 'trust') : [];
  return [...entries, ...kept];
}

/**
 * Lets an agent trust the hooks that were entered, and says so before: its own server tells how, and then whether it does.
 * What is entered for it is on the list of setup like all else.
 * @param outcome of entering them
 * @param entries what was entered, with the trust that it had before
 * @returns the outcome of both; its error when the agent could not be asked, or does not trust them even so
 */
async function trustHooks(
  agent: Agent,
  trust: Trust,
  outcome: Outcome,
  machine: Machine,
  dataFolder: string,
  entries: Entry[],
): Promise<Outcome> {
  try {
    const program = findAgentProgram(agent);
    const started = [program, ...trust.server].join(' ');
    const talk: Converse = (work) => converse(program, trust.server, machine, work);
    log(`Starting "${started}", to enter in ${agent.title} that it trusts these hooks.`);
    const hooks = hooksOf(entries);
    const seen = await trust.ask(talk, hooks);
    const isOurs = ({ trust }: SeenHook) => entries.some((each) => isSamePlace(each, trust));
    // What a person trusts already needs nothing of ours.
    const wanted = seen.filter((each) => !each.isTrusted || isOurs(each)).map((each) => each.trust);
    const requested = () => [...entries.filter(({ part }) => part !== 'trust'), ...wanted];
    const [done = outcome] = carryOutAll([agent], machine, dataFolder, requested, false);
    const files = done.files.map((file) => earlier(outcome, file));
    if (done.error) return { ...outcome, error: done.error };
    const isTrusted =
      seen.every((each) => each.isTrusted) || (await trust.ask(talk, hooks)).every((each) => each.isTrusted);
    if (!isTrusted)
      throw new PrecedentError('unavailable', `${agent.title} does not trust them even so: ${trust.byHand}.`);
    return { ...outcome, files, trusted: true };
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    const { code, message } = error;
    return { ...outcome, error: { code, message } };
  }
}

/** A file that was written for the hooks and not again for the trust was written all the same. */
function earlier(outcome: Outcome, file: Outcome['files'][number]): Outcome['files'][number] {
  const before = outcome.files.find((each) => each.file === file.file);
  return file.done === 'unchanged' && before ? { ...file, done: before.done } : file;
}

const hooksOf = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ part, isFileHeader }) => part === 'hooks' && !isFileHeader);
