import { type Agent, type Machine, pinsOf } from '../../agents/agent.ts';
import { carryOut, isChange } from '../../agents/carry-out.ts';
import { isGroup } from '../../agents/edit/value.ts';
import type { Entry } from '../../agents/entry.ts';
import { type Manifest, readManifest } from '../../agents/manifest.ts';
import { diffOf } from '../../agents/masked.ts';
import { type Change, planAgent } from '../../agents/plan.ts';
import { filesOfPlugin } from '../../agents/plugin.ts';
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
  error?: { code: ErrorCode; message: string };
}

/**
 * Does the same for each of several agents; one that cannot be done does not stop the others, and its own files are left
 * as they are.
 * @param requested what an agent shall have
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
    try {
      // All is planned before anything is written: a file that cannot be read leaves the others alone too.
      const folder = agent.folder(machine);
      const changes = planAgent(manifest, owner, folder, requested(agent), filesOfPlugin(agent, machine));
      if (!isDry) for (const change of changes) manifest = carryOut(manifest, change);
      return {
        agent: name,
        title,
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
      if (!(error instanceof PrecedentError)) throw error;
      const { code, message } = error;
      return {
        agent: name,
        title,
        files: [],
        left: [],
        unpinned: [],
        removed_with_ours: [],
        error: { code, message },
      };
    }
  });
}

function fileOf(change: Change, isDry: boolean): Outcome['files'][number] {
  const { file, after, entries, written } = change;
  const parts = partsOf(entries);
  const taken = partsOf(written?.entries ?? []).filter((part) => !parts.includes(part));
  const done = !isChange(change) ? 'unchanged' : after ? 'written' : 'removed';
  const diff = isDry && done !== 'unchanged' ? diffOf(change) : undefined;
  return { file, parts, taken, done, ...(diff !== undefined && { diff }) };
}

const partsOf = (entries: readonly Entry[]): string[] => [...new Set(entries.map(({ part }) => part))];

/** Permissions that a person gave before are as good as ours: only the rest is worth a word. */
function leftBy({ file, userEntries, changed, forbidden }: Change): string[] {
  const known = userEntries.filter(({ part }) => part !== 'permissions');
  return [
    ...known.map(({ part, path }) => `${nameOf(part, path)} former in ${file} before: left as it is`),
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

/** An option that is typed again, with whatever value, is no surprise. */
function unpinnedBy({ written, entries }: Change): string[] {
  const [before, after] = [written?.entries ?? [], entries].map((all) => {
    const server = all.find(({ part }) => part === 'server');
    return server && isGroup(server.value) ? pinsOf(server.value) : undefined;
  });
  if (!before || !after) return [];
  const optionOf = (pin: string) => pin.split(' ')[0];
  return before.filter((pin) => !after.some((each) => optionOf(each) === optionOf(pin)));
}

const nameOf = (part: string, path: Entry['path']): string =>
  [...(path[0] === part ? [] : [part]), path.join('.')].filter(Boolean).join(' ');
