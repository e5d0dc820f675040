import { basename, dirname, join, relative, sep } from 'node:path';
import { realOrSame, repositoryAround } from '../../../files/led-out.ts';
import { askable, type GitFolder } from '../../../git/folder.ts';
import { firstCommitOf, firstCommittedAt } from '../../../git/questions.ts';
import { stateOf } from './words.ts';

/** Where a record lies. */
export interface Place {
  /** From the top folder of its repository on, whichever folder was given. */
  path: string;
  /** Left out where all records are of one repository. */
  repository?: Repository;
  /** Keys that it had before its repository was known. */
  formerKeys?: string[];
}

interface Repository {
  /** Its first commit, which moved and cloned ones share; of a folder without one, its name. */
  id: string;
  name: string;
  top: string;
  git: GitFolder | undefined;
}

/** Names of folders of records, anywhere in the repository. */
export const CALLED =
  /^(m?adrs?|decisions|(architecture|architectural|design)[-_]decisions?|((architecture|architectural|design)[-_])?decision[-_](records?|logs?))$/i;
/** Folders of what was proposed, which may or may not be decided: RFCs, KEPs, PEPs. */
export const PROPOSALS = /^(rfcs?|keps?|peps?|proposals|enhancements)$/i;
/** Folders that have these in many projects. */
const USUAL = /^(?:docs?|src|documentation|architecture|design)$/i;

/** Folders that hold one part of a project each. */
const PARTS = /^(?:packages|apps|services|libs|modules|crates|plugins|components)$/i;
/** Folders that say nothing of what is in them: a number or a year, a record's own folder, files that belong to it. */
const UNTOLD = /^\d|^m?adr[-_ ]?\d|^(?:records?|archives?|templates?|images?|assets|memory[-_]bank)$/i;

/**
 * The part of a project that a record is about, by its folder: one of the folder of records (`docs/adr/billing`), else that of a
 * package (`services/billing/adr`).
 * @param path of the file, from the top folder of its repository on
 */
export function partIn(path: string): string | undefined {
  const folders = path.replace(/#.*/s, '').split('/').slice(0, -1);
  const isTelling = (name: string | undefined) =>
    name !== undefined &&
    stateOf(name) === undefined &&
    ![UNTOLD, USUAL, CALLED, PROPOSALS].some((names) => names.test(name));
  const records = folders.findLastIndex((name) => CALLED.test(name));
  const parts = folders.findIndex((name) => PARTS.test(name));
  return [records, parts].flatMap((at) => (at < 0 ? [] : (folders[at + 1] ?? []))).find(isTelling);
}

export const slashed = (path: string): string => path.split(sep).join('/');

/** @param base the folder that the files of records are named from */
export function placesFrom(base: string): {
  placeOf: (record: { file: string; source: string }) => Place;
  firstCommittedAt: (file: string) => number | undefined;
} {
  const known = new Map<string, Repository>();
  // Whether git may be asked is checked once for each repository, since the check looks at everything that git would read.
  const repositoryOf = (file: string) => {
    const folder = dirname(join(base, file));
    const top = repositoryAround(folder) ?? telling(base);
    const found = known.get(top) ?? repositoryAt(top);
    known.set(top, found);
    return found;
  };
  const inside = slashed(relative(repositoryAround(base) ?? base, base));
  return {
    placeOf: ({ file, source }) => {
      const repository = repositoryOf(source);
      const path = slashed(relative(repository.top, join(base, file)));
      const byName = `${idOfName(repository.name)}:${path}`;
      const formerKeys = [byName, inside === '' ? file : `${inside}/${file}`];
      return { path, repository, formerKeys };
    },
    firstCommittedAt: (file) => {
      const { git } = repositoryOf(file);
      return git && firstCommittedAt(git, slashed(relative(git.top, realOrSame(join(base, file)))));
    },
  };
}

const idOfName = (name: string) => `folder:${name}`;

function repositoryAt(top: string): Repository {
  const git = askable(top);
  const name = basename(top);
  return { id: (git && firstCommitOf(git)) ?? idOfName(name), name, top, git };
}

/** The nearest folder whose name says more than that records are in it. */
function telling(folder: string): string {
  const isUsual = [USUAL, CALLED, PROPOSALS].some((names) => names.test(basename(folder)));
  return isUsual ? telling(dirname(folder)) : folder;
}
