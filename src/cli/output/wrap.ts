import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** The blanks with which a broken line begins, after the codes of its colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const BROKEN = /^((?:\u001b\[[0-9;]*m)*) +/;
/** Longer texts are left to the terminal to break: measuring each of their characters takes seconds per megabyte. */
const LONGEST_WRAPPED = 20_000;

/** A text in lines of at most so many columns. */
export function wrap(text: string, indent: string, width: number): string {
  const wrapped =
    text.length > LONGEST_WRAPPED
      ? text
      : text
          .split('\n')
          .map((each) => wrapLine(each, Math.max(20, width - indent.length)))
          .join('\n');
  return wrapped
    .split('\n')
    .map((line) => (indent + line).trimEnd())
    .join('\n');
}

/** A line as it was saved keeps the blanks at its beginning; a line that was broken begins with a word. */
export function wrapLine(text: string, width: number): string {
  const [first = '', ...rest] = wrapAnsi(text, width, { hard: true, trim: false }).split('\n');
  return [first, ...rest.map((line) => line.replace(BROKEN, '$1'))].join('\n');
}

/** A text of at most so many columns; one that is longer ends with "…". */
export function cutToWidth(text: string, columns: number): string {
  if (text.length < columns / 2 || stringWidth(text) <= columns) return text;
  let width = 0;
  let cut = '';
  for (const character of text) {
    width += stringWidth(character);
    if (width > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}
