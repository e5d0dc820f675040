import { scoresInContext } from '../../domain/ranking/context.ts';
import { similarity } from '../../domain/ranking/similarity.ts';
import { ENOUGH, GROWTH, WINDOW } from '../../domain/ranking/weights.ts';
import type { Tx } from '../tx.ts';
import { bestFirst, bestHits, type Eligible, type Hit, type Relevant, withEvidence } from './hits.ts';
import { byMeaning, withMeaning } from './meaning.ts';
import { neighboursOf, surroundings } from './neighbours.ts';
import type { Question } from './question.ts';

/**
 * The records that answer a question, best first, the newer first when equal. The hundred best hits of BM25, and what
 * stands around them and has a word of the question, are ranked anew: by the share of the question that each answers,
 * and by its context. A decision also answers with the words of its evidence. When the filter leaves too few of them,
 * the best of those that pass join in. When the question has a meaning, the order by meaning is joined to that, and
 * similarity is the cosine.
 * @param answers makes answers of records, several of which may belong to one
 * @param wanted how many answers are asked for
 * @returns `isAll` when no record that passes was left out
 */
export async function relevantAnswers<Answer>(
  tx: Tx,
  asked: Question,
  terms: string[],
  eligible: Eligible,
  answers: (records: Relevant[]) => Promise<Answer[]>,
  wanted: number,
): Promise<{ answers: Answer[]; isAll: boolean }> {
  const near = tx.meaning ? await byMeaning(tx, tx.meaning, eligible) : [];
  const best = terms.length > 0 ? await bestHits(tx, terms, WINDOW) : [];
  let hits = best;
  let isAll = best.length < WINDOW;
  for (let size = WINDOW; ; size *= GROWTH) {
    const byWords = hits.length > 0 ? await rankHits(tx, asked, terms, hits) : [];
    const records = tx.meaning ? await withMeaning(tx, tx.meaning, byWords, near) : byWords;
    const found = await answers(records);
    if (isAll || found.length >= Math.max(ENOUGH, wanted)) return { answers: found, isAll };
    const passing = await bestHits(tx, terms, size, eligible);
    hits = [...new Map([...best, ...passing].map((hit) => [hit.seq, hit])).values()];
    isAll = passing.length < size;
  }
}

async function rankHits(tx: Tx, asked: Question, terms: string[], found: Hit[]): Promise<Relevant[]> {
  const hits = await withEvidence(tx, found);
  const around = await surroundings(tx, hits);
  const wanted = [...terms, ...asked.missing];
  const answers = [...hits, ...(await neighboursOf(tx, hits, around, terms))].map((hit) => {
    const answered = similarity(wanted, hit.matched, asked.frequencies);
    return { ...hit, similarity: answered, own: hit.score * answered };
  });
  const scores = scoresInContext(answers, around, asked.frequencies);
  return answers
    .map(({ seq, kind, similarity }): Relevant => ({ seq, kind, similarity, score: scores.get(seq) ?? 0 }))
    .sort(bestFirst);
}
