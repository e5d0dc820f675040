import { type Frequencies, information } from './similarity.ts';
import { SHARES, SHORT } from './weights.ts';

/** A record that answers a question, before its context counts. */
export interface Answer {
  seq: number;
  /** The session that it was saved in, as a number. */
  session: number;
  /** Its score without context. */
  own: number;
  /** The terms of the question that it has. */
  matched: ReadonlySet<string>;
  /** How many words it has. */
  words: number;
}

/** The record that gains (`to`) and the one it gains from, by `seq`. */
export interface Pair {
  to: number;
  from: number;
}

/** The records around the best answers: pairs whose `from` is one of those answers. */
export type Surroundings = Record<'next' | 'second' | 'related', Pair[]>;

/**
 * Adds to each answer's own score its shares of the scores around it and of its session's: records about one matter
 * lift each other, and a long one, which speaks for itself, gains less.
 * @returns scores by `seq`, rounded to 9 digits so that every engine agrees
 */
export function scoresInContext(
  answers: Answer[],
  around: Surroundings,
  frequencies: Frequencies,
): Map<number, number> {
  const own = new Map(answers.map(({ seq, own }) => [seq, own]));
  const scores = new Map(own);
  const gains = new Map(answers.map(({ seq, words }) => [seq, Math.min(1, SHORT / words)]));
  for (const kind of ['next', 'second', 'related'] as const) {
    for (const { to, from } of around[kind]) {
      const known = scores.get(to);
      if (known !== undefined)
        scores.set(to, known + SHARES[kind] * (own.get(from) ?? 0) * (gains.get(to) ?? 1));
    }
  }
  const best = greatest(scores.values());
  const sessions = sessionShares(answers, frequencies);
  return new Map(
    answers.map(({ seq, session }) => {
      const score = (scores.get(seq) ?? 0) + best * (sessions.get(session) ?? 0);
      return [seq, rounded(score)];
    }),
  );
}

/** How much of the question each session answers with all its records, relative to the best session. */
function sessionShares(answers: Answer[], frequencies: Frequencies): Map<number, number> {
  const terms = new Map<number, Set<string>>();
  for (const { session, matched } of answers) {
    const known = terms.get(session) ?? new Set();
    for (const term of matched) known.add(term);
    terms.set(session, known);
  }
  const masses = new Map(
    [...terms].map(([session, matched]) => [
      session,
      [...matched].reduce((sum, term) => sum + information(term, frequencies), 0),
    ]),
  );
  const best = greatest(masses.values());
  return new Map(
    [...masses].map(([session, mass]) => [session, best > 0 ? (SHARES.session * mass) / best : 0]),
  );
}

/** To 9 digits, on which every engine agrees. */
export function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}

/** The greatest of numbers that are not negative. Math.max(...numbers) overflows the stack with 100,000 of them. */
function greatest(numbers: Iterable<number>): number {
  let most = 0;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}
