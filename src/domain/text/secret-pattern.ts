/** Signs that may precede a secret: no letter and no digit, unless they end an escape of an address, of JSON or of a program. */
export const START = before('[A-Za-z0-9]');
/** {@link START} of a form that is all letters, digits, hyphens and underscores. */
export const START_OF_RUN = before('[A-Za-z0-9_-]');
/**
 * {@link START_OF_RUN} for a pattern that has more beginnings than can be looked for: an escape is part of the match, which is
 * faster.
 */
export const BEGIN_OF_RUN = String.raw`(?:(?<![A-Za-z0-9_-])|%[0-9A-Fa-f]{2}|\\(?:[nrtbf]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}))`;
/** Signs that may not follow. A Korean particle may. */
export const END = '(?![A-Za-z0-9])';
/** {@link END} of a form that is all letters, digits, hyphens and underscores. */
export const END_OF_RUN = '(?![A-Za-z0-9_-])';

/** So many signs of an alphabet, which a terminal or a mail program may have broken over lines. */
export function exactly(alphabet: string, count: number): string {
  return String.raw`(?:${alphabet}(?:\r?\n[ \t]{0,40})?){${count - 1}}${alphabet}`;
}

/** A pattern that is made when it is first needed: most texts need none of them. */
export function form(...parts: string[]): () => RegExp {
  return made(parts, 'g');
}

/** {@link form} in any letter case. */
export function formInAnyCase(...parts: string[]): () => RegExp {
  return made(parts, 'gi');
}

function made(parts: string[], flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(parts.join(''), flags);
    return pattern;
  };
}

function before(signs: string): string {
  return String.raw`(?:(?<!${signs})|(?<=%[0-9A-Fa-f]{2}|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}))`;
}
