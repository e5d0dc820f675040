import ignore from 'ignore';
import { problemOfPlaces } from './place.ts';

/** `src/a.ts#name`: a word of the file. */
const SYMBOL = /^(.*[^/])#([\p{L}_$][\p{L}\p{N}_$.]*)$/u;

/** A pattern that names a path. */
export interface Naming {
  pattern: string;
  /** How near it is: an exact path before a pattern, and of patterns the one that says more of the path. */
  nearness: number;
}

/**
 * The nearest of these patterns that names a path; undefined where none does.
 * @param path from the top folder of the repository on, with `/`; one that ends with `/` is a folder, which what is in it
 *   names, too
 */
export function nearest(patterns: string[], path: string): Naming | undefined {
  const folder = path.endsWith('/') ? path : undefined;
  const namedBy = namedAmong([folder === undefined ? path : `${folder}x`]);
  return patterns
    .flatMap((pattern) => {
      const [, file = pattern] = SYMBOL.exec(pattern) ?? [];
      const plain = file.replace(/^\//, '');
      const fixed = fixedIn(plain);
      const isExact = [plain, pattern].includes(path) || plain === folder?.slice(0, -1);
      const isWithin = folder !== undefined && fixed.startsWith(folder);
      // A name with brackets, as some frameworks have them, is itself first.
      if (!isExact && !isWithin && namedBy(pattern).length === 0) return [];
      // Its fixed beginning, then all of it: a path has at most a thousand signs.
      const said = plain.replace(/[*?[\]]/g, '').length / 10_000;
      const nearness = isExact ? Number.MAX_SAFE_INTEGER : fixed.length + said;
      return [{ pattern, nearness }];
    })
    .sort((a, b) => b.nearness - a.nearness)[0];
}

/**
 * The new form of a pattern after the files that it named were renamed (F-3).
 * @param renames their names then and now
 * @returns undefined where fewer than half of them went the same way
 */
export function heirOfPattern(pattern: string, renames: [old: string, heir: string][]): string | undefined {
  const [, file = pattern, symbol] = SYMBOL.exec(pattern) ?? [];
  const plain = file.replace(/^\//, '').replace(/\/$/, '');
  const fixed = fixedIn(plain);
  const folder = fixed === plain ? plain : fixed.slice(0, fixed.lastIndexOf('/') + 1).replace(/\/$/, '');
  const ways = renames.map(([old, heir]) => {
    if (old === plain) return heir;
    const rest = old.slice(folder.length);
    return heir.endsWith(rest) ? heir.slice(0, -rest.length) + plain.slice(folder.length) : '';
  });
  const [most] = [...Map.groupBy(ways, (way) => way)].sort(([, a], [, b]) => b.length - a.length);
  const isClear = most !== undefined && most[0] !== '' && most[1].length * 2 > renames.length;
  return isClear ? most[0] + (symbol === undefined ? '' : `#${symbol}`) : undefined;
}

/**
 * Finds those of these paths that a pattern names. A change has hundreds of files, and a repository thousands (F-5): most never
 * meet a rule.
 */
export function namedAmong(paths: string[]): (pattern: string) => string[] {
  const sorted = [...new Set(paths)].sort();
  const beginning = (begin: string) => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle] as string) < begin) from = middle + 1;
      else to = middle;
    }
    while (sorted[to]?.startsWith(begin)) to += 1;
    return sorted.slice(from, to);
  };
  return (pattern) => {
    const file = SYMBOL.exec(pattern)?.[1] ?? pattern;
    const literals = file.split(/[*?[\]]+/).map((each) => each.replace(/^\//, ''));
    // A pattern without a slash in it names files in any folder.
    const begin = file.slice(0, -1).includes('/') ? (literals[0] ?? '') : '';
    const last = literals.at(-1) ?? '';
    const plain = file.replace(/^\//, '');
    const possible = (begin === '' ? sorted : beginning(begin)).filter((path) => path.includes(last));
    // A pattern that came in unchecked is not tried: it may take for ever (Z-6).
    if (possible.length === 0 || problemOfPlaces(pattern) !== undefined) return [];
    // Most name one file, or all of a folder: no rule is made for these.
    const isFixed = begin !== '' && !/[*?[\]\\!#]/.test(file.replace(/\/\*\*$/, ''));
    const rule = isFixed ? undefined : ignore({ ignorecase: false, allowRelativePaths: true }).add(file);
    const isNamed = (path: string) =>
      rule ? rule.ignores(path) : path.startsWith(begin.replace(/\/?$/, '/'));
    return possible.filter((path) => path === plain || path === pattern || isNamed(path));
  };
}

/** The part of a pattern before its first wildcard. */
const fixedIn = (pattern: string): string => /^[^*?[\]]*/.exec(pattern)?.[0] ?? '';
