import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type Facts, noFacts, type ObservationFact } from '../../../domain/arrival/facts.ts';
import { PrecedentError } from '../../../domain/error.ts';
import { frontMatter } from '../front-matter.ts';
import type { Importer, Machine } from '../importer.ts';
import { readText, unreadable } from '../source-text.ts';
import { linksIn, type NoteLink } from './links.ts';

/** Folders of a vault that hold no notes. */
const LEFT_OUT = /^(\..*|node_modules|templates?)$/i;

interface Note {
  fact: ObservationFact;
  /** From the folder of all notes on, with `/` and without the ending. */
  path: string;
  permalink: string | undefined;
  links: NoteLink[];
}

/** basic-memory: the folders of its projects; its database is made of them. */
export const basicMemory: Importer = {
  name: 'basic-memory',
  what: 'a folder of notes of basic-memory',
  places: (machine) => projectsOf(machine),
  read: (path) => read('basic-memory', path),
};

/** Obsidian: any vault. */
export const obsidian: Importer = {
  name: 'obsidian',
  what: 'a vault of Obsidian',
  places: ({ folder }) => (globSync(join(folder, '.obsidian')).length > 0 ? [folder] : []),
  read: (path) => read('obsidian', path),
};

function projectsOf({ home, env }: Machine): string[] {
  const folder = env.BASIC_MEMORY_CONFIG_DIR ?? join(home, '.basic-memory');
  try {
    const { projects = {} } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    return Object.values(projects as Record<string, unknown>).flatMap((each) => {
      const path = typeof each === 'object' && each !== null && 'path' in each ? each.path : each;
      return typeof path === 'string' ? [path] : [];
    });
  } catch {
    return [];
  }
}

function read(source: string, path: string): Facts {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new PrecedentError('not_found', `Expected a folder of notes, found none at ${path}.`);
  }
  const facts = noFacts(source);
  const exclude = (name: string) => LEFT_OUT.test(basename(name));
  const files = globSync('**/*.md', { cwd: folder, exclude }).map((file) => file.split(sep).join('/'));
  const readable = files.sort().filter((what) => {
    const why = unreadable(join(folder, what));
    if (why !== undefined && why !== 'a folder') facts.skipped.push({ what, why });
    return why === undefined;
  });
  const notes = readable.map((file) => noteOf(facts, folder, file));
  keepOneKey(facts, notes);
  facts.observations.push(...notes.map(({ fact }) => fact));
  const seen = new Set<string>();
  for (const note of notes) {
    for (const link of note.links) {
      const to = meantBy(link.target, note, notes)?.fact.key ?? link.target;
      const key = JSON.stringify([note.fact.key, link.type, to]);
      if (seen.has(key)) continue;
      seen.add(key);
      const { type, note: context } = link;
      facts.relations.push({
        key,
        at: note.fact.at,
        isUndated: true,
        from: note.fact.key,
        to,
        type,
        note: context,
      });
    }
  }
  return facts;
}

function noteOf(facts: Facts, folder: string, file: string): Note {
  const { text, changedAt, isDamaged } = readText(join(folder, file));
  const { values, body, problem } = frontMatter(text);
  const path = file.replace(/\.md$/i, '').normalize('NFC');
  if (problem !== undefined) facts.warnings.push(`${file}: ${problem}; it is taken as a plain text`);
  if (isDamaged) facts.warnings.push(`${file}: bytes that are no UTF-8 became U+FFFD`);
  const { title, type, permalink, created, modified, tags, ...others } = values;
  const at = dateOf(created);
  const changed = at === undefined ? undefined : dateOf(modified);
  const undated = {
    ...(created !== undefined && at === undefined && { created }),
    ...(modified !== undefined && changed === undefined && { modified }),
  };
  const name = named(title) ?? basename(path);
  const fact: ObservationFact = {
    key: `${basename(folder)}:${named(permalink) ?? path}`,
    at: at ?? changedAt,
    ...(at === undefined && { isUndated: true as const }),
    updatedAt: at === undefined ? undefined : Math.max(at, changed ?? at),
    title: name,
    content: problem === undefined ? body.trim() : text.trim(),
    type: named(type) ?? 'note',
    project: basename(folder),
    scope: 'project',
    topicKey: named(permalink) ?? path,
    rest: { ...(tags !== undefined && { tags: listOf(tags) }), ...asTexts({ ...undated, ...others }) },
  };
  return {
    fact,
    path,
    permalink: named(permalink),
    links: linksIn(facts.source, problem === undefined ? body : '', values),
  };
}

/** Of several notes with one permalink, the one whose path it is keeps it. */
function keepOneKey(facts: Facts, notes: Note[]): void {
  for (const same of Map.groupBy(notes, ({ fact }) => fact.topicKey).values()) {
    const holder = same.find(({ path, permalink }) => path === permalink) ?? same[0];
    for (const note of same) {
      if (note === holder) continue;
      const { fact, path } = note;
      facts.warnings.push(
        `"${fact.title}" comes in without its permalink "${fact.topicKey}", which another note has`,
      );
      fact.rest = { ...fact.rest, permalink: fact.topicKey };
      fact.key = `${fact.key.split(':')[0]}:${path}`;
      fact.topicKey = null;
    }
  }
}

/** By permalink, path, title or name, else by the end of its path; of several, the one in the nearest folder. */
function meantBy(target: string, by: Note, notes: Note[]): Note | undefined {
  const wanted = target.replace(/\.md$/i, '').toLowerCase();
  const isCalled = ({ path, permalink, fact }: Note) =>
    [permalink, path, fact.title, basename(path)].some(
      (each) => each?.normalize('NFC').toLowerCase() === wanted,
    );
  const called = notes.filter(isCalled);
  const isEnd = ({ path }: Note) => wanted.includes('/') && path.toLowerCase().endsWith(`/${wanted}`);
  const found = called.length > 0 ? called : notes.filter(isEnd);
  const near = found.find(({ path }) => dirname(path) === dirname(by.path));
  return near ?? found.toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)[0];
}

const named = (value: unknown): string | undefined =>
  value === null || value === undefined || typeof value === 'object' || String(value).trim() === ''
    ? undefined
    : String(value).trim();

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(','))
    .map((each) => String(each).trim())
    .filter(Boolean);

/** Numbers and yes or no are texts there. */
function asTexts(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}

function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' ? Date.parse(value) || undefined : undefined;
}
