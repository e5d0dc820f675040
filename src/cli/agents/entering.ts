import {
  type Agent,
  type Converse,
  type Machine,
  optionsIn,
  type SeenHook,
  type SetupRequest,
  type Trust,
} from '../../agents/agent.ts';
import { converse } from '../../agents/conversation.ts';
import { differenceOf } from '../../agents/difference.ts';
import { isGroup } from '../../agents/edit/value.ts';
import type { Entry } from '../../agents/entry.ts';
import { type Manifest, readManifest } from '../../agents/manifest.ts';
import { type Change, carryOut, isChange, planAgent } from '../../agents/plan.ts';
import { entriesFor, filesOfPlugin, notPinned } from '../../agents/plugin.ts';
import { isSamePlace } from '../../agents/settings-editor.ts';
import { type ErrorCode, PrecedentError, unavailable } from '../../domain/error.ts';
import { log } from '../output/print.ts';
import { findAgentProgram } from './here.ts';

/**
 * Enters all that the agents should have.
 * @param trusts whether an agent that asks its user first should trust the hooks
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

/** What an agent should have: what it is entered, and the trust that it was given before in the very same hooks. */
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
      throw unavailable.agent_failed(`${agent.title} does not trust them even so: ${trust.byHand}.`);
    return { ...outcome, files, trusted: true };
  } catch (error) {
    return { ...outcome, error: shownOf(error) };
  }
}

/** A file that was written for the hooks and not again for the trust was written all the same. */
function earlier(outcome: Outcome, file: Outcome['files'][number]): Outcome['files'][number] {
  const before = outcome.files.find((each) => each.file === file.file);
  return file.done === 'unchanged' && before ? { ...file, done: before.done } : file;
}

const hooksOf = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ part, isFileHeader }) => part === 'hooks' && !isFileHeader);

/** What became of one agent. */
export interface Outcome {
  agent: string;
  title: string;
  files: {
    file: string;
    /** What it has of ours now. */
    parts: string[];
    /** What it had of ours, and has no longer. */
    taken: string[];
    done: 'written' | 'removed' | 'unchanged';
    diff?: string;
  }[];
  /** What was there and was left as it was. */
  left: string[];
  /** Options that named a memory for all projects until now, as `--db /tmp/a.db`. */
  unpinned: string[];
  /** What others wrote into our entries and was of no use without them: it went with them. */
  removed_with_ours: string[];
  /** Whether its hooks are trusted, as far as setup knows; only of an agent that skips others. */
  trusted?: boolean;
  /** Set when nothing was done because something is in the way. */
  error?: { code: ErrorCode; reason: string; message: string };
}

/**
 * Does the same for each of several agents; one that cannot be done does not stop the others, and its own files are left
 * as they are.
 * @param requested what an agent should have
 * @param isDry only says what would be done
 */
export function carryOutAll(
  agents: readonly Agent[],
  machine: Machine,
  dataFolder: string,
  requested: (agent: Agent) => Entry[],
  isDry: boolean,
): Outcome[] {
  return agents.map((agent) => {
    // Anew for each: an agent that failed, or another setup, may have changed the list.
    let manifest: Manifest = readManifest(dataFolder);
    const { name, title, owner = name } = agent;
    const nothing = { agent: name, title, files: [], left: [], unpinned: [], removed_with_ours: [] };
    try {
      // All is planned before anything is written: a file that cannot be read leaves the others alone too.
      const folder = agent.folder(machine);
      const changes = planAgent(manifest, owner, folder, requested(agent), filesOfPlugin(agent, machine));
      if (!isDry) for (const change of changes) manifest = carryOut(manifest, change);
      return {
        ...nothing,
        files: changes.map((each) => fileOf(each, isDry)),
        left: changes.flatMap(leftBy),
        unpinned: changes.flatMap(unpinnedBy),
        removed_with_ours: changes.flatMap(({ file, removedWithOurs }) =>
          removedWithOurs.map(
            ({ part, path, names }) =>
              `${nameOf(part, path)} in ${file} is gone with what ${title} had written into it: ${names.join(', ')}`,
          ),
        ),
      };
    } catch (error) {
      return { ...nothing, error: shownOf(error) };
    }
  });
}

/** What a person is shown of an error of ours; any other is thrown. */
function shownOf(error: unknown): NonNullable<Outcome['error']> {
  if (!(error instanceof PrecedentError)) throw error;
  const { code, reason, message } = error;
  return { code, reason, message };
}

function fileOf(change: Change, isDry: boolean): Outcome['files'][number] {
  const { file, after, entries, written } = change;
  const parts = partsOf(entries);
  const taken = partsOf(written?.entries ?? []).filter((part) => !parts.includes(part));
  const done = !isChange(change) ? 'unchanged' : after ? 'written' : 'removed';
  const diff = isDry && done !== 'unchanged' ? differenceOf(change) : undefined;
  return { file, parts, taken, done, ...(diff !== undefined && { diff }) };
}

const partsOf = (entries: readonly Entry[]): string[] => [...new Set(entries.map(({ part }) => part))];

/** Permissions that a person gave before are as good as ours: only the rest is worth a word. */
function leftBy({ file, userEntries, changed, forbidden }: Change): string[] {
  const known = userEntries.filter(({ part }) => part !== 'permissions');
  return [
    ...known.map(({ part, path }) => `${nameOf(part, path)} was in ${file} before: left as it is`),
    ...changed.map(({ part, path, names }) => {
      const which = names.length > 0 ? `: ${names.join(', ')}` : '';
      return `${nameOf(part, path)} in ${file} was changed since setup: left as it is${which}`;
    }),
    ...(forbidden.length > 0
      ? [
          `${file} forbids what setup would allow: left as it is: ${forbidden.map(({ value }) => value).join(', ')}`,
        ]
      : []),
  ];
}

/** An option that is typed again, with whatever value, surprises nobody. */
function unpinnedBy({ written, entries }: Change): string[] {
  const [before, after] = [written?.entries ?? [], entries].map((all) => {
    const server = all.find(({ part }) => part === 'server');
    return server && isGroup(server.value) ? optionsIn(server.value) : undefined;
  });
  if (!before || !after) return [];
  return Object.entries(before).flatMap(([name, value]) =>
    Object.hasOwn(after, name) ? [] : [`--${name} ${value}`],
  );
}

const nameOf = (part: string, path: Entry['path']): string =>
  [...(path[0] === part ? [] : [part]), path.join('.')].filter(Boolean).join(' ');
