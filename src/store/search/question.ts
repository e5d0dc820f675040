import { queryTerms, wordsOfToken } from '../../domain/language/analysis.ts';
import { ENGLISH_WORDS } from '../../domain/language/english-words.ts';
import { isIn, mistypable, nearTerms } from '../../domain/language/near.ts';
import { GENERIC_WORDS } from '../../domain/prompt/generic-words.ts';
import { ORDINARY_WORDS } from '../../domain/prompt/ordinary-words.ts';
import { type Frequencies, rarestTerms, shareAnswered } from '../../domain/ranking/similarity.ts';
import { FOUND_TERMS, MISTYPED, QUERY_TERMS } from '../../domain/ranking/weights.ts';
import { Pauses, STRETCH, stretchesOf } from '../pauses.ts';
import type { Tx } from '../tx.ts';
import type { Eligible } from './hits.ts';

/** A question as the text index is asked. */
export interface Question {
  /** What was asked, as it was given. */
  text: string;
  /** Its terms that are looked for: the rarest that records have, the rarest first. */
  found: string[];
  /** Terms that no record has, at most as many: the part of the question that no record can answer. */
  missing: string[];
  frequencies: Frequencies;
  /** The words that were taken for typing errors, each with what was looked for in its place, too (T-8). */
  readAs: ReadonlyMap<string, string>;
  /** It has text, but no record has any of its terms. */
  findsNothing: boolean;
}

/**
 * Reads a question. All of its terms are counted; what is done with each text afterwards is done for a few of them, however
 * long the question is (Z-5).
 *
 * What a mistyped word may have meant is looked for, too; the word itself stays among the missing. So a record that has
 * the near word answers half of it at most (T-8).
 * @param asGiven whether a word that no record has is left as it is, not taken for a typing error
 */
export async function readQuestion(tx: Tx, query: string | undefined, asGiven = false): Promise<Question> {
  const text = query?.trim() ?? '';
  const given = queryTerms(text);
  const counted = await tx.text.frequencies(tx.db, given);
  const unknown = given.filter((term) => (counted.of.get(term) ?? 0) === 0);
  const near = asGiven ? NONE_NEAR : await nearOf(tx, text, new Set(unknown));
  const frequencies = { ...counted, of: new Map([...counted.of, ...near.of]) };
  const found = rarestTerms([...new Set([...given, ...near.of.keys()])], frequencies, FOUND_TERMS);
  const missing = unknown.slice(0, QUERY_TERMS);
  return {
    text,
    found,
    missing,
    frequencies,
    readAs: near.readAs,
    findsNothing: text !== '' && found.length === 0,
  };
}

/** What mistyped words may have meant: how many records have each term, and the words by what was typed. */
type Near = Pick<Frequencies, 'of'> & Pick<Question, 'readAs'>;
const NONE_NEAR: Near = { of: new Map(), readAs: new Map() };

/** Words that are no typing errors, whether a record has them or not. */
const ORDINARY = [ENGLISH_WORDS, ORDINARY_WORDS, GENERIC_WORDS];

/**
 * What the long words of a text may have been meant for whose terms no record has: each the most frequent term that is one
 * typing error away. The variants are looked up, so that it costs no more in a large memory.
 */
async function nearOf(tx: Tx, text: string, unknown: ReadonlySet<string>): Promise<Near> {
  const words = mistypable(text).filter((each) => unknown.has(each.term) && !isIn(ORDINARY, each));
  if (words.length === 0) return NONE_NEAR;
  const asked = words.slice(0, MISTYPED).map(({ word }) => ({ word, near: nearTerms(word) }));
  const variants = new Set(asked.flatMap(({ near }) => [...near.keys()]));
  const frequencies = await tx.text.frequencies(tx.db, [...variants]);
  const [of, readAs] = [new Map<string, number>(), new Map<string, string>()];
  for (const { word, near } of asked) {
    const commonest = rarestTerms([...near.keys()], frequencies, near.size).at(-1);
    if (commonest === undefined) continue;
    of.set(commonest, frequencies.of.get(commonest) ?? 0);
    readAs.set(word, near.get(commonest) ?? commonest);
  }
  return { of, readAs };
}

/**
 * The question with the terms to look for, a batch at a time: the rarest, then, when those find nothing because they stand only
 * in records of another kind, the rarest that can find something. A question without text has one empty batch, which lists
 * the newest.
 */
export async function* batchesOf(tx: Tx, asked: Question, eligible: Eligible): AsyncGenerator<Question> {
  yield { ...asked, found: asked.found.slice(0, QUERY_TERMS) };
  const rest = asked.found.slice(QUERY_TERMS);
  const pauses = new Pauses();
  for (const some of stretchesOf(rest, (term) => LOOKED_UP * (asked.frequencies.of.get(term) ?? 0))) {
    await pauses.before(STRETCH.rows, 0);
    const first = await tx.text.firstIn(tx.db, some, eligible);
    if (first === undefined) continue;
    const from = rest.indexOf(first);
    const start = from - (from % QUERY_TERMS);
    yield { ...asked, found: rest.slice(start, start + QUERY_TERMS) };
    return;
  }
}
/** Characters of a text that are read in the time in which a record is looked up. */
const LOOKED_UP = 8;

/** The share of the question that each of a few documents answers, by `seq`. */
export async function similaritiesOf(
  tx: Tx,
  seqs: number[],
  { found, missing, frequencies }: Question,
): Promise<Map<number, number>> {
  const matched = await tx.text.termsIn(tx.db, seqs, found);
  const wanted = [...found, ...missing];
  return new Map(
    seqs.map((seq) => [seq, shareAnswered(wanted, matched.get(seq) ?? new Set(), frequencies, wordsOfToken)]),
  );
}
