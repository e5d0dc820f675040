/**
 * Characters that a terminal or an editor obeys instead of showing them: control characters other than tab and line feed,
 * those that override or isolate the direction of what follows, and tags, which are invisible.
 */
const OBEYED = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** Text that a terminal shows and does not obey, for saved and given texts: such characters are shown as escapes. */
export function visible(text: string): string {
  return text.replace(OBEYED, (character) =>
    character === '\t' || character === '\n' ? character : escaped(character),
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
  return json.replace(OBEYED, (character) => {
    if (character === '\n') return character;
    return Array.from({ length: character.length }, (_, at) => hexadecimal(character.charCodeAt(at))).join(
      '',
    );
  });
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : hexadecimal(code);
}

function hexadecimal(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
