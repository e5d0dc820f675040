import { basename, dirname, join, posix, resolve } from 'node:path';
import { append } from '../../../domain/append.ts';
import { type Facts, noFacts } from '../../../domain/import/facts.ts';
import type { Importer, Machine } from '../importer.ts';
import { markdownIn, withoutEnding } from '../markdown-files.ts';
import { requireFolder, settingsAt } from '../source-text.ts';
import { isObject, linkFact, objectOf, textOf } from '../values.ts';
import { hasPermalinks, isBundle, isVault, LEFT_OUT } from './marks.ts';
import type { NoteLink } from './note.ts';
import { type Note, noteOf } from './note.ts';

/** Files of OKF that tell of the others. */
const RESERVED = /(^|\/)(index|log)\.md$/i;

/** @param places default: the working folder, where it is one */
const ofNotes = (
  name: string,
  what: string,
  isOurs: (folder: string) => boolean,
  places: Importer['places'] = ({ folder }) => (isOurs(folder) ? [folder] : []),
): Importer => ({ name, what, isOurs, places, read: (path) => read(name, path) });

/** basic-memory: the folders of its projects; its database is made of them. */
export const basicMemory = ofNotes(
  'basic-memory',
  'a folder of notes of basic-memory',
  hasPermalinks,
  projectsOf,
);
/** Obsidian: any vault. */
export const obsidian = ofNotes('obsidian', 'a vault of Obsidian', isVault);
/** The Open Knowledge Format, 0.1 and 0.2: a folder of notes, each with a type. */
export const okf = ofNotes('okf', 'a bundle of the Open Knowledge Format (OKF)', isBundle);

function projectsOf({ home, env }: Machine): string[] {
  const folder = env.BASIC_MEMORY_CONFIG_DIR ?? join(home, '.basic-memory');
  const { projects } = settingsAt(join(folder, 'config.json'));
  return Object.values(objectOf(projects)).flatMap((each) => textOf(isObject(each) ? each.path : each) ?? []);
}

function read(source: string, path: string): Facts {
  const folder = resolve(path);
  requireFolder(path, 'a folder of notes');
  const facts = noFacts(source);
  const files = markdownIn(folder, facts.skipped, LEFT_OUT, undefined, 'no Markdown');
  const reserved = source === 'okf' ? files.filter((file) => RESERVED.test(file)) : [];
  for (const what of reserved) facts.skipped.push({ what, why: 'it tells of the others' });
  const notes = files.flatMap((file) => (reserved.includes(file) ? [] : (noteOf(facts, folder, file) ?? [])));
  keepOneKey(facts, notes, basename(folder));
  const written = notes.map(({ fact }) => fact);
  append(facts.observations, written);
  append(facts.relations, relationsBetween(notes, basename(folder)));
  facts.read = notes.map(({ file: what }) => ({ what, becomes: 'observation' }));
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
      const found = meant(link, note);
      if (found === undefined && note.isExported) continue;
      const to = found?.fact.key ?? missing;
      const fact = linkFact(from, type, to, { at, isUndated: true, note: context });
      if (!relations.has(fact.key)) relations.set(fact.key, fact);
    }
  }
  return [...relations.values()];
}

/** If several notes have one permalink, the note with that path keeps it; the keys of the others are their paths. */
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

/**
 * The note that a link leads to: a path by itself, a name by permalink, path, title or name, else by the end of its path; of
 * several, the one in the nearest folder. Undefined where there is none.
 */
function noteMeantBy(notes: Note[]): (link: NoteLink, by: Note) => Note | undefined {
  const [byName, byEnding] = [choicesOf(notes, namesOf), choicesOf(notes, endingsOf)];
  const byPath = new Map(notes.map((note) => [note.path, note]));
  return ({ target, isPath }, by) => {
    if (isPath) return byPath.get(pathOf(target, by));
    const wanted = withoutEnding(target).toLowerCase();
    const choice = byName.get(wanted) ?? (wanted.includes('/') ? byEnding.get(wanted) : undefined);
    return choice?.near.get(dirname(by.path)) ?? choice?.first;
  };
}

/** Of the notes with one name, the first in each folder, and the one nearest to the top. */
function choicesOf(notes: Note[], called: (note: Note) => string[]) {
  const named = notes.flatMap((note) => [...new Set(called(note))].map((name) => ({ name, note })));
  return new Map(
    Array.from(
      Map.groupBy(named, ({ name }) => name),
      ([name, those]) => {
        const found = those.map(({ note }) => note);
        const near = new Map(found.toReversed().map((note) => [dirname(note.path), note]));
        const [first] = found.toSorted((a, b) => a.path.split('/').length - b.path.split('/').length);
        return [name, { near, first }];
      },
    ),
  );
}

/** The ends of a path, each from a folder in it on. */
const endingsOf = ({ path }: Note): string[] =>
  path
    .toLowerCase()
    .split('/')
    .slice(1)
    .map((_, at, parts) => parts.slice(at).join('/'));

const namesOf = ({ permalink, path, fact }: Note): string[] =>
  [permalink, path, fact.title, basename(path)].flatMap((each) => each?.normalize('NFC').toLowerCase() ?? []);

/** From the folder of all notes on; one that begins with a stroke is so already. */
function pathOf(target: string, { path }: Note): string {
  const whole = target.startsWith('/') ? target.slice(1) : posix.join(dirname(path), target);
  return withoutEnding(posix.normalize(whole));
}
