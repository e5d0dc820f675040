import { keywordName } from '../../domain/keyword.ts';
import { PLACES_LENGTH, placesFrom, problemOfPlaces } from '../../domain/place.ts';
import { jsonIn } from '../../domain/text/json.ts';
import { isDay } from '../../domain/text/moment.ts';
import { REDACTED } from '../../domain/text/redaction.ts';
import { countCharacters, LIMITS, normalizeName } from '../../domain/text/text.ts';
import { listIn, valuesIn } from '../json-list.ts';
import type { Schema } from '../schema.ts';
import type { Table } from '../tables.ts';

/** What a single value must be. @returns what was expected, as it follows "Expected"; undefined when it is that */
export type Rule = (value: unknown) => string | undefined;

/** The last moment that a `Date` can hold, and the distance of the first, in milliseconds. */
const FURTHEST = 8_640_000_000_000_000;
/** Of the type `integer` that both engines have. */
const LARGEST_COUNT = 2_147_483_647;
/** What one character becomes at most in compatible Unicode. */
const FOLDED = 18;
/** The largest number of a row: above it as many remain as below, and all of them are exact in every program. */
export const LARGEST_NUMBER = 2 ** 52;

/** A rule that one condition decides. */
function rule(expected: string, holds: (value: unknown) => boolean): Rule {
  return (value) => (holds(value) ? undefined : expected);
}

const between = (value: unknown, least: number, most: number) =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

/** The number of a row: that of a record, an observation or a relation. */
export const number = rule(`a whole number from 1 to ${LARGEST_NUMBER}`, (value) =>
  between(value, 1, LARGEST_NUMBER),
);
/** Milliseconds UTC that a `Date` can hold. */
export const time = rule('a time in whole milliseconds that a date can hold', (value) =>
  between(value, -FURTHEST, FURTHEST),
);
export const flag = rule('0 or 1', (value) => value === 0 || value === 1);
export const amount = (least: number, most: number) =>
  rule(
    `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  );
export const day = rule('a day such as 2027-03-01', isDay);
export const places: Rule = (value) =>
  textProblem(value, PLACES_LENGTH) ??
  (placesFrom(value as string) === value && problemOfPlaces(value as string) === undefined
    ? undefined
    : 'patterns of files, a line each');
export const count = (least: number) =>
  rule(`a whole number from ${least} to ${LARGEST_COUNT}`, (value) => between(value, least, LARGEST_COUNT));
export const oneOf = (words: readonly string[]) =>
  rule(`one of ${words.join(', ')}`, (value) => words.includes(value as string));

/** Nothing, or what the other rule says. */
export const optional =
  (inner: Rule): Rule =>
  (value) =>
    value === null ? undefined : inner(value);

/** What a person or a model wrote. A blank may be longer than what it replaced, so that none is counted. */
export function words(limit: number): Rule {
  return (value) => textProblem(value, limit) ?? (hasPrivatePart(value as string) ? NOT_PRIVATE : undefined);
}

/** {@link words} by which a record is found: without blanks around it, in composed Unicode. */
export function name(limit: number): Rule {
  const inner = words(limit);
  return (value) =>
    inner(value) ??
    (normalizeName(value as string) === value ? undefined : 'a name in NFC, without blanks around it');
}

/** A name, or an empty text for none. */
export const nameOrEmpty =
  (limit: number): Rule =>
  (value) =>
    value === '' ? undefined : name(limit)(value);

/**
 * The name of a keyword. What the first versions wrote is one too: they kept characters that are not drawn. It may look
 * like a private part, which other letters became in NFKC.
 */
export const keyword: Rule = (value) => {
  const problem = textProblem(value, LIMITS.keyword);
  if (problem !== undefined) return problem;
  const text = value as string;
  const first = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim().replace(/\s+/g, ' ');
  return text === first || text === keywordName(text) || text.startsWith(REDACTED)
    ? undefined
    : 'a keyword in NFKC and lower case, with single blanks inside alone';
};

/** What programs call themselves, their sessions and their models; once it was kept as it came, however long. */
export const label: Rule = (value) => (typeof value === 'string' ? unstorable(value) : 'a text');

/** Forms in which an operator names other records (`redact 5`, `keyword:5`). */
const TAKEN = /^(#?\d+|(keyword|record|writer|change|scope|conversation|origin):.*)$/;
/** An id may have been a path elsewhere; as one it leads to no folder above (Z-4). */
const LEADS_UP = /(^|[\\/])\.\.([\\/]|$)/;
const NOT_IN_ID = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The id of a record: a UUID, or the one that it had elsewhere. */
export const id: Rule = (value) => {
  const problem = textProblem(value, LIMITS.id);
  if (problem !== undefined) return problem;
  const text = value as string;
  if (NOT_IN_ID.test(text) || text.trim() !== text)
    return 'an id without control characters, and without blanks around it';
  if (LEADS_UP.test(text)) return 'an id without ".." as a part of a path';
  return TAKEN.test(text)
    ? 'an id that is no number, and does not begin as the name of another record'
    : undefined;
};
/** Several ids, a line each. */
export const ids: Rule = (value) =>
  typeof value === 'string' ? value.split('\n').map(id).find(Boolean) : id(value);

/** The folded form of a name, which compatible letters may make longer. */
export const key: Rule = (value) => textProblem(value, FOLDED * LIMITS.topic);

export const sha256 = rule(
  'a SHA-256 in hexadecimal',
  (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);

/** A JSON list of texts. */
export function listOf(limit: number, longest: number): Rule {
  const inner = words(limit);
  const expected = `a JSON list of at most ${longest} texts of at most ${limit} characters`;
  return (value) => {
    const list = listIn(value);
    if (list === undefined || list.length > longest) return expected;
    return list.map(inner).find((problem) => problem !== undefined);
  };
}

/** Small values by name, as JSON: names and numbers, never a text of any length. */
export const values = rule('a JSON object of names and numbers', (value) => {
  const found = Object.values(valuesIn(value));
  return (
    typeof value === 'string' &&
    value.startsWith('{') &&
    found.length > 0 &&
    found.every((each) => each === null || typeof each === 'number' || isSmall(each))
  );
});

const isSmall = (value: unknown) =>
  typeof value === 'string' && textProblem(value, LIMITS.topic) === undefined;

/** What another tool said and has no place here: any JSON value, or a blank that took the place of one. */
export const json: Rule = (value) => {
  const problem = textProblem(value, Number.POSITIVE_INFINITY);
  if (problem !== undefined) return problem;
  if (jsonIn(value as string) === undefined) return 'JSON';
  return hasPrivatePart(value as string) ? NOT_PRIVATE : undefined;
};

/** A JSON list of records' numbers. */
export const numbers = rule('a JSON list of numbers of keywords', (value) =>
  Boolean(listIn(value)?.every((each) => number(each) === undefined)),
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

/** A row as an export has it: columns in camel case, a vector in base64. */
export type Row = Record<string, unknown>;

/** What is wrong, each part as it follows its word: "Expected …, found …". */
export interface Broken {
  expected: string;
  found: string;
  /** Whether repair mends it, since it is derived from what is right. */
  mended?: true;
}

/** What a table asks of its rows. What rows ask of each other across tables is in `together.ts`. */
export interface TableRules<T extends Table> {
  /** What each column may hold, in the order in which an export has them. */
  columns: { [Column in keyof Schema[T]]: Rule };
  /** Columns that are derived: repair makes them anew. */
  derived?: (keyof Schema[T])[];
  /** How people and other records call what a row holds. */
  called: (row: Row) => string;
  /** What the columns of one row ask of each other; looked at when each of them is right by itself. */
  row?: (row: Row) => Broken | undefined;
  /** What no two rows may share, by a name; null where a row has none. */
  unique?: Record<string, Key>;
  /** By column: what must be in a row above, as `table.name` of a unique key, and how the row writes that key. */
  refers?: Partial<Record<keyof Schema[T], string | [to: string, key: Key]>>;
}

/** The key of a row, or its link to another row's key. */
export type Key = (row: Row) => unknown;
