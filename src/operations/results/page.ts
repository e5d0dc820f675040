import * as z from 'zod';
import { type Place, readCursor, readNameCursor, toCursor, toNameCursor } from '../../domain/cursor.ts';
import { invalid } from '../../domain/error.ts';
import type { Tx } from '../../store/tx.ts';
import { type Block, dim, line } from '../view.ts';

/** In the result of a listing: where its next page begins (W-6). */
export const nextCursor = () =>
  z.string().optional().describe('If there is more: the cursor of the next page');

/** A page that is asked for: where it begins, undefined for the first, and the cursor of a place in the same listing. */
export interface AskedPage {
  from: Place | undefined;
  cursorTo(place: Place): string;
}

/**
 * Reads which page of a listing is asked for. A cursor belongs to its question: to the memory, the operation, and all
 * fields but the limit, which may change from page to page.
 * @throws PrecedentError `invalid` for a cursor that no answer to this question gave
 */
export function askedPage(tx: Tx, operation: string, given: Paged): AskedPage {
  const listing = listingOf(tx, operation, given);
  return {
    from: placeOf(operation, given.cursor, (cursor) => readCursor(listing, cursor)),
    cursorTo: (place) => toCursor(listing, place),
  };
}

/** {@link askedPage} of a listing by name: the page begins after a name. */
export function askedPageOfNames(
  tx: Tx,
  operation: string,
  given: Paged,
): { after: string | undefined; cursorTo(name: string): string } {
  const listing = listingOf(tx, operation, given);
  return {
    after: placeOf(operation, given.cursor, (cursor) => readNameCursor(listing, cursor)),
    cursorTo: (name) => toNameCursor(listing, name),
  };
}

type Paged = { cursor?: string | undefined; limit?: number | undefined };

/** Results of a search at most, where it was not said how many: three whole ones and as many names as have room (RE-7). */
const USUAL = 33;

/** How much a search gives: all that is asked for, or at most `USUAL` that are worth reading (T-9). */
export const pageAsked = (limit: number | undefined) => ({
  limit: limit ?? USUAL,
  isBrief: limit === undefined,
});

function listingOf(tx: Tx, operation: string, { cursor: _, limit: __, ...question }: Paged): string {
  return JSON.stringify([tx.workspace, operation, question]);
}

function placeOf<Found>(
  operation: string,
  cursor: string | undefined,
  read: (cursor: string) => Found | undefined,
): Found | undefined {
  if (cursor === undefined) return undefined;
  const found = read(cursor);
  if (found !== undefined) return found;
  throw invalid.wrong_form(
    `${operation}: Expected "cursor" from an answer to the same question, found "${cursor}". Give the cursor of the previous answer and leave the other fields unchanged, or leave "cursor" out for the first page.`,
  );
}

/** How a person gets the next page; nothing on the last. */
export const moreWith = (cursor: string | undefined): Block[] =>
  cursor === undefined ? [] : [line(dim(`more: --cursor ${cursor}`))];

/** How much of a listing is shown; nothing when it is all. */
export const shownOf = (shown: number, total: number, cursor: string | undefined): Block[] => [
  ...(shown < total ? [line(dim(`${shown} of ${total}`))] : []),
  ...moreWith(cursor),
];
