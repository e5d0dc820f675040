import { MOST_PLACES, PLACES_LENGTH } from './place.ts';

/** Whether a path is in the repository that a face knows. */
export type IsThere = (path: string) => boolean;

/** Lines of a file, as editors, compilers and forges write them: `:42`, `:42-50`, `:42:7`, `#L10-L20`. */
const LINES = /(?::\d+(?:[-:]\d+)*:?|#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?)$/;
const BULLET = /^\s*(?:[-*+•]|#{1,6}) +(?:\[[ xX]\] +)?/;
const NUMBER = /^\s*(\d{1,2})[.)] +/;
const QUOTED = /^(["'`]+)([^"'`]+)\1$/;
const LINK = /^\[[^\]]*\]\(([^()]+)\)$/;
/** A text that is certainly a path: it ends as one. */
const PATH = /(?:\.\w{1,8}|\/|\*)$/;
const GROUP = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s;

/**
 * Files as a model or a person writes them (TR-4), a pattern a line: a list as JSON text, Markdown, quotes, lines of a file,
 * `@a.ts`, `a.ts,b.ts`, `src/{a,b}.ts`. A name that begins with `./` is taken as it is.
 * @param isThere with it the name of what is there is taken as it is, whatever signs it has
 */
export function placesMeant(written: string, isThere?: IsThere): string {
  // As long a text is refused before it is taken apart (Z-5).
  if (written.length > PLACES_LENGTH) return written;
  const lines = listIn(written) ?? written.split('\n');
  const isNumbered = lines.every(
    (line, at) => line.trim() === '' || NUMBER.exec(line)?.[1] === String(at + 1),
  );
  return lines
    .flatMap((line) => {
      if (isThere?.(line.trim())) return [line.trim()];
      const item = line.replace(BULLET, '');
      return (isNumbered ? item.replace(NUMBER, '') : item).split(/[,;]\s+/);
    })
    .flatMap((each) => meantBy(each, isThere))
    .join('\n');
}

/** {@link placesMeant} of what a face has looked up already: a name with such signs begins with `./`. */
export const asLiteral = (pattern: string): string =>
  pattern.includes('\n') || placesMeant(pattern) === pattern ? pattern : `./${pattern}`;

/** The strings of a list that was written as JSON text; undefined for any other text. */
export function listIn(text: string): string[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

function meantBy(written: string, isThere?: IsThere): string[] {
  const item = written.trim();
  if (item === '' || isThere?.(item)) return [item];
  const bare = item.replace(/[,;]+$/, '').trim();
  const inner = QUOTED.exec(bare)?.[2] ?? LINK.exec(bare)?.[1];
  if (inner !== undefined) return meantBy(inner, isThere);
  if (bare !== item) return meantBy(bare, isThere);
  if (isThere === undefined && item.startsWith('./'))
    return [/\.\w+(?::|#L)[\d:LC#-]+$/.test(item) ? item.replace(LINES, '') : item];
  const parts = item.split(/,(?![^{}]*\})/).map((part) => QUOTED.exec(part.trim())?.[2] ?? part);
  if (parts.length > 1 && parts.every((part) => isThere?.(part) || PATH.test(part.replace(LINES, ''))))
    return parts.flatMap((part) => meantBy(part, isThere));
  const path = item.replace(LINES, '');
  if (isThere !== undefined && /^file:\/\//i.test(path)) return [pathOf(path)];
  const at = /^@([^/].*)$/.exec(path)?.[1];
  const isAt = at !== undefined && (isThere?.(at) || (!at.includes('/') && PATH.test(at)));
  return expanded(isAt ? at : path, isThere);
}

/** The path of an address of a file. */
function pathOf(address: string): string {
  try {
    return decodeURIComponent(address.replace(/^file:\/\/(?:localhost)?/i, '').replace(/^\/(?=[a-z]:)/i, ''));
  } catch {
    return address;
  }
}

/** `src/{a,b}.ts` as two patterns, never more than a decision may have, and one too many. */
function expanded(path: string, isThere?: IsThere): string[] {
  let open = [path];
  while (open.length <= MOST_PLACES) {
    const at = open.findIndex((each) => GROUP.test(each) && !isThere?.(each));
    const [, before = '', inner = '', after = ''] = GROUP.exec(open[at] ?? '') ?? [];
    if (at < 0) break;
    open = open.toSpliced(at, 1, ...inner.split(',').map((each) => before + each.trim() + after));
  }
  return open.slice(0, MOST_PLACES + 1);
}
