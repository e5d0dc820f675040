import * as z from 'zod';
import { type Place, readCursor, toCursor } from '../../domain/cursor.ts';
import { PrecedentError } from '../../domain/error.ts';
import type { Tx } from '../../store/tx.ts';
import { type Block, dim, line } from '../view.ts';

/** In the result of a listing: where its next page begins (W-6). */
export const nextCursor = () =>
  z.string().optional().meta({ description: 'Given when there is more: the cursor of the next page' });

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
export function askedPage(
  tx: Tx,
  operation: string,
  { cursor, limit: _, ...question }: { cursor?: string | undefined; limit: number },
): AskedPage {
  const listing = JSON.stringify([tx.workspace, operation, question]);
  const from = cursor === undefined ? undefined : readCursor(listing, cursor);
  if (cursor !== undefined && from === undefined) {
    throw new PrecedentError(
      'invalid',
      `${operation}: Expected "cursor" as an answer to the same question gave it, found "${cursor}". Take it from the answer before, leave the other fields as they were, or leave it out to begin anew.`,
    );
  }
  return { from, cursorTo: (place) => toCursor(listing, place) };
}

/** How a person gets the next page; nothing on the last. */
export const moreWith = (cursor: string | undefined): Block[] =>
  cursor === undefined ? [] : [line(dim(`more: --cursor ${cursor}`))];

/** How much of a listing is shown; nothing when it is all. */
export const shownOf = (shown: number, total: number, cursor: string | undefined): Block[] => [
  ...(shown < total ? [line(dim(`${shown} of ${total}`))] : []),
  ...moreWith(cursor),
];
