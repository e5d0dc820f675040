import { PLAIN } from './plain.ts';

/** What the classes of Unicode hold of plain text, inside brackets. */
const IN_PLAIN_TEXT = {
  '\\p{Script=Hangul}': '가-힣',
  '\\p{L}': 'A-Za-z가-힣',
  '\\p{Lu}': 'A-Z',
  '\\p{Ll}': 'a-z',
  '\\p{Lo}': '가-힣',
  '\\p{Lt}': '',
  '\\p{Lm}': '',
  '\\p{M}': '',
  '\\p{N}': '0-9',
  '\\p{P}\\p{S}': '!-/:-@\\[-`{-~‘’“”–—…·→×',
};

/** A pattern that is made when it is first asked for. @param text the one that it is for, where that is known */
export type Pattern = (text?: string) => RegExp;

/**
 * A pattern that is made when it is first asked for. One with classes of Unicode, or in any letter case, takes a hook up to a
 * millisecond to be made, and most texts need none of them: of plain text, a narrower one says the same.
 * @param source classes of Unicode stand inside brackets
 */
export function pattern(source: string, flags: string): Pattern {
  let forAny: RegExp | undefined;
  let forPlain: RegExp | undefined;
  return (text) => {
    if (text === undefined || !isPlain(text)) {
      forAny ??= new RegExp(source, flags);
      return forAny;
    }
    forPlain ??= new RegExp(narrowed(source), flags.replace('u', ''));
    return forPlain;
  };
}

function narrowed(source: string): string {
  return Object.entries(IN_PLAIN_TEXT).reduce(
    (left, [unicode, plain]) => left.replaceAll(unicode, plain),
    source,
  );
}

/** A long text that was looked at last: one is read by many patterns, at many places. */
let last = { text: '', isPlain: true };
const LONG = 200;

function isPlain(text: string): boolean {
  if (text.length < LONG) return PLAIN.test(text);
  if (text !== last.text) last = { text, isPlain: PLAIN.test(text) };
  return last.isPlain;
}
