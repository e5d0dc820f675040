import { shortHash } from './text/short-hash.ts';

/**
 * A place in a listing, where a page begins: numbers whose meaning only the listing knows. It is the date and the number
 * of a record where the order is the newest first, and how much was shown where the order is a ranking.
 */
export type Place = readonly number[];

const RADIX = 36;
const NUMBER = /^-?[\da-z]{1,11}$/;

/**
 * A place as the text that callers carry from an answer to the next question (W-6). It begins with a check sum, so that
 * a text that no answer gave, or the cursor of another listing, is known for what it is.
 * @param listing what is listed, question and all: the same text when the cursor is read
 * @param place whole numbers that a double holds exactly; eight fit into the hundred characters that a cursor may have
 */
export function toCursor(listing: string, place: Place): string {
  return cursorAt(listing, place.map((number) => number.toString(RADIX)).join('.'));
}

/** A mistake is detected, an attack is not: whoever forges a place is shown that place. */
function cursorAt(listing: string, place: string): string {
  return `${shortHash(`${listing} ${place}`)}.${place}`;
}

/** The place that a cursor of this listing names; undefined for any other text. */
export function readCursor(listing: string, cursor: string): Place | undefined {
  const numbers = cursor.split('.').slice(1);
  if (!numbers.every((text) => NUMBER.test(text))) return undefined;
  const place = numbers.map((text) => Number.parseInt(text, RADIX));
  return place.every(Number.isSafeInteger) && toCursor(listing, place) === cursor ? place : undefined;
}

/** A place after a name in a listing by name, as {@link toCursor}. */
export function toNameCursor(listing: string, name: string): string {
  return cursorAt(listing, Buffer.from(name).toString('base64url'));
}

/** The name after which a cursor of this listing begins; undefined for any other text. */
export function readNameCursor(listing: string, cursor: string): string | undefined {
  const name = Buffer.from(cursor.slice(cursor.indexOf('.') + 1), 'base64url').toString();
  return toNameCursor(listing, name) === cursor ? name : undefined;
}
