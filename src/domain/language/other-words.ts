import { analyse, queryTerms } from './analysis.ts';
import { beginningOf, formOf } from './near.ts';
import { nounOf } from './particle.ts';
import { remembering } from './remembering.ts';
import { HANGUL } from './tables/hangul.ts';
import { KATAKANA } from './tables/katakana.ts';
import { KINDS } from './tables/kinds.ts';
import { SHORT_NAMES } from './tables/short-names.ts';

/** A word or phrase of a question, and what records may call it instead. */
export interface OtherWords {
  /** As the question has it, without particle and ending. */
  asked: string;
  /** Its terms in the index. */
  terms: string[];
  /** Words and phrases that mean the same, the surest first. */
  others: string[];
}

/** Words of a phrase, at most. */
const PHRASE = 3;
/**
 * The words of a question that the tables know by other words, in their order; the longest phrase first, and each word
 * once. One step only: other words for a partner are not looked for.
 */
export function otherWords(text: string): OtherWords[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const found = [...latin(plain), ...hangul(plain), ...kana(plain)];
  return [...new Map(found.map((each) => [each.asked, each])).values()];
}

/** Latin words and phrases, in any form that the index treats as the same. */
function* latin(text: string): Generator<OtherWords> {
  const words = text.match(/[a-z0-9_]+(?:\.[a-z]+)*[+#]*/g) ?? [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string;
    const phrases = [PHRASE, 2, 1].map((length) => words.slice(at, at + length));
    const phrase = phrases.find((each) => tables().has(each.join(' '))) ?? [word];
    const asked = phrase.join(' ');
    const named = tables().has(asked) ? asked : entryLike(word);
    if (named !== undefined) yield entry(named, queryTerms(asked));
    at += phrase.length;
  }
}

/**
 * Hangul: the longest entry that begins a word, then what follows it. Two words may be one entry that is written apart.
 * One of a single syllable is the whole word, with a particle or without.
 */
function* hangul(text: string): Generator<OtherWords> {
  const words = text.match(/[가-힣]+/g) ?? [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const both = longest(word + (words[at + 1] ?? ''));
    if (both !== undefined && both.length > word.length) {
      yield entry(both);
      at++;
      continue;
    }
    const noun = nounOf(word) ?? word;
    if (noun.length === 1) {
      if (tables().has(noun)) yield entry(noun, queryTerms(word));
      continue;
    }
    for (let rest = word; rest.length > 1; ) {
      const key = longest(rest);
      if (key === undefined) break;
      yield entry(key);
      rest = rest.slice(key.length);
    }
  }
}

/** Katakana and Han: the longest entries, wherever they begin; one in Katakana only where a run of it begins. */
function* kana(text: string): Generator<OtherWords> {
  for (const [run] of text.matchAll(/[\u3040-\u30ff\u4e00-\u9fff々]+/g))
    for (let at = 0; at < run.length; ) {
      const isInside = at > 0 && isKatakana(run[at] as string) && isKatakana(run[at - 1] as string);
      const key = isInside ? undefined : longest(run.slice(at));
      if (key !== undefined) yield entry(key);
      at += key?.length ?? 1;
    }
}

const isKatakana = (character: string) => /[\u30a0-\u30ff]/.test(character);

/** The longest entry of two characters or more that a text begins with. */
function longest(text: string): string | undefined {
  for (let length = Math.min(text.length, LONGEST); length > 1; length--)
    if (tables().has(text.slice(0, length))) return text.slice(0, length);
  return undefined;
}
const LONGEST = 16;

const entry = (asked: string, terms: string[] = queryTerms(asked)): OtherWords => ({
  asked,
  terms,
  others: tables().get(asked) ?? [],
});

/** The entry that a word is a form of. */
const entryLike = remembering((word) => formOf({ word, term: analyse(word)[0] ?? '' }, wordsLike(word)));

/** The entries that are not phrases, and begin as a word does: a text has hundreds of words, and the tables thousands. */
function wordsLike(word: string): string[] {
  beginnings ??= Map.groupBy(
    [...tables().keys()].filter((key) => !key.includes(' ')),
    beginningOf,
  );
  return beginnings.get(beginningOf(word)) ?? [];
}

let read: ReadonlyMap<string, string[]> | undefined;
let beginnings: ReadonlyMap<string, string[]> | undefined;

/** Every word and phrase of the tables, with other words for it. Read when the first question has an unknown word. */
function tables(): ReadonlyMap<string, string[]> {
  if (read) return read;
  const found = new Map<string, string[]>();
  const add = (from: string, to: string) => {
    const known = found.get(from);
    if (known) known.push(to);
    else found.set(from, [to]);
  };
  for (const table of [HANGUL, KATAKANA, KINDS, SHORT_NAMES])
    for (const [from, to] of linesOf(table).flatMap(pairsOf)) {
      add(from, to);
      add(to, from);
    }
  read = found;
  return found;
}

const linesOf = (table: string) => table.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

function pairsOf(line: string): [from: string, to: string][] {
  return line.split(' ; ').flatMap((each) => {
    const [from = '', to = ''] = each.split(': ');
    return to.split(', ').map((one): [string, string] => [keyOf(from), keyOf(one)]);
  });
}

/** A hyphen is a space; where words of a script are written without spaces, there is none. */
const keyOf = (word: string) =>
  /[a-z0-9]/.test(word) ? word.replaceAll('-', ' ') : word.replaceAll(' ', '').replace(/ー$/, '');
