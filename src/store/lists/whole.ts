import { setImmediate } from 'node:timers/promises';
import { append } from '../../domain/append.ts';
import { piecesOf } from '../rows.ts';

/** Rows that are read at a time, and the characters after which a page of whole texts ends. */
const AT_A_TIME = 10;
const ENOUGH = 500_000;

/**
 * Reads rows with long texts, a few at a time: others get their turn in between (Z-5).
 * @param charactersOf a row's whole texts that the page shows: where these are long, the page ends early; 0 for a page that
 *   shows the beginnings alone
 * @returns in the order given; of a page that ends early the first few, at least one
 */
export async function readInPieces<Wanted, Row>(
  wanted: readonly Wanted[],
  read: (piece: Wanted[]) => Promise<Row[]>,
  charactersOf: (row: Row) => number,
): Promise<Row[]> {
  const rows: Row[] = [];
  let characters = 0;
  for (const piece of piecesOf(wanted, AT_A_TIME)) {
    if (rows.length > 0) await setImmediate();
    const found = await read(piece);
    append(rows, found);
    characters += found.reduce((sum, row) => sum + charactersOf(row), 0);
    if (characters >= ENOUGH) break;
  }
  return rows;
}
