import { join } from 'node:path';
import {
  MOST_PLACES,
  marksIn,
  PLACES_LENGTH,
  patternsIn,
  placesFrom,
  problemOfPlaces,
  type Vanished,
  vanishedNote,
} from '../../domain/place.ts';
import { namedAmong } from '../../domain/place-match.ts';
import { asLiteral } from '../../domain/place-written.ts';
import { readIfOrdinary } from '../../files/bounded.ts';
import { statHere } from '../../files/machines.ts';
import { here } from '../../files/surroundings.ts';
import { askable, placedIn } from '../../git/folder.ts';
import { movedAmong } from '../../git/moved.ts';
import { changedWith } from '../../git/questions.ts';
import { filesOf } from '../../git/renames.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import type { Given } from '../command.ts';
import type { PlaceOptions } from '../place.ts';

/** Earlier names of a file that are asked for. */
const MOST = 50;

/** What decisions name and git has no more, with what it is called now (F-3). */
export interface Moved {
  vanished: Vanished[];
  /** The names of files then and now. */
  renames: [old: string, heir: string][];
}

/**
 * The patterns of decisions that named files which are gone from the repository around the working folder. One that never
 * named any waits for its files, and is left out.
 * @param options a memory that they name may be another repository's: nothing is looked for
 */
export async function movedIn(memory: MemoryCore, options: PlaceOptions = {}): Promise<Moved> {
  const none = { vanished: [], renames: [] };
  const git = repositoryOf(options);
  if (!git) return none;
  const { results } = (await memory.call('mama_files', {})) as Result<'mama_files'>;
  const named = results.flatMap(({ id, topic, ref, files }) =>
    patternsIn(files).map((pattern) => ({ id, called: topic ?? ref, pattern })),
  );
  const present = named.length > 0 && (await filesOf(git));
  if (!present) return none;
  const presentBy = namedAmong(present);
  const dead = named.filter(({ pattern }) => presentBy(pattern).length === 0);
  const { gone, renames } = await movedAmong(git, present, [...new Set(dead.map(({ pattern }) => pattern))]);
  const heirs = new Map(gone.map(({ pattern, heir }) => [pattern, heir]));
  const vanished = dead.flatMap((each) => {
    const heir = heirs.get(each.pattern);
    return heirs.has(each.pattern) ? { ...each, ...(heir !== undefined && { heir }) } : [];
  });
  return { vanished, renames };
}

/** The repository here; none for a memory that was named, which may be another one's. */
export const repositoryOf = ({ db, workspace }: PlaceOptions) =>
  db === undefined && workspace === undefined ? askable(here().cwd()) : undefined;

/** Notes on a save whose patterns match nothing here: they are mistyped, or for files to come (F-1). */
export async function unmatched(
  { files, addFiles, strength }: Given,
  options: PlaceOptions,
): Promise<string[]> {
  const patterns = patternsIn(placesFrom([files ?? addFiles ?? []].flat().join('\n')));
  const present = await presence(options);
  const missing = present ? patterns.filter((each) => !present.has(each)) : [];
  const isUnbound = strength === 'lock' && missing.length > 0 && missing.length === patterns.length;
  return [
    ...missing.map((each) => `No committed file here matches ${each} yet.`),
    ...(isUnbound ? ['So this lock binds no file that exists here.'] : []),
  ];
}

/** A note for each lock of an answer whose patterns name no file that exists here (TR-4). */
export async function unbound(
  { decisions = [], alsoBinding = [], decision }: Given,
  options: PlaceOptions,
): Promise<string[]> {
  const { decision: asked, versions = [] } = (decision ?? {}) as {
    decision?: { topic?: string };
    versions?: Bound[];
  };
  const topic = asked?.topic;
  const active = versions.filter(({ status }) => status === 'active').map((each) => ({ ...each, topic }));
  const listed = [decisions, alsoBinding].flat() as Bound[];
  const locks = [...listed, ...active].filter(({ strength, files }) => strength === 'lock' && files);
  const present = locks.length > 0 ? await presence(options) : undefined;
  if (!present) return [];
  const dead = locks.filter(({ files }) => !patternsIn(files).some(present.has));
  const named = [...new Set(dead.flatMap(({ files }) => patternsIn(files)))];
  const { gone } = await movedAmong(present.git, present.files, named);
  return dead.map(({ topic, id, files }) => {
    const patterns = patternsIn(files).join(', ');
    const moved = gone.filter(
      ({ pattern, heir }) => heir !== undefined && patternsIn(files).includes(pattern),
    );
    // It still binds what git says was renamed (F-3).
    if (moved.length > 0)
      return `The lock ${topic ?? id} binds files by their earlier names: it ${moved
        .map(({ pattern, heir = '' }) => vanishedNote({ id, called: topic ?? id, pattern, heir }))
        .join('; ')}`;
    return `The lock ${topic ?? id} binds no file that exists here: it names ${patterns}. Correct it with precedent revise --add-file and --remove-file.`;
  });
}
type Bound = {
  id: string;
  strength: string;
  files: string | null;
  status?: string;
  topic?: string | undefined;
};

/**
 * The committed files of the repository here, and whether a pattern matches one of them or a file that is there; undefined
 * without a repository.
 */
async function presence(options: PlaceOptions) {
  const git = repositoryOf(options);
  const files = git && (await filesOf(git));
  if (!files) return undefined;
  const presentBy = namedAmong(files);
  const isThere = (each: string) =>
    statHere(join(git.top, each.replace(/(\/\*\*)?(#.*)?$/, '')), git.top) !== undefined;
  const has = (pattern: string) => presentBy(pattern).length > 0 || isThere(pattern);
  return { git, files, has };
}

/** Bytes of a file that is read for {@link marksIn}. */
const LONGEST = 1024 * 1024;
/** Names that a question has. */
const MOST_NAMES = 20;

/** What git called a file, or those in a folder, earlier; each once. */
export const formerNames = ({ renames }: Moved, path: string): string[] =>
  renames
    .filter(
      ([old, heir]) =>
        (heir === path || (path.endsWith('/') && heir.startsWith(path))) &&
        !/[*?]/.test(old) &&
        problemOfPlaces(old) === undefined,
    )
    .slice(0, MOST)
    .map(([old]) => old);

/** A question about files, with what git called them earlier (F-3, F-6). @param files as they were given */
export async function withFormerNames(
  memory: MemoryCore,
  input: Given,
  options: PlaceOptions,
): Promise<Given> {
  const written = [input.files ?? []].flat().join('\n');
  // As long a text is refused (Z-5).
  const files = written.length > PLACES_LENGTH ? [] : patternsIn(placesFrom(written));
  if (files.length === 0) return input;
  const moved = await movedIn(memory, options);
  const formerly = files.flatMap((path) => formerNames(moved, path));
  return formerly.length === 0
    ? input
    : { ...input, files: [...files, ...formerly].slice(0, MOST_PLACES).map(asLiteral).join('\n') };
}

/** A file or folder as `mama_files` is asked for it: what it is called, was called earlier, and names itself (F-1, F-3). */
export async function namesOf(memory: MemoryCore, path: string, options: PlaceOptions): Promise<Given> {
  if (path === '') return {};
  const formerly = formerNames(await movedIn(memory, options), path);
  const { top } = placedIn(here().cwd());
  const text = readIfOrdinary(join(top, path), { limit: LONGEST, within: top })?.toString() ?? '';
  const marked = marksIn(text).slice(0, MOST_NAMES);
  return {
    files: path,
    ...(formerly.length > 0 && { formerly: formerly.join('\n') }),
    ...(marked.length > 0 && { marked }),
  };
}

/** What git committed together with a file, for who finds nothing that names it (F-2). */
export async function committedWith(path: string): Promise<Given> {
  const git = path !== '' && !path.endsWith('/') && askable(here().cwd());
  const names = git ? await changedWith(git, path) : [];
  const short = [...new Set(names)].filter((each) => each.length > 0 && each.length <= MOST_CHARACTERS);
  return short.length > 0 ? { together: short.slice(0, MOST_NAMES) } : {};
}
const MOST_CHARACTERS = 200;
