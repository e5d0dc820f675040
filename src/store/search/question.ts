import { seqsOf } from '../../domain/id.ts';
import { analyse, isSyllabic, queryTerms, wordsOfToken } from '../../domain/language/analysis.ts';
import { type Frequencies, rarestTerms, type Stead, shareAnswered } from '../../domain/ranking/similarity.ts';
import { FOUND_TERMS, MISTYPED, OTHER_WORDS, QUERY_TERMS, SELDOM } from '../../domain/ranking/weights.ts';
import { Pauses, STRETCH, stretchesOf } from '../pauses.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';
import type { Eligible } from './hits.ts';

/** A question as the text index is asked. */
export interface Question {
  /** The question as it was given. */
  text: string;
  /** Its own terms. */
  given: ReadonlySet<string>;
  /** The terms that are looked for: the rarest that records have, the rarest first. */
  found: string[];
  /** Terms that no record has, at most as many: the part of the question that no record can answer. */
  missing: string[];
  frequencies: Frequencies;
  /** Terms that were searched for instead of words that no record has. */
  instead: Stead[];
  /** The same as words: of other names and of typing errors (T-8). */
  readAs: ReadonlyMap<string, string>;
  /** It has text, but no record has any of its terms. */
  findsNothing: boolean;
}

/**
 * Reads a question. All of its terms are counted; later work on texts uses only a few of them, however long the question
 * is (Z-5).
 *
 * If hardly any record has a word, its other names are looked for, too, and the word that a mistyped one may have
 * meant; the word itself stays among the missing. So a record that has another word answers half of it (T-8).
 * @param asGiven whether a word that no record has is left as it is
 */
export async function readQuestion(tx: Tx, query: string | undefined, asGiven = false): Promise<Question> {
  const text = query?.trim() ?? '';
  const given = queryTerms(text);
  const counted = await tx.text.frequencies(tx.db, given);
  const unknown = new Set(given.filter((term) => (counted.of.get(term) ?? 0) === 0));
  const other = asGiven ? NO_OTHER : await otherOf(tx, text, counted, unknown);
  const frequencies = { ...counted, of: new Map([...counted.of, ...other.of]) };
  const isThere = (term: string) => !other.absent.has(term);
  const found = rarestTerms(
    [...new Set([...given.filter(isThere), ...other.of.keys()])],
    frequencies,
    FOUND_TERMS,
  );
  // Of a script that no record has, the words of the tables alone say what is asked: its verbs and particles are in none.
  const isForeign = given.every((term) => !isSyllabic(term) || unknown.has(term));
  const missing = given
    .filter((term) => unknown.has(term) || !isThere(term))
    .filter((term) => !(isForeign && isSyllabic(term)) || other.inTables.has(term))
    .slice(0, QUERY_TERMS);
  return {
    text,
    given: new Set(given),
    found,
    missing,
    frequencies,
    instead: other.instead,
    readAs: other.readAs,
    findsNothing: text !== '' && found.length === 0,
  };
}

/** Terms that are looked for instead of some words, and how many records have each. */
interface Other {
  of: Map<string, number>;
  instead: Stead[];
  readAs: Map<string, string>;
  /** The terms of words that the tables have, whether any record has one of the others or not. */
  inTables: ReadonlySet<string>;
  /** The pairs of those of which no record has one: the others are of other words, as 디스 of 레디스 is of 디스크. */
  absent: ReadonlySet<string>;
}
const NONE: ReadonlySet<string> = new Set();
const NO_OTHER: Other = { of: new Map(), instead: [], readAs: new Map(), inTables: NONE, absent: NONE };

/**
 * Other words for those whose terms hardly any record has: their names in the tables, the surest that records have; or, of a
 * long word that no record has, a frequent word that is one typing error away.
 */
async function otherOf(
  tx: Tx,
  text: string,
  { documents, of: known }: Frequencies,
  unknown: ReadonlySet<string>,
): Promise<Other> {
  const isSeldom = (term: string) =>
    known.has(term) ? (known.get(term) as number) < documents * SELDOM : unknown.has(term);
  if (unknown.size === 0 && ![...known.keys()].some(isSeldom)) return NO_OTHER;
  // Most questions need no table, and hooks never do.
  const { otherWords } = await import('../../domain/language/other-words.ts');
  const { isIn, mistypable, nearWords, wordsIn } = await import('../../domain/language/near.ts');
  const { KNOWN_WORDS } = await import('../../domain/prompt/english-words.ts');
  const named = otherWords(text)
    .filter(({ terms }) => terms.some(isSeldom))
    .slice(0, QUERY_TERMS)
    .map(({ asked, terms, others }) => ({
      asked,
      terms,
      others: others.map((each) => ({ each, terms: queryTerms(each) })),
    }));
  const inTables = new Set(named.flatMap(({ terms }) => terms));
  const absent = new Set(
    named.flatMap(({ terms }) => (terms.some((term) => unknown.has(term)) ? terms.filter(isSyllabic) : [])),
  );
  const mistyped = mistypable(text)
    .filter((each) => unknown.has(each.term) && !inTables.has(each.term) && !isIn(KNOWN_WORDS, each))
    .slice(0, MISTYPED)
    .map(({ word, term }) => {
      const near = nearWords(word);
      return { word, term, near, terms: [...new Set([...near].flatMap((each) => analyse(each)[0] ?? []))] };
    });
  const wanted = new Set([
    ...named.flatMap(({ others }) => others.flatMap(({ terms }) => terms)),
    ...mistyped.flatMap(({ terms }) => terms),
  ]);
  if (wanted.size === 0) return { ...NO_OTHER, inTables, absent };
  const frequencies = await tx.text.frequencies(tx.db, [...wanted]);
  const found: Other = { of: new Map(), instead: [], readAs: new Map(), inTables, absent };
  const add = (asked: string, missing: string[], by: { each: string; terms: string[] }[]) => {
    for (const term of by.flatMap(({ terms }) => terms)) found.of.set(term, frequencies.of.get(term) ?? 0);
    found.instead.push({ missing, by: by.map(({ terms }) => terms) });
    found.readAs.set(asked, by.map(({ each }) => each).join(', '));
  };
  for (const { asked, terms, others } of named) {
    const has = others.filter(({ terms }) => terms.every((term) => (frequencies.of.get(term) ?? 0) > 0));
    if (has.length > 0)
      add(
        asked,
        terms.filter((term) => unknown.has(term) || absent.has(term)),
        has.slice(0, OTHER_WORDS),
      );
  }
  const commonest = mistyped.flatMap(({ terms }) =>
    rarestTerms(terms, frequencies, terms.length).slice(-NEAR.terms),
  );
  const words = await newestWordsWith(tx, [...new Set(commonest)], wordsIn);
  for (const { word, term, near } of mistyped) {
    const each = words.find((known) => near.has(known));
    if (each !== undefined) add(word, [term], [{ each, terms: queryTerms(each) }]);
  }
  return found;
}

/** The commonest terms of near words that are looked at for each word, and the newest records that are read for all of them. */
const NEAR = { terms: 3, records: 12 };

/** The words of the newest records that have one of these terms: what only has the stem of one is no word. */
async function newestWordsWith(tx: Tx, terms: string[], wordsIn: (text: string) => string[]) {
  if (terms.length === 0) return [];
  const records = await query<{ seq: number }>(tx)`
    select seq from (${tx.text.matching(terms)}) as hits order by seq desc limit ${NEAR.records}`;
  const documents = await everyDocument(tx, seqsOf(records));
  const pauses = new Pauses();
  const words = new Set<string>();
  for (const { title, body } of documents.reverse()) {
    await pauses.before(1, title.length + body.length);
    for (const word of wordsIn(`${title} ${body}`)) words.add(word);
  }
  return [...words];
}

/**
 * The question with the terms to look for, a batch at a time: the rarest, then, when those find nothing because they are only
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
export async function similaritiesOf(tx: Tx, seqs: number[], asked: Question): Promise<Map<number, number>> {
  const matched = await tx.text.termsIn(tx.db, seqs, asked.found);
  const answeredBy = answering(asked);
  return new Map(seqs.map((seq) => [seq, answeredBy(matched.get(seq) ?? new Set())]));
}

/** How many words a question has. */
export function wordsOf(asked: Question): number {
  return ownTerms(asked).reduce((sum, term) => sum + wordsOfToken(term), 0);
}

/** The largest share of a question that is written in one script. */
export function inOneScript(asked: Question): number {
  const answeredBy = answering(asked);
  const shareIn = (is: boolean) =>
    answeredBy(new Set([...asked.found, ...asked.missing].filter((term) => isSyllabic(term) === is)));
  return Math.max(shareIn(true), shareIn(false));
}

/** @returns the share of a question that a record answers which has these of its terms */
export function answering(asked: Question) {
  const { instead, frequencies } = asked;
  const terms = ownTerms(asked);
  return (matched: ReadonlySet<string>): number =>
    shareAnswered({ terms, instead }, matched, frequencies, wordsOfToken);
}

const ownTerms = ({ given, found, missing }: Question) => [
  ...found.filter((term) => given.has(term)),
  ...missing,
];
