import type { Generated } from 'kysely';
import { HINTS_LENGTH, isHints } from '../domain/anchor.ts';
import { keywordName } from '../domain/keyword.ts';
import { PLACES_LENGTH, placesFrom, problemOfPlaces } from '../domain/place.ts';
import { jsonIn } from '../domain/text/json.ts';
import { isDay, LATEST } from '../domain/text/moment.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { countCharacters, LIMITS, normalizeName } from '../domain/text/text.ts';
import { listIn, valuesIn } from './json-list.ts';

/**
 * The content of a text column, which decides what redaction does with it.
 * - `words`: what a person or a model wrote. Blanked with its record, and searched for what was blanked elsewhere.
 * - `list`: words as a JSON list of strings, each blanked by itself.
 * - `name`: what other records and queries find the row by. Searched as words are, but blanked only where it holds the
 *   secret.
 * - `id`: an id, or numbers as JSON. Neither blanked nor searched: a few letters are in some id anyway.
 * - `key`: the folded form of the column `name` of its row, computed again when that changes.
 * - `json`: words inside a JSON value, each blanked by itself.
 * - `values`: names and numbers as a JSON object, each name treated as `name`.
 * - `hash`: SHA-256 of the column `content` of its row, computed again when that changes.
 * - `bytes`: no text.
 */
export type TextKind = 'words' | 'list' | 'name' | 'key' | 'values' | 'json' | 'id' | 'hash' | 'bytes';

/**
 * The rule of a column. Called with a value, it says what was expected, as it follows "Expected"; undefined when the value
 * is that.
 */
export interface Rule<Value = unknown> {
  (value: unknown): string | undefined;
  /** Set for a column that can hold any text. */
  text?: TextKind | undefined;
  /** All that the column may hold, where that is a few words. */
  choices?: readonly string[] | undefined;
  /** The longest text, in characters, where the database checks it. */
  longest?: number | undefined;
  /** Never set: the type of a value. */
  type?: Value;
}

/** The last moment that a `Date` can hold, and the distance of the first, in milliseconds. */
export const FURTHEST = 8_640_000_000_000_000;
/** Of the type `integer` that both engines have. */
export const LARGEST_COUNT = 2_147_483_647;
/** The longest form of one character in compatible Unicode. */
const FOLDED = 18;
/** Of the longest id of a fact, which is made of two others. */
const FOREIGN = 500;
/** The largest number of a row: above it as many remain as below, and all of them are exact in every program. */
export const LARGEST_NUMBER = 2 ** 52;

/** A rule that one condition decides. */
function rule<Value>(expected: string, holds: (value: unknown) => boolean): Rule<Value> {
  return (value) => (holds(value) ? undefined : expected);
}

/** A rule for texts. */
export const text = (kind: TextKind, check: Rule): Rule<string> =>
  Object.assign((value: unknown) => check(value), { text: kind });

const between = (value: unknown, least: number, most: number) =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

/** The number of a row: that of a record, an observation or a relation. */
export const number = rule<number>(`a whole number from 1 to ${LARGEST_NUMBER}`, (value) =>
  between(value, 1, LARGEST_NUMBER),
);
/** {@link number} for a column whose numbers the database gives out. */
export const given = number as Rule<unknown> as Rule<Generated<number>>;
/** Milliseconds UTC that a `Date` can hold. */
export const time = rule<number>('a time in whole milliseconds that a date can hold', (value) =>
  between(value, -FURTHEST, FURTHEST),
);
/** For numbers of imported and synced rows: only a date may be above {@link LATEST}. */
export const followed: Rule = (value) =>
  typeof value === 'number' && value > LATEST ? 'a time that another can follow' : undefined;
/** The date of what follows something: now, or after that, as late as a `Date` can be (Y-6). */
export const dateAfter = (date: number | null | undefined, now: number): number =>
  Math.min(FURTHEST, Math.max(now, (date ?? 0) + 1));
/** The two engines share no boolean that both drivers can bind. */
export const flag = rule<0 | 1>('0 or 1', (value) => value === 0 || value === 1);
export const amount = (least: number, most: number) =>
  rule<number>(
    `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  );
/** A date is never redacted. */
export const day = text('id', rule('a day such as 2027-03-01', isDay));
export const places = text(
  'words',
  (value) =>
    textProblem(value, PLACES_LENGTH) ??
    (placesFrom(value as string) === value && problemOfPlaces(value as string) === undefined
      ? undefined
      : 'patterns of files, a line each'),
);
export const count = (least: number) =>
  rule<number>(`a whole number from ${least} to ${LARGEST_COUNT}`, (value) =>
    between(value, least, LARGEST_COUNT),
  );
export const oneOf = <Word extends string>(words: readonly Word[]): Rule<Word> =>
  Object.assign(
    rule<Word>(`one of ${words.join(', ')}`, (value) => words.includes(value as Word)),
    { choices: words },
  );

/** Nothing, or what the other rule says. */
export const optional = <Value>(inner: Rule<Value>): Rule<Value | null> =>
  Object.assign((value: unknown) => (value === null ? undefined : inner(value)), {
    text: inner.text,
    choices: inner.choices,
  });

/** Text of a person or a model. A redaction may be longer than what it replaced, so that none is counted. */
export const words = (limit: number): Rule<string> =>
  text(
    'words',
    (value) => textProblem(value, limit) ?? (hasPrivatePart(value as string) ? NOT_PRIVATE : undefined),
  );

/** A reminder, or a list of hints, which is longer (RE-16). */
export const anchorText = text('words', (value) =>
  words(typeof value === 'string' && isHints(value) ? HINTS_LENGTH : LIMITS.hint)(value),
);

/** {@link words} whose length the database checks, too. */
export const checkedWords = (longest: number): Rule<string> => Object.assign(words(longest), { longest });

/** {@link words} by which a record is found: without blanks around it, in composed Unicode. */
export function name(limit: number): Rule<string> {
  const inner = words(limit);
  return text(
    'name',
    (value) =>
      inner(value) ??
      (normalizeName(value as string) === value ? undefined : 'a name in NFC, without blanks around it'),
  );
}

/** A name, or an empty text for none. */
export const nameOrEmpty = (limit: number): Rule<string> =>
  text('name', (value) => (value === '' ? undefined : name(limit)(value)));

/**
 * The name of a keyword. Names of the first versions are valid too: they kept characters that are not drawn. It may look
 * like a private part, which other letters became in NFKC.
 */
export const keyword = text('name', (value) => {
  const problem = textProblem(value, LIMITS.keyword);
  if (problem !== undefined) return problem;
  const text = value as string;
  const first = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim().replace(/\s+/g, ' ');
  return text === first || text === keywordName(text) || text.startsWith(REDACTED)
    ? undefined
    : 'a keyword in NFKC and lower case, with single blanks inside alone';
});

/** Names that programs give themselves, their sessions and their models; once they were kept as they came, however long. */
export const label = text('name', (value) => (typeof value === 'string' ? unstorable(value) : 'a text'));

/** Forms in which an operator names other records (`redact 5`, `keyword:5`). */
export const TAKEN = /^(#?\d+|(keyword|record|writer|change|scope|conversation|origin):.*)$/;
/** An id may have been a path elsewhere; as one it leads to no folder above (Z-4). */
export const LEADS_UP = /(^|[\\/])\.\.([\\/]|$)/;
export const NOT_IN_ID = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The id of a record: a UUID, or the one that it had elsewhere. */
export const id = text('id', (value) => {
  const problem = textProblem(value, LIMITS.id);
  if (problem !== undefined) return problem;
  const text = value as string;
  if (NOT_IN_ID.test(text) || text.trim() !== text)
    return 'an id without control characters, and without blanks around it';
  if (LEADS_UP.test(text)) return 'an id without ".." as a part of a path';
  return TAKEN.test(text)
    ? 'an id that is no number, and does not begin as the name of another record'
    : undefined;
});
/** Several ids, a line each. */
export const ids = text('id', (value) =>
  typeof value === 'string' ? value.split('\n').map(id).find(Boolean) : id(value),
);

/** The kind or the id of a fact of a newer program. It is never redacted. */
export const foreign = text('id', (value) => textProblem(value, FOREIGN));

/** The folded form of a name, which compatible letters may make longer. */
export const key = text('key', (value) => textProblem(value, FOLDED * LIMITS.topic));

const sha256 = rule(
  'a SHA-256 in hexadecimal',
  (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);
/** SHA-256 of the column `content`: finds a repeat without comparing long texts. */
export const contentHash = text('hash', sha256);
/** SHA-256 of more than a text that may be blanked: what came once does not come again as it was. */
export const otherHash = text('id', sha256);

/** A JSON list of texts. */
export function listOf(limit: number, longest: number): Rule<string> {
  const inner = words(limit);
  const expected = `a JSON list of at most ${longest} texts of at most ${limit} characters`;
  return text('list', (value) => {
    const list = listIn(value);
    if (list === undefined || list.length > longest) return expected;
    return list.map(inner).find((problem) => problem !== undefined);
  });
}

/** Small values by name, as JSON: names and numbers, never a text of any length. */
export const values = text('values', (value) => {
  const found = Object.values(valuesIn(value));
  const isSound =
    typeof value === 'string' &&
    value.startsWith('{') &&
    found.length > 0 &&
    found.every((each) => each === null || typeof each === 'number' || isSmall(each));
  return isSound ? undefined : 'a JSON object of names and numbers';
});

const isSmall = (value: unknown) =>
  typeof value === 'string' && textProblem(value, LIMITS.topic) === undefined;

/** Extra fields of another tool: any JSON value, or the redaction that took the place of one. */
export const json = text('json', (value) => {
  const problem = textProblem(value, Number.POSITIVE_INFINITY);
  if (problem !== undefined) return problem;
  if (jsonIn(value as string) === undefined) return 'JSON';
  return hasPrivatePart(value as string) ? NOT_PRIVATE : undefined;
});

/** A JSON list of records' numbers. */
export const numbers = text(
  'id',
  rule('a JSON list of numbers of keywords', (value) =>
    Boolean(listIn(value)?.every((each) => number(each) === undefined)),
  ),
);

/** A vector in base64, as an export has it. The engine says how it is stored. */
export const vector: Rule = Object.assign(
  (value: unknown) => (typeof value === 'string' ? undefined : 'bytes in base64'),
  { text: 'bytes' as const },
);

const NOT_PRIVATE = 'a text without a <private> part';

/** Whether a text holds a tag that every version has redacted (D-16). */
function hasPrivatePart(text: string): boolean {
  return text.includes('<') && /<private>/i.test(text);
}

function textProblem(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string') return 'a text';
  if (value.trim() === '') return 'a text that is not blank';
  return unstorable(value) ?? (isLonger(value, limit) ? `a text of at most ${limit} characters` : undefined);
}

function unstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'a text without NUL';
  return text.isWellFormed() ? undefined : 'well-formed Unicode (no half of a surrogate pair)';
}

function isLonger(text: string, limit: number): boolean {
  return text.length > limit && countCharacters(text.replaceAll(REDACTED, '')) > limit;
}
