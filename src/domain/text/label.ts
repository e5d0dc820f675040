import { mask } from './masking.ts';
import { redact } from './redaction.ts';
import { cutSequences } from './terminal.ts';

/** Longest label in characters; a longer one is cut, since no caller could be informed. */
const LONGEST = 200;

/**
 * A name that a program gives itself or its session, as it is kept with every record: private parts redacted (D-16), secrets masked (Z-9),
 * without terminal sequences and control characters (a database takes no NUL), well-formed, and short.
 */
export function label(name: string): string {
  // A tag that this cuts open hides all that follows it.
  const clean = mask(redact(cutSequences(name.slice(0, 20 * LONGEST)).text)).toWellFormed();
  const spaced = clean.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return [...spaced.trim().slice(0, 2 * LONGEST)].slice(0, LONGEST).join('');
}

/** An author as a person sees it: without the address. */
export function shownAuthor(author: string): string {
  return author.replace(/ *<[^<>]*>$/, '') || author;
}

/** An author, whole, without the address, and the address alone: texts have any of them. */
export function namesOfAuthor(author: string): string[] {
  const [, address = ''] = author.match(/<([^<>]*)>$/) ?? [];
  return [...new Set([author, shownAuthor(author), address])].filter((each) => each !== '');
}
