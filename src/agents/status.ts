import { existsSync } from 'node:fs';
import type { Agent, Machine, Wish } from './agent.ts';
import { Unreadable } from './edit/format.ts';
import { holds, isGroup, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import { bytesOf } from './files.ts';
import type { Manifest } from './manifest.ts';

/** What an agent has of Precedent. */
export interface AgentStatus {
  agent: string;
  title: string;
  /** How the server is entered: by setup, by hand, or not at all; `unreadable` where that cannot be told. */
  server: 'setup' | 'by hand' | 'missing' | 'unreadable';
  /** Whether each of the parts that setup would enter is there. */
  hooks?: boolean;
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
    for (const part of ['hooks', 'skill'] as const) {
      const ofPart = entries.filter((entry) => entry.part === part && !entry.isFrame);
      if (ofPart.length > 0) status[part] = ofPart.every(isThere);
    }
    const server = entries.find(({ part }) => part === 'server');
    const present = server && serverIn(server);
    if (!server || present === undefined) return status;
    const isOurs = manifest.written.some(
      ({ file, entries: written }) => file === server.file && written.some(({ part }) => part === 'server'),
    );
    return {
      ...status,
      server: isOurs ? 'setup' : 'by hand',
      notes: notesOf(agent, server, present, machine, isOurs),
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...status, server: 'unreadable', notes: [error.message] };
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
  if (!entry.isItem) return holds(present, entry.value);
  return Array.isArray(present) && present.some((each) => holds(each, entry.value));
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

/** The command line of a server. */
function wordsOf({ command, args }: Record<string, unknown>): string[] {
  return [command, args].flat().filter((word) => typeof word === 'string');
}

function notesOf(
  agent: Agent,
  server: Entry,
  present: Record<string, unknown>,
  { environment }: Machine,
  isOurs: boolean,
): string[] {
  const notes: string[] = [];
  const words = wordsOf(present);
  const wanted = wordsOf(server.value as Record<string, unknown>);
  const gone = words.find(
    (word) => /^(?:\/|[a-z]:\\)/i.test(word) && /(?:\.cjs|node(?:\.exe)?)$/.test(word) && !existsSync(word),
  );
  if (gone !== undefined) notes.push(`it starts ${gone}, which is not there`);
  else if (isOurs && words.join('\n') !== wanted.join('\n')) notes.push(`it starts ${words.join(' ')}`);
  if (notes.length > 0 && isOurs) notes.push(`"precedent setup ${agent.name}" enters this installation`);
  const passed = Array.isArray(present.env_vars) ? present.env_vars : [];
  const lost = (agent.passedOn ?? []).filter(
    (name) => environment[name] && !passed.includes(name) && valueAt(present, ['env', name]) === undefined,
  );
  if (lost.length > 0) notes.push(`it does not get ${lost.join(', ')}, so it may have another memory`);
  return notes;
}
