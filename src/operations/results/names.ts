import * as z from 'zod';
import { FOUND_KINDS } from '../../domain/kinds.ts';
import { isInSyllables } from '../../domain/language/script.ts';
import { NEAREST_NAMED } from '../../domain/ranking/weights.ts';
import { cutToTokens, estimateTokens, fitting } from '../../domain/text/tokens.ts';
import { compact } from '../brief.ts';
import { dim, line, type View } from '../view.ts';

/** Answers that are given whole (RE-7). */
export const WHOLE = 3;
/** Those that a person sees whole, as a screen has more room. */
const WHOLE_FOR_PEOPLE = 10;
/** Tokens of all names, and of the words of one. */
export const NAMES = 400;
/** Tokens of an answer with its names, and those that names have however long the whole answers are. */
const ANSWER = 700;
const FEWEST = 150;
const WORDS = 14;

/** What a name begins with, so that nobody follows what is over, or misses a rule. */
const MARKS = { failed: '✗', withdrawn: '⊘', replaced: '↩', axis: 'axis', lock: 'lock' } as const;

/** A record by its name. */
export const named = z.object({
  kind: z.enum(FOUND_KINDS),
  id: z.string(),
  ref: z.string().describe('A prefix of its id; every operation accepts it'),
  title: z.string().optional().describe('Topic of a decision'),
  text: z.string().describe('Its first words'),
  why: z.string().optional().describe('Why it was decided, or failed'),
  mark: z.enum(Object.keys(MARKS) as (keyof typeof MARKS)[]).optional(),
});
export type Named = z.infer<typeof named>;

/** What marks a record. */
interface Marked {
  outcome?: string | null | undefined;
  withdrawn?: boolean | undefined;
  isReplaced?: boolean | undefined;
  strength?: string | undefined;
}

export function markOf({ outcome, withdrawn, isReplaced, strength }: Marked): Pick<Named, 'mark'> {
  if (outcome === 'failed') return { mark: 'failed' };
  if (withdrawn) return { mark: 'withdrawn' };
  if (isReplaced) return { mark: 'replaced' };
  return strength === 'axis' || strength === 'lock' ? { mark: strength } : {};
}

/** The first words of a text, on one line: as many as have room. @param most tokens */
export function firstWords(text: string, most = WORDS): string {
  const line = text
    .slice(0, most * LONG)
    .replace(/\s+/g, ' ')
    .trim();
  if (estimateTokens(line) <= most) return line;
  const ends = [...line.matchAll(/ /g)].map(({ index }) => line.slice(0, index));
  const shown = ends.filter((each) => estimateTokens(`${each}…`) <= most).at(-1);
  return shown ? `${shown}…` : cutToTokens(line, most);
}

/** The words of a record by its name. A Korean sentence says "not" at its end: a rule or a failure in it has twice the room. */
export const wordsOfName = (text: string, { mark }: Pick<Named, 'mark'>): string =>
  firstWords(text, mark && isInSyllables(text) ? 2 * WORDS : WORDS);

/** Characters that are more than a token, so that a long text is not read whole. */
const LONG = 30;

/** `✗ 3f2504e0 auth:token: first words — why`. */
export function nameLine({ mark, ref, title, text, why }: Omit<Named, 'kind' | 'id'>): string {
  const sign = mark ? `${MARKS[mark]} ` : '';
  return `${sign}${ref} ${title ? `${title}: ` : ''}${text}${why ? ` — ${why}` : ''}`;
}

/** Tokens that a value takes in a list of an answer, with its comma. */
export const tokensInList = (value: unknown): number => estimateTokens(JSON.stringify(value)) + 1;

/**
 * Rows of a search as a model reads them: the first whole, the others by name; where nothing answers all by name.
 * @param names its own, then those of what belongs to it, which is nowhere whole @param next cursor of what the limit left out
 */
export function wholeThenNames<Row extends { similarity?: number | undefined }>(
  rows: readonly Row[],
  isAnswered: boolean,
  whole: (row: Row) => object,
  names: (row: Row) => string[],
  next: string | undefined,
): { results?: object[]; names?: string[]; left_out?: string } {
  const { first, others } = parted(rows, isAnswered ? WHOLE : 0, names);
  const results = first.map(whole);
  // A list without a question is given as far as it was asked for.
  const isListed = rows.every(({ similarity }) => similarity === 0);
  const limit = Math.max(FEWEST, Math.min(NAMES, ANSWER - tokensInList(results)));
  const room = isListed ? Number.POSITIVE_INFINITY : limit;
  const fits = isAnswered ? fitting(others.map(tokensInList), room) : NEAREST_NAMED;
  const left = isAnswered ? others.length - fits : 0;
  return {
    ...((isAnswered || rows.length === 0) && { results }),
    ...compact({ names: others.slice(0, fits) }),
    ...(left > 0
      ? { left_out: `${left} names: ask in narrower words` }
      : isAnswered && next && { left_out: MORE }),
  };
}

const MORE = 'more: set limit (at most 50), or ask in narrower words';

/** The same for people. */
export function viewWholeThenNames<Row>(
  rows: readonly Row[],
  isAnswered: boolean,
  whole: (rows: readonly Row[]) => View,
  names: (row: Row) => string[],
): View {
  const { first, others } = parted(rows, isAnswered ? WHOLE_FOR_PEOPLE : 0, names);
  const shown = isAnswered ? others : others.slice(0, NEAREST_NAMED);
  return [...whole(first), ...shown.map((each) => line(dim(each))), ...(shown.length > 0 ? [line('')] : [])];
}

function parted<Row>(rows: readonly Row[], most: number, names: (row: Row) => string[]) {
  const others = rows.flatMap((row, at) => names(row).slice(at < most ? 1 : 0));
  return { first: rows.slice(0, most), others };
}
