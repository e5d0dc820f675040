import { ANSWERED, BEST, FEW_SHOWN, NEAREST_NAMED, SHORTEST, TELLING } from './weights.ts';

/** The values that decide whether an answer is worth reading. */
export interface Ranked {
  score: number;
  /** The share of the question that it has. */
  similarity: number;
}

/**
 * Whether the first of the answers, best first, say enough of what was asked to be an answer (T-9).
 * @param words how many the question has: more of a long one are only how it is asked
 * @param inOneScript the largest share of it, 0 to 1, that is written in one script: what was asked in two languages at
 *   once has only one of them in a record
 */
export function isAnswered(
  answers: readonly Pick<Ranked, 'similarity'>[],
  words: number,
  inOneScript: number,
): boolean {
  const least = ANSWERED * inOneScript * Math.sqrt(Math.sqrt(SHORTEST / Math.max(SHORTEST, words)));
  return answers.slice(0, BEST).some(({ similarity }) => similarity >= least);
}

/**
 * How many of the answers, best first, are worth reading: a few, and of those that answer the question as many more as have
 * enough of the best one's score; where none answers it, as many as are given by name (RE-7, RE-8).
 * @param isAnswered {@link isAnswered}
 */
export function worthReading(answers: readonly Ranked[], isAnswered: boolean): number {
  const least = TELLING * (answers[0]?.score ?? 0);
  const telling = isAnswered ? answers.filter(({ score }) => score >= least).length : NEAREST_NAMED;
  return Math.min(answers.length, Math.max(FEW_SHOWN, telling));
}
