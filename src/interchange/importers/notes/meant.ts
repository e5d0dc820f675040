import { basename, dirname, posix } from 'node:path';
import { withoutEnding } from '../markdown-files.ts';
import type { NoteLink } from './links.ts';
import type { Note } from './note.ts';

/**
 * The note that a link leads to: a path by itself, a name by permalink, path, title or name, else by the end of its path; of
 * several, the one in the nearest folder. Undefined where there is none.
 */
export function noteMeantBy(notes: Note[]): (link: NoteLink, by: Note) => Note | undefined {
  const byName = Map.groupBy(
    notes.flatMap((note) => [...new Set(namesOf(note))].map((name) => ({ name, note }))),
    ({ name }) => name,
  );
  const lower = notes.map((note) => ({ note, path: note.path.toLowerCase() }));
  const endings = new Map<string, Note[]>();
  const endingIn = (wanted: string) => {
    const found =
      endings.get(wanted) ?? lower.filter(({ path }) => path.endsWith(`/${wanted}`)).map(({ note }) => note);
    endings.set(wanted, found);
    return found;
  };
  const byPath = new Map(notes.map((note) => [note.path, note]));
  return ({ target, isPath }, by) => {
    if (isPath) return byPath.get(pathOf(target, by));
    const wanted = withoutEnding(target).toLowerCase();
    const called = (byName.get(wanted) ?? []).map(({ note }) => note);
    const found = called.length > 0 || !wanted.includes('/') ? called : endingIn(wanted);
    const near = found.find(({ path }) => dirname(path) === dirname(by.path));
    return near ?? found.toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)[0];
  };
}

const namesOf = ({ permalink, path, fact }: Note): string[] =>
  [permalink, path, fact.title, basename(path)].flatMap((each) => each?.normalize('NFC').toLowerCase() ?? []);

/** From the folder of all notes on; one that begins with a stroke is so already. */
export function pathOf(target: string, { path }: Note): string {
  const whole = target.startsWith('/') ? target.slice(1) : posix.join(dirname(path), target);
  return withoutEnding(posix.normalize(whole));
}
