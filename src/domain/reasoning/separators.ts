import { type Pattern, pattern } from '../text/pattern.ts';

/** The sign of a list's item: `-`, `1.`. */
export const BULLET_SIGN = '(?:[-*•+]|\\d+[.)])';
/** The signs between references, and the words: `와` and `vs`, but not the beginning of `와이파이:설정` or `vs-code:theme`. */
export const SEPARATORS = ',;、，/&+|';
export const CONJUNCTION =
  '(?:\\b(?:and|or|vs)\\b\\.?|및|그리고|또는|와|과)(?!(?!decision_|[0-9a-f]{8}-)[\\p{L}\\p{N}:_-])';
/** Blanks that stay on the line. */
export const BLANKS = '[^\\S\\n]*';

/** The text before the first reference of a list: blanks, line breaks, and at most one bullet or conjunction. */
export const START = sticky(`\\s*(?:(?:${BULLET_SIGN}|and|or|vs\\.?)\\s+)?`);
/**
 * The text between two references of a bare list: a particle (`<uuid>도 <uuid>`), a remark in brackets
 * (`decision_a (why), …`), any number of separators and conjunctions (`, and `), or nothing.
 */
export const BETWEEN = sticky(
  `[\\p{Script=Hangul}]{0,3}(?:${BLANKS}\\([^()\\n]*\\))?` +
    `(?:${BLANKS}(?:[${SEPARATORS}]|${CONJUNCTION})\\s*)*${BLANKS}`,
);

/** A pattern that matches at its `lastIndex` alone. */
export function sticky(source: string): Pattern {
  return pattern(source, 'iuy');
}

/** Where a pattern ends that matches at a place of a text. */
export function skip(made: Pattern, text: string, at: number): number | undefined {
  const separator = made(text);
  separator.lastIndex = at;
  return separator.test(text) ? separator.lastIndex : undefined;
}
