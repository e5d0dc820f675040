import { mask } from './masking.ts';
import { cutSequences } from './terminal.ts';

/** Whether every database can hold a text: it has no NUL, and no half of a surrogate pair, which is not UTF-8 (K-7). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A carriage return alone stays: a progress bar's lines were never lines of the text. */
const LINE_END = /(?<!\r)\r+\n/g;

/** A text whose lines end with a line feed alone, as every text is kept but evidence (K-7). */
export function withLineFeeds(text: string): string {
  return text.replace(LINE_END, '\n');
}

/**
 * Whether a text would be kept as another that is kept already, also when that one was kept by an earlier version, or with
 * a secret on purpose (Z-9).
 */
export function equalAfterNormalizing(text: string, kept: string): boolean {
  if (text === kept) return true;
  const today = withLineFeeds(cutSequences(kept).text);
  return text === today || text === mask(today);
}
