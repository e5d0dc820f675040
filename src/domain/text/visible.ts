import { PLAIN } from './plain.ts';

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Marks of a direction: next to letters from right to left they do no more than such a letter does. */
const MARKS = /[\u061c\u200e\u200f]/;
/**
 * Characters that a terminal or an editor obeys instead of showing them: control characters other than tab and line feed,
 * other ends of lines, those that override or isolate the direction of what follows, and invisible ones that can hide a
 * text: tags, and variation selectors that follow no emoji and no letter which has variants.
 */
const OBEYED =
  /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<![\p{Emoji}\p{Script=Han}\p{Script=Mongolian}])\p{Variation_Selector}/gu;

/** Text that a terminal shows and does not obey, for saved and given texts: such characters are shown as escapes. */
export function visible(text: string): string {
  return replaced(text, escaped);
}

function replaced(text: string, shown: (character: string) => string): string {
  if (PLAIN.test(text) && !text.includes('\r')) return text;
  const isMarked = RIGHT_TO_LEFT.test(text);
  return text.replace(OBEYED, (character) =>
    character === '\t' || character === '\n' || (isMarked && MARKS.test(character))
      ? character
      : shown(character),
  );
}

/** The beginning of a text in one line, for a message: what is left out is an ellipsis. @param limit in characters */
export function excerptOf(text: string, limit: number): string {
  const start = [...text.slice(0, 2 * limit)].slice(0, limit).join('');
  return visible(start.replace(/[\t\n]/g, ' ')) + (start.length < text.length ? '…' : '');
}

/**
 * The text of a JSON value, with the same meaning and nothing in it that a terminal obeys. (JSON escapes only characters
 * below U+0020 by itself.)
 */
export function visibleJson(json: string): string {
  return replaced(json, (character) =>
    Array.from({ length: character.length }, (_, at) => hexadecimal(character.charCodeAt(at))).join(''),
  );
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : hexadecimal(code);
}

function hexadecimal(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
