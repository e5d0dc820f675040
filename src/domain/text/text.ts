import { normalized } from './text-pieces.ts';

/** Longest accepted texts in characters (Unicode code points), and longest lists. Longer input is refused, not cut. */
export const LIMITS = {
  id: 200,
  topic: 200,
  scope: 200,
  branch: 200,
  decision: 2_000,
  reasoning: 20_000,
  evidence: 200_000,
  evidenceItems: 50,
  locks: 1_000,
  hint: 200,
  outcomeReason: 2_000,
  summary: 20_000,
  nextSteps: 20_000,
  openFile: 1_000,
  openFiles: 200,
  query: 20_000,
  cursor: 100,
  /** A name as long as one may be, of characters of four bytes, in base64, and a check sum. */
  nameCursor: 1_100,
  filter: 1_000,
  title: 200,
  /** As long as evidence may be, so that any observation can be one; a text is analysed and shown as a whole (Z-5). */
  content: 200_000,
  /** Limits of earlier versions: a memory may hold such texts, and hands them on whole. */
  contentKept: 5_000_000,
  kind: 100,
  note: 2_000,
  /** The specification of memos fixes these two (M-2). */
  memoSummary: 200,
  memoText: 500,
  keyword: 100,
  keywords: 20,
  message: 200_000,
} as const;

/** Characters of a text that lists show, so that ten results do not fill a context. */
export const REASONING_SHOWN = 600;
export const CONTENT_SHOWN = 240;

/** Two code units that are one character. */
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/** A character that is drawn. */
const VISIBLE = /[^\p{White_Space}\p{Cf}]/u;

/** Whether a text has nothing to read in it. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Number of characters as limits count them: code points, so that an emoji is one, not two. */
export function countCharacters(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

/**
 * A text shortened for display; it says how much is missing.
 * @param full how to get the whole text, as an instruction to the reader
 * @param lacking characters that it lacks already
 */
export function excerpt(text: string, limit: number, full: string, lacking = 0): string {
  // The text may be megabytes long: it is iterated and never split.
  let end = 0;
  let count = 0;
  for (const character of text) {
    if (count++ === limit) break;
    end += character.length;
  }
  const missing = lacking + countCharacters(text.slice(end));
  return missing === 0 ? text : `${text.slice(0, end)}… [+${missing} characters: ${full}]`;
}

/** The most that a warning quotes of a text, in characters. */
const LONGEST_QUOTE = 160;
/** Code units of a text that are read for it. */
const READ = 2_000;

/**
 * The beginning of a text that others wrote, on one line, as a quotation: a reader must not take it for an instruction. It is
 * whole, or "…" says that it is not: a first sentence alone may say the opposite of the rule (T-1).
 * @param limit characters of it at most
 */
export function quoted(text: string, limit = LONGEST_QUOTE): string {
  // The text may be long. Its own quotation marks must not end the quotation.
  const line = text.slice(0, READ).trim().replace(/\s+/g, ' ').replace(/[“”]/g, '"');
  const characters = [...line];
  const isWhole = text.length <= READ && characters.length <= limit;
  return `“${characters.slice(0, limit).join('').trimEnd()}${isWhole ? '' : ' …'}”`;
}

/** A text that begins with a capital letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Names in a sentence, at most so many: "a, b and 3 more". */
export const firstOf = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');

/** The most that is quoted of a text that must be known whole, in characters. */
const QUOTED_WHOLE = 600;

/** A text that others wrote, as a quotation on one line: what binds is quoted whole, as far as there is room. */
export function quotedWhole(text: string): string {
  return quoted(text, QUOTED_WHOLE);
}

/** A text with ASCII letters in lower case, all else as it was: every place in it stays where it is. */
export function inSmall(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Names and topics as they are compared: without surrounding blanks, in composed Unicode (NFC). */
export function normalizeName(text: string): string {
  return normalized(text.trim(), 'NFC');
}

/**
 * The key by which a name is found, however it is written (D-19): the same for `INFRA: cdn` and `infra:cdn`. In compatible Unicode
 * (NFKC) and lower case, without blanks around it and around `:` and `/`.
 */
export function foldName(name: string): string {
  return normalized(name, 'NFKC')
    .toLowerCase()
    .replace(/(?:(?<!\s)\s+)?([:/])\s*/gu, '$1')
    .trim();
}

/** The order of two texts by code points: that of a database that compares bytes. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A text as names of files have it: letters of any script and digits in lower case, all else as one hyphen. */
export function hyphenated(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
}

/** A text as one word of a command, into which a shell reads nothing: names and files come from others. */
export const forShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
