import { type Agent, ASK_LOCKS, type Machine, optionsIn, type SetupRequest } from '../../agents/agent.ts';
import { textsIn } from '../../agents/edit/settings.ts';
import { isGroup } from '../../agents/edit/value.ts';
import type { Entry } from '../../agents/entry.ts';
import { readManifest } from '../../agents/manifest.ts';
import { type Change, carryOut, isChange, planAgent } from '../../agents/plan.ts';
import { entriesFor, notPinned } from '../../agents/plugin.ts';
import { type ErrorCode, PrecedentError } from '../../domain/error.ts';

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
    /** What changes of ours, a line each, where nothing is written. */
    lines?: string[];
  }[];
  /** What a person should know: what was left as it was, and which memory is no longer named. */
  notes: string[];
  /** Set when nothing was done because something is in the way. */
  error?: { code: ErrorCode; reason: string; message: string };
}

/**
 * Enters all that an agent should have, or takes it out. One that cannot be done does not stop the others, and its own files
 * are left as they are.
 * @param isWanted false takes out what setup wrote
 * @param isDry only says what would be done
 */
export function carryOutAll(
  agents: readonly Agent[],
  machine: Machine,
  dataFolder: string,
  request: SetupRequest,
  { isWanted, isDry }: { isWanted: boolean; isDry: boolean },
): Outcome[] {
  return agents.map((agent) => {
    const { name, title, owner = name } = agent;
    const nothing = { agent: name, title, files: [], notes: [] };
    try {
      const wanted = isWanted ? entriesFor(agent, machine, request) : [];
      const possible = possibleFor(agent, machine, request, isWanted);
      // All is planned before anything is written: a file that cannot be read leaves the others alone too.
      const changes = planAgent(readManifest(dataFolder), owner, agent.folder(machine), wanted, possible);
      if (!isDry) for (const change of changes) carryOut(dataFolder, change);
      const notes = changes.flatMap((change) => [
        ...change.notes,
        ...unpinnedBy(change),
        ...unaskedBy(change),
      ]);
      const pins = isWanted ? notPinned(agent, machine, request.launch.pins) : [];
      return { ...nothing, files: changes.map((each) => fileOf(each, isDry)), notes: [...notes, ...pins] };
    } catch (error) {
      if (!(error instanceof PrecedentError)) throw error;
      const { code, reason, message } = error;
      return { ...nothing, error: { code, reason, message } };
    }
  });
}

/** All that setup may enter for an agent; none for one of each project that is taken out where there is none. */
function possibleFor(agent: Agent, machine: Machine, request: SetupRequest, isWanted: boolean): Entry[] {
  if (!isWanted && agent.isPerProject && machine.project === undefined) return [];
  return agent.entries(machine, { ...request, hooks: true });
}

function fileOf(change: Change, isDry: boolean): Outcome['files'][number] {
  const { file, after, ours, written, lines } = change;
  const parts = partsOf(ours.entries);
  const taken = partsOf(written?.entries ?? []).filter((part) => !parts.includes(part));
  const done = !isChange(change) ? 'unchanged' : after ? 'written' : 'removed';
  return { file, parts, taken, done, ...(isDry && lines.length > 0 && { lines }) };
}

const partsOf = (entries: readonly Entry[]): string[] => [...new Set(entries.map(({ part }) => part))];

/** A choice that a later setup does not repeat ends: its person should know (RE-15). */
function unaskedBy({ written, ours }: Change): string[] {
  const asks = (entries: readonly Entry[] = []) =>
    entries.some(({ part, value }) => part === 'hooks' && textsIn(value).includes(ASK_LOCKS));
  const has = ours.entries.some(({ part }) => part === 'hooks');
  return has && asks(written?.entries) && !asks(ours.entries)
    ? [`locks no longer ask before a change: ${ASK_LOCKS} turns that on again`]
    : [];
}

/** An option that is typed again, with whatever value, surprises nobody. */
function unpinnedBy({ written, ours }: Change): string[] {
  const [before, after] = [written?.entries ?? [], ours.entries].map((all) => {
    const server = all.find(({ part }) => part === 'server');
    return server && isGroup(server.value) ? optionsIn(server.value) : undefined;
  });
  if (!before || !after) return [];
  return Object.entries(before).flatMap(([name, value]) =>
    Object.hasOwn(after, name) ? [] : [`no longer pinned to --${name} ${value}`],
  );
}
