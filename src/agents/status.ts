import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Agent, type Machine, type Wish, wordsOf } from './agent.ts';
import { Unreadable } from './edit/format.ts';
import { isGroup, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import { bytesOf } from './files.ts';
import type { Manifest } from './manifest.ts';

/** What an agent has of Precedent. */
export interface AgentStatus {
  agent: string;
  title: string;
  /** How the server is entered: by setup, by hand, or not at all; `unreadable` where that cannot be told. */
  server: 'setup' | 'by hand' | 'missing' | 'unreadable';
  /** Whether the hooks are there as setup would enter them. */
  hooks?: boolean;
  /** Whether the skill is there, whatever it says: the agent loads it. */
  skill?: boolean;
  /** What a person should know or do. */
  notes: string[];
}

/** Looks at the settings of an agent; nothing is changed. */
export function statusOf(agent: Agent, machine: Machine, wish: Wish, manifest: Manifest): AgentStatus {
  const status: AgentStatus = { agent: agent.name, title: agent.title, server: 'missing', notes: [] };
  if (agent.isPerProject && machine.project === undefined) return status;
  const entries = agent.entries(machine, wish);
  try {
    const hooks = entries.filter(({ part, isFrame }) => part === 'hooks' && !isFrame);
    if (hooks.length > 0) status.hooks = hooks.every(isThere);
    const skill = entries.find(({ part }) => part === 'skill');
    if (skill) {
      status.skill = presentAt(skill) !== undefined;
      status.notes.push(...skillNotes(agent, skill, writtenAs(manifest, skill)));
    }
    const server = entries.find(({ part }) => part === 'server');
    const present = server && serverIn(server);
    if (!server || present === undefined) return status;
    const written = writtenAs(manifest, server);
    return {
      ...status,
      server: written ? 'setup' : 'by hand',
      notes: [...serverNotes(agent, server, present, machine, written), ...status.notes],
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...status, server: 'unreadable', notes: [error.message, ...status.notes] };
  }
}

/** What is entered in the place of an entry. @throws Unreadable */
function presentAt({ file, format, path }: Entry): unknown {
  const text = bytesOf(file)
    ?.toString()
    .replace(/^\uFEFF/, '');
  if (text === undefined || format === 'text') return text;
  try {
    return valueAt(FORMATS[format].read(text), path);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${file}: ${error.message}`) : error;
  }
}

function isThere(entry: Entry): boolean {
  const present = presentAt(entry);
  if (!entry.isItem) return isDeepStrictEqual(present, entry.value);
  return Array.isArray(present) && present.some((each) => isDeepStrictEqual(each, entry.value));
}

/** The entry as setup wrote it last; undefined where it did not. */
function writtenAs(manifest: Manifest, { file, part }: Entry): Entry | undefined {
  return manifest.written
    .filter((each) => each.file === file)
    .flatMap(({ entries }) => entries)
    .find((each) => each.part === part);
}

/** What a person should know of a skill that is there, and is another than setup enters. */
function skillNotes({ name }: Agent, skill: Entry, written: Entry | undefined): string[] {
  const present = presentAt(skill);
  if (present === undefined || present === skill.value) return [];
  if (!written) return [`its skill is there, and is another than setup enters: ${skill.file}`];
  return present === written.value
    ? [`its skill is of another version; "precedent setup ${name}" renews it`]
    : [`its skill was changed since setup: ${skill.file}`];
}

/** The server under our name, else one under another that starts Precedent all the same. */
function serverIn(server: Entry): Record<string, unknown> | undefined {
  const servers = presentAt({ ...server, path: server.path.slice(0, -1) });
  if (!isGroup(servers)) return undefined;
  const all = Object.entries(servers).filter((each): each is [string, Record<string, unknown>] =>
    isGroup(each[1]),
  );
  const [, found] =
    all.find(([name]) => name === server.path.at(-1)) ??
    all.find(([, each]) => wordsOf(each).some((word) => PROGRAM.test(word))) ??
    [];
  return found;
}

const PROGRAM = /(?:^|[\\/])precedent(?:-memory)?(?:\.cjs|@[^/]*)?$/;

function serverNotes(
  agent: Agent,
  server: Entry,
  present: Record<string, unknown>,
  { environment }: Machine,
  written: Entry | undefined,
): string[] {
  const notes: string[] = [];
  const words = wordsOf(present);
  const wanted = wordsOf(server.value as Record<string, unknown>);
  const gone = words.find(
    (word) => /^(?:\/|[a-z]:\\)/i.test(word) && /(?:\.cjs|node(?:\.exe)?)$/.test(word) && !existsSync(word),
  );
  if (gone !== undefined) notes.push(`it starts ${gone}, which is not there`);
  else if (written && words.join('\n') !== wanted.join('\n')) notes.push(`it starts ${words.join(' ')}`);
  if (notes.length > 0 && written) {
    const isChanged = words.join('\n') !== wordsOf(written.value as Record<string, unknown>).join('\n');
    if (isChanged) notes.push('it was changed since setup, which leaves it: take it out first');
    notes.push(`"precedent setup ${agent.name}" enters this installation`);
  }
  const passed = Array.isArray(present.env_vars) ? present.env_vars : [];
  const lost = (agent.passedOn ?? []).filter(
    (name) => environment[name] && !passed.includes(name) && valueAt(present, ['env', name]) === undefined,
  );
  if (lost.length > 0) notes.push(`it does not get ${lost.join(', ')}, so it may have another memory`);
  return notes;
}
