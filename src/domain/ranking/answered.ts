import { ANSWERED, BEST, FEW_SHOWN, TELLING } from './weights.ts';

/** What decides whether an answer is worth reading. */
export interface Ranked {
  score: number;
  /** The share of the question that it has. */
  similarity: number;
}

/** Whether the first of the answers, best first, say enough of what was asked to be an answer (T-9). */
export function isAnswered(answers: readonly Ranked[]): boolean {
  return answers.slice(0, BEST).some(({ similarity }) => similarity >= ANSWERED);
}

/**
 * How many of the answers, best first, are worth reading: a few, and of those that answer the question as many more as have
 * enough of the best one's score (T-9).
 */
export function worthReading(answers: readonly Ranked[]): number {
  const least = TELLING * (answers[0]?.score ?? 0);
  const telling = isAnswered(answers) ? answers.filter(({ score }) => score >= least).length : 0;
  return Math.min(answers.length, Math.max(FEW_SHOWN, telling));
}
