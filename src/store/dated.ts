import { requireAfter, savedAt } from '../domain/saved-date.ts';
import type { Tx } from './tx.ts';

/**
 * The transaction in which something is entered as it was (U-7): what is written in it is of that date, and stands behind
 * all that was entered before.
 * @throws PrecedentError `invalid` for a date in the future, or for none
 */
export function dated(tx: Tx, date: string | undefined): Tx {
  return date === undefined ? tx : { ...tx, now: savedAt(date, tx.entered) };
}

/**
 * A date that was given is not before what the save follows. Without one the clock decides: it may have been set back.
 * @param what it follows, such as `version 2`
 * @throws PrecedentError `invalid`
 */
export function requireFollows(tx: Tx, earliest: number, what: string): void {
  if (tx.now !== tx.entered) requireAfter(tx.now, earliest, what);
}
