import { type Surroundings, scoresInContext } from '../../domain/ranking/context.ts';
import { similarity } from '../../domain/ranking/similarity.ts';
import type { Stretch } from '../../domain/ranking/stretch.ts';
import { ENOUGH, GROWTH, WINDOW } from '../../domain/ranking/weights.ts';
import type { Tx } from '../tx.ts';
import { bestFirst, bestHits, type Eligible, type Hit, type Relevant, withEvidence } from './hits.ts';
import { byMeaning, withMeaning } from './meaning.ts';
import { neighboursOf, surroundings } from './neighbours.ts';
import type { Question } from './question.ts';
import { stretchesOf } from './stretches.ts';

/** A search as the ranking needs it. */
export interface Search {
  asked: Question;
  eligible: Eligible;
  /** How many answers are asked for. */
  wanted: number;
  /** Whether each record is ranked by what it says itself, which costs half: without what is around it. */
  isAlone?: boolean | undefined;
}

/**
 * Ranks the records that answer a question, the newer first when equal.
 *
 * 1. The best hits of BM25 (`WINDOW`) are read; a decision answers with the words of its evidence, too.
 * 2. Records around them that have a word of the question join in.
 * 3. Each scores by BM25, times the share of the question that its best stretch answers, and by its context.
 * 4. When the question has a meaning, what is nearest to it gains by that, and similarity is the cosine.
 *
 * While too few answers pass the filter, more hits that pass it join in (`GROWTH`). Once there are `ENOUGH`, they keep
 * their places, and what more hits bring comes after them: so pages of any size agree on one order (W-6).
 * @param group makes answers of records, and several may belong to one answer; `key` identifies an answer
 * @returns `isAll` when no record that passes was left out
 */
export async function rankAnswers<Answer extends { key: string | number }>(
  tx: Tx,
  { asked, eligible, wanted, isAlone = false }: Search,
  group: (records: Relevant[]) => Promise<Answer[]>,
): Promise<{ answers: Answer[]; isAll: boolean }> {
  const { found: terms } = asked;
  const near = tx.meaning ? await byMeaning(tx, tx.meaning, eligible) : [];
  const best = terms.length > 0 ? await bestHits(tx, terms, WINDOW) : [];
  let hits = best;
  let isAll = best.length < WINDOW;
  let answers: Answer[] = [];
  for (let size = WINDOW; ; size *= GROWTH) {
    const byWords = hits.length > 0 ? await rankHits(tx, { asked, isAlone }, hits) : [];
    const records = tx.meaning ? await withMeaning(tx, tx.meaning, byWords, near) : byWords;
    const settled = answers.length < ENOUGH ? [] : answers;
    answers = joined(settled, await group(records));
    if (isAll || answers.length >= Math.max(ENOUGH, wanted)) return { answers, isAll };
    const passing = await bestHits(tx, terms, size, eligible);
    hits = [...new Map([...best, ...passing].map((hit) => [hit.seq, hit])).values()];
    isAll = passing.length < size;
  }
}

/** The answers that are settled, then the others. */
function joined<Answer extends { key: string | number }>(settled: Answer[], found: Answer[]): Answer[] {
  const known = new Set(settled.map(({ key }) => key));
  return [...settled, ...found.filter(({ key }) => !known.has(key))];
}

async function rankHits(
  tx: Tx,
  { asked, isAlone }: Pick<Search, 'asked' | 'isAlone'>,
  found: Hit[],
): Promise<Relevant[]> {
  const { found: terms } = asked;
  const hits = await withEvidence(tx, found);
  const around = isAlone ? ALONE : await surroundings(tx, hits);
  const wanted = [...terms, ...asked.missing];
  const all = [...hits, ...(await neighboursOf(tx, hits, around, terms, asked.frequencies))];
  const read = [...new Set(all.flatMap(({ seq, sources }) => [seq, ...sources]))];
  const known = new Map(found.flatMap(({ text }) => (text ? [[text.seq, text]] : [])));
  const stretches = await stretchesOf(tx, read, terms, asked.frequencies, known);
  const answers = all.map((hit) => {
    const within = withinAny(hit.sources, stretches);
    return {
      ...hit,
      similarity: similarity(wanted, hit.matched, asked.frequencies),
      own: hit.score * similarity(wanted, within, asked.frequencies),
      words: stretches.get(hit.seq)?.words ?? 0,
    };
  });
  const scores = scoresInContext(answers, around, asked.frequencies);
  return answers
    .map(({ seq, kind, similarity }): Relevant => ({ seq, kind, similarity, score: scores.get(seq) ?? 0 }))
    .sort(bestFirst);
}

/** The terms in the best stretches of these documents; most records have one. */
function withinAny(seqs: number[], stretches: Map<number, Stretch>): ReadonlySet<string> {
  const [first = NOTHING, ...others] = seqs.map((seq) => stretches.get(seq)?.within ?? NOTHING);
  return others.length === 0 ? first : new Set([first, ...others].flatMap((within) => [...within]));
}

const NOTHING: ReadonlySet<string> = new Set();
const ALONE: Surroundings = { next: [], second: [], related: [] };
