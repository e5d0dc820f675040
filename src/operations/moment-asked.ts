import { invalid } from '../domain/error.ts';
import { requireTime } from '../domain/filter/moment.ts';

/**
 * The moment that a question is about, when it names one in `as_of` or `asOf` (U-5): the last of a day, a month or a year.
 * @param clock asked when a moment is named, in milliseconds UTC
 * @returns milliseconds UTC, never later than now
 * @throws PrecedentError `invalid` for what is no time, or has not begun yet
 */
export function momentAsked(given: Record<string, unknown>, clock: () => number): number | undefined {
  const named = given.as_of ?? given.asOf;
  if (typeof named !== 'string') return undefined;
  const now = clock();
  const { from, to } = requireTime('as_of', named, now);
  if (from > now) throw invalid.wrong_time(`Expected "as_of" as a time that has been, found "${named}".`);
  return Math.min(now, to > from ? to - 1 : to);
}
