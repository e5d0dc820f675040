/** Replaces private text. */
export const REDACTED = '[REDACTED]';

/**
 * An opening or closing tag. A value in quotes may hold angle brackets where a tag is opened; a closing tag has no values,
 * and must not hide an opening one after a quote. `<private-subnet>` is another word.
 */
const TAG = /<\s*(?:(\/)\s*private(?![\w-])[^<>]*|private(?![\w-])(?:"[^"]*"|'[^']*'|[^<>])*)>?/gi;
const CLOSING = /<\s*\/\s*private(?![\w-])/gi;
/**
 * Written as it should be, with attributes or without. A quote that is not closed is a letter; each is read in one way only,
 * since a pattern that tries two takes for ever on sixty of them.
 */
const PROPER = /^<\s*private(?:\s+[\w:-]+\s*=(?:"[^"]*"|'[^']*'|"(?![^"]*")|'(?![^']*')|[^<>"'])*|\s*)>$/i;
/** Part of every text that has a tag: without it, no other pattern is made. */
const LIKELY = /[pP][rR][iI][vV][aA][tT][eE]/;
const DEEPEST = 100;

/**
 * Replaces every `<private>…</private>` by `[REDACTED]` (D-16). Nested tags end with the outermost one. A tag that is
 * never closed hides everything after it, since a leak cannot be undone. A misspelt tag, such as `<private key>` or
 * one without its `>`, counts when a closing tag follows.
 */
export function redact(text: string): string {
  return LIKELY.test(text) ? redactFrom(text, 0).text : text;
}

/** {@link redact} for a text that begins inside so many tags. @returns also how many are open at its end */
function redactFrom(text: string, open: number): { text: string; open: number } {
  let result = open > 0 ? REDACTED : '';
  let copied = 0;
  let depth = open;
  const lastClosing = [...text.matchAll(CLOSING)].at(-1)?.index ?? -1;
  for (const tag of text.matchAll(TAG)) {
    const closing = tag[1] === '/';
    if (!closing && !PROPER.test(tag[0]) && tag.index > lastClosing) continue;
    if (!closing && depth++ === 0) {
      result += text.slice(copied, tag.index) + REDACTED;
    } else if (closing && depth > 0 && --depth === 0) {
      copied = tag.index + tag[0].length;
    }
  }
  return { text: depth > 0 ? result : result + text.slice(copied), open: depth };
}

/**
 * {@link redact} for every string and key inside JSON; other values stay as they are. Values that are deeper than the
 * input of any operation are dropped, so that the operation refuses the input.
 */
export function redactDeep(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return redactList(value, depth);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redact(key), redactDeep(inner, depth + 1)]),
  );
}

/** A tag that is opened in one text of a list may be closed in a later one. */
function redactList(list: unknown[], depth: number): unknown[] {
  const lastClosing = list.findLastIndex((each) => typeof each === 'string' && each.search(CLOSING) !== -1);
  let open = 0;
  return list.map((each, at) => {
    if (typeof each !== 'string') return redactDeep(each, depth + 1);
    const redacted = redactFrom(each, open);
    open = at < lastClosing ? redacted.open : 0;
    return redacted.text;
  });
}
