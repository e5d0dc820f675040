import { nounOf } from '../language/particle.ts';
import { remembering } from '../language/remembering.ts';

/**
 * A name as texts are compared by it: in lower case, its words with one blank between them. With a capital where only that
 * tells it from a word (`Spark`), `pkg:` before it where only an import or an install does (`pkg:moment`).
 */
export type Key = string;

/** Text longer than this is data or a whole program; a name that counts comes earlier. */
export const LOOKED_AT = 20_000;
/** Texts written without a blank: a word, a path, a call, an option of a command; Hangul apart. */
const PIECE = /-{0,2}[@#]?[\w\u00c0-\u024f][\w\u00c0-\u024f.@/:+#'$-]*(?:\(\)?)?|[가-힣]+|\*(?=\s)/g;
/** Prefixes that a browser's script may write before any of its names. */
const GLOBAL = /^(?:window|globalthis|self)\./;
const CALL = /\(\)?$/;
const AFTER = /[.:/'+#$@-]+$/;
/** Longer pieces are data. */
const LONGEST_PIECE = 100;
/** Words that a name has at most. */
export const MOST_WORDS = 3;

/** Every key that a name in this text may have. @param limit characters of it that are read */
export function keysOf(text: string, limit = LOOKED_AT): Set<Key> {
  const keys = new Set<Key>();
  let before: string[] = [];
  let end = 0;
  for (const { 0: piece, index } of text.slice(0, limit).matchAll(PIECE)) {
    const isNext = text.slice(end, index).trim() === '';
    end = index + piece.length;
    if (piece >= '가' && piece <= '힣') {
      keys.add(piece).add(nounIn(piece));
      continue;
    }
    if (piece.length > LONGEST_PIECE) continue;
    const { parts, word } = partsOf(piece);
    for (const part of parts) keys.add(part);
    // Options may come anywhere between a program and its verb.
    if (word.startsWith('-') && isNext) continue;
    before = isNext ? [...before.slice(1 - MOST_WORDS), word] : [word];
    for (let from = 0; from < before.length - 1; from++) keys.add(before.slice(from).join(' '));
    end -= AFTER.exec(piece)?.[0].length ?? 0;
  }
  return keys;
}

const nounIn = remembering((word: string) => nounOf(word) ?? word);

/** A piece, whole and in what it is made of: `h.kafka.WriteMessages` holds kafka, `PrismaClient` Prisma. */
const partsOf = remembering((piece: string): { parts: Key[]; word: string } => {
  const bare = piece.replace(CALL, '').replace(AFTER, '');
  const word = bare.toLowerCase();
  const whole = word.replace(GLOBAL, '');
  const parts = new Set([whole]);
  if (CALL.test(piece)) parts.add(`${whole}()`);
  if (bare.includes('-') && !bare.startsWith('-')) parts.add(whole.replaceAll('-', ' '));
  for (const part of bare.split(/[./:@#+'-]+/)) {
    const words = [part, ...(part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [])];
    for (const each of words.filter(({ length }) => length > 2)) {
      parts.add(each.toLowerCase());
      if (/^[A-Z][a-z]/.test(each)) parts.add(each);
    }
  }
  return { parts: [...parts], word };
});
