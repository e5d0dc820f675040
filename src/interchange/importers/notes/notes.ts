import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { append } from '../../../domain/append.ts';
import { PrecedentError } from '../../../domain/error.ts';
import { otherThanFile } from '../../../domain/file-kind.ts';
import { type Facts, noFacts } from '../../../domain/import/facts.ts';
import { readBounded } from '../../../files/bounded.ts';
import type { Importer, Machine } from '../importer.ts';
import { markdownIn } from '../markdown-files.ts';
import { objectOf } from '../values.ts';
import { hasPermalinks, isBundle, isVault, LEFT_OUT } from './marks.ts';
import { noteMeantBy, pathOf } from './meant.ts';
import { type Note, noteOf } from './note.ts';

/** Files of OKF that tell of the others. */
const RESERVED = /(^|\/)(index|log)\.md$/i;

/** basic-memory: the folders of its projects; its database is made of them. */
export const basicMemory: Importer = {
  name: 'basic-memory',
  what: 'a folder of notes of basic-memory',
  hasDecisions: true,
  places: (machine) => projectsOf(machine),
  isOurs: hasPermalinks,
  read: (path) => read('basic-memory', path),
};

/** Obsidian: any vault. */
export const obsidian: Importer = {
  name: 'obsidian',
  what: 'a vault of Obsidian',
  hasDecisions: true,
  places: ({ folder }) => (isVault(folder) ? [folder] : []),
  isOurs: isVault,
  read: (path) => read('obsidian', path),
};

/** The Open Knowledge Format, 0.1 and 0.2: a folder of notes, each with a type. */
export const okf: Importer = {
  name: 'okf',
  what: 'a bundle of the Open Knowledge Format (OKF)',
  hasDecisions: true,
  places: ({ folder }) => (isBundle(folder) ? [folder] : []),
  isOurs: isBundle,
  read: (path) => read('okf', path),
};

function projectsOf({ home, env }: Machine): string[] {
  const folder = env.BASIC_MEMORY_CONFIG_DIR ?? join(home, '.basic-memory');
  try {
    const { projects = {} } = objectOf(String(readBounded(join(folder, 'config.json'), { isOwn: true })));
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
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const what = found ? (otherThanFile(found) ?? 'a file') : 'none';
    throw new PrecedentError('not_found', `Expected a folder of notes, found ${what} at ${path}.`);
  }
  const facts = noFacts(source);
  const files = markdownIn(folder, facts.skipped, LEFT_OUT);
  const reserved = source === 'okf' ? files.filter((file) => RESERVED.test(file)) : [];
  for (const what of reserved) facts.skipped.push({ what, why: 'it tells of the others' });
  const notes = files.filter((file) => !reserved.includes(file)).map((file) => noteOf(facts, folder, file));
  keepOneKey(facts, notes, basename(folder));
  append(
    facts.observations,
    notes.map(({ fact }) => fact),
  );
  append(facts.relations, relationsBetween(notes, basename(folder)));
  return facts;
}

function relationsBetween(notes: Note[], folder: string): Facts['relations'] {
  const meant = noteMeantBy(notes);
  const relations = new Map<string, Facts['relations'][number]>();
  for (const note of notes) {
    const { key: from, at } = note.fact;
    for (const link of note.links) {
      const { target, isPath, type, note: context } = link;
      if (isPath && RESERVED.test(target)) continue;
      const missing = isPath ? `${folder}:${pathOf(target, note)}` : target;
      const to = meant(link, note)?.fact.key ?? missing;
      const key = JSON.stringify([from, type, to]);
      if (!relations.has(key))
        relations.set(key, { key, at, isUndated: true, from, to, type, note: context });
    }
  }
  return [...relations.values()];
}

/** Of several notes with one permalink, the one whose path it is keeps it; the keys of the others are their paths. */
function keepOneKey(facts: Facts, notes: Note[], folder: string): void {
  const taken = new Set(notes.map(({ fact }) => fact.key));
  for (const same of Map.groupBy(notes, ({ fact }) => fact.topicKey).values()) {
    const holder = same.find(({ path, permalink }) => path === permalink) ?? same[0];
    for (const note of same) {
      if (note === holder) continue;
      const { fact, path, file } = note;
      facts.warnings.push(
        `"${fact.title}" comes in without its permalink "${fact.topicKey}", which another note has`,
      );
      fact.rest = { ...fact.rest, permalink: fact.topicKey };
      fact.key =
        [path, file].map((each) => `${folder}:${each}`).find((each) => !taken.has(each)) ?? `file:${file}`;
      taken.add(fact.key);
      fact.topicKey = null;
    }
  }
}
