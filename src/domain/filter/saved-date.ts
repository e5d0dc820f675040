import { invalid } from '../error.ts';
import { iso } from '../text/moment.ts';
import { requireTime } from './moment.ts';

/** Characters of a date that somebody names. */
export const DATE_LENGTH = 40;

/**
 * The moment that is meant by the date of a save (U-7), in milliseconds UTC: of a day, a month or a year its first.
 * @param now milliseconds UTC
 * @throws PrecedentError `invalid` for a text that names no time, and for one that is yet to come
 */
export function savedAt(date: string, now: number): number {
  const { from } = requireTime('date', date, now);
  if (from <= now) return from;
  throw invalid.wrong_time(`Expected "date" not in the future, found "${date}" (${iso(from)}).`);
}

/**
 * @param what it follows, such as `version 2`
 * @throws PrecedentError `invalid` for what would come before the one that it follows
 */
export function requireAfter(at: number, earliest: number, what: string): void {
  if (at >= earliest) return;
  throw invalid.wrong_time(
    `Expected "date" not before ${what} (${iso(earliest)}), found ${iso(at)}. Give the moment, or enter the earlier one first.`,
  );
}
