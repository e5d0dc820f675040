import { isAbsolute, parse, posix, resolve } from 'node:path';
import { invalid } from '../../domain/error.ts';
import { PLACES_LENGTH } from '../../domain/place.ts';
import { asLiteral, placesMeant } from '../../domain/place-written.ts';
import { realOrSame } from '../../files/led-out.ts';
import { realIfHere, statHere } from '../../files/machines.ts';
import { pathIn } from '../../files/path-in.ts';
import { here } from '../../files/surroundings.ts';
import { askable, placedIn } from '../../git/folder.ts';
import { hasHistory } from '../../git/questions.ts';
import type { Given } from '../command.ts';

/** Endings by which one word is a file, whether it is there or not (F-2). */
const ENDING =
  /\.(?:[cm]?[jt]sx?|vue|svelte|json[c5]?|ya?ml|toml|xml|ini|md|markdown|txt|html?|s?css|less|sql|py|rb|php|pl|lua|r|go|rs|java|kts?|scala|groovy|gradle|cs|fs|swift|mm?|c|h|cc|cpp|hpp|dart|exs?|erl|hs|clj|sh|bash|ps1|bat|tf|proto|graphql|lock)$/i;
/** `:120` or `:120-140` after a file, as editors and compilers write it. */
const LINES = /:\d+(?:[-:]\d+)?:?$/;

/**
 * What somebody who types words means by them, where it is a place (F-2): what is in the work tree or in its history, what
 * begins with `./`, `../` or `/`, or one word with the ending of a file. A folder ends with `/`.
 * @returns empty for the top folder, undefined for words
 * @throws PrecedentError `invalid` for a path outside of the repository
 */
export async function placeAsked(words: string): Promise<string | undefined> {
  const { folder: cwd, top } = placedIn(here().cwd());
  const typed = words.trim().replace(LINES, '');
  // A word in a file: the file is asked for.
  const [file] = typed.split('#');
  const written = file && file !== typed && statHere(posix.resolve(cwd, file)) ? file : typed;
  const within = pathIn(top, cwd, written);
  const path = within ?? '';
  const isPlain = /^(?:\.{0,2}[\\/]|[a-z]:[\\/])/i.test(written);
  // The second as the places of decisions are written, typed in a folder below.
  for (const found of [path, written].map((each) => each.replace(/\/+$/, ''))) {
    const file = posix.join(top, found);
    if (found !== '' && isThere(top, file)) return statHere(file)?.isDirectory() ? `${found}/` : found;
  }
  if (isPlain && within === undefined) refuseOutside(top, words);
  if (path === '') return isPlain || written === '.' || written === top ? '' : undefined;
  if (isPlain || (!/\s/.test(written) && ENDING.test(written))) return path;
  const git = askable(top);
  return git && !/\s/.test(written) && (await hasHistory(git, path)) ? path : undefined;
}

/**
 * The patterns that were typed for a decision: what is relative to the working folder, or absolute, from the top folder on,
 * and so is a file that is there from the working folder on. All else is a pattern already.
 * @throws PrecedentError `invalid` for a file outside of the repository
 */
export function patternsTyped(typed: string[]): string[] {
  const { folder: cwd, top } = placedIn(here().cwd());
  const patterns = typed.flatMap(meantHere).map((each) => {
    // An empty text takes all away.
    if (each === '') return each;
    // The top folder may be written through a link, and the file be still to come.
    const { dir, base } = parse(resolve(cwd, each));
    const last = /[\\/]$/.test(each) ? `${base}/` : base;
    const within = pathIn(top, cwd, each) ?? pathIn(realOrSame(top), realOrSame(dir), last);
    const isPath = isAbsolute(each)
      ? within !== undefined || (statHere(each) && !statHere(posix.join(top, each)))
      : /^\.{1,2}[\\/]/.test(each) || isThere(top, resolve(cwd, each));
    if (!isPath) return each;
    const path = within ?? refuseOutside(top, each);
    return path === '' ? '**' : path;
  });
  return patterns.map(asLiteral);
}

/** What was typed, as its writer means it (TR-4): the name of what is there is taken as it is. */
function meantHere(typed: string): string[] {
  const { folder: cwd, top } = placedIn(here().cwd());
  const isHere = (path: string) => isThere(top, resolve(cwd, path)) || isThere(top, posix.join(top, path));
  return placesMeant(typed, isHere).split('\n');
}

function refuseOutside(top: string, path: string): never {
  throw invalid.wrong_path(`Expected a path inside ${top}, found ${path}.`);
}

/** The input of a call whose files are written as its client sees them: agents name a file by its whole path (F-1). */
export function withFilesFromTop(input: Given): Given {
  const written = [input.files ?? []].flat();
  // What is no text, or too long, is refused as it is (Z-5).
  if (!written.every((each) => typeof each === 'string') || written.join('\n').length > PLACES_LENGTH)
    return input;
  const files = patternsTyped(written).filter((each) => each !== '');
  return files.length === 0 ? input : { ...input, files: files.join('\n') };
}

/** The paths that were typed for a question, as {@link placeAsked} has them. */
export const placesAsked = (typed: string[]): Promise<string[]> =>
  Promise.all(typed.flatMap(meantHere).map(async (each) => asLiteral((await placeAsked(each)) ?? each)));

/** Whether something is there, and in this repository: a link may lead out of it. */
const isThere = (top: string, file: string) => {
  const real = realIfHere(file);
  return real !== undefined && pathIn(realOrSame(top), top, real) !== undefined;
};
