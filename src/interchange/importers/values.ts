import { ATTRIBUTES, type Attribute, type Content, FIELDS } from '../../domain/decision.ts';
import type { ExtraFields, Facts, RelationFact } from '../../domain/import/facts.ts';
import { placesFrom } from '../../domain/place.ts';
import { jsonIn } from '../../domain/text/json.ts';
import { isDay } from '../../domain/text/moment.ts';
import { isTooDeep } from '../../files/depth.ts';

/** A row of another tool, by the names of its columns. */
export type SourceRow = Record<string, unknown>;

/** Before this, a number of milliseconds would be in 1973: it is one of seconds. */
const SECONDS = 1e11;
/** After this, a number of milliseconds would be in the year 5138: it is one of smaller parts. */
const FINER = 1e14;

/** Milliseconds UTC of a time, as `instantOf`; 0 for anything else. */
export const timeOf = (value: unknown): number => instantOf(value) ?? 0;

/**
 * Milliseconds UTC of what a database keeps as a time: milliseconds; seconds, as early versions wrote them and Python does;
 * finer parts; or a date, which is UTC where it does not say otherwise. Undefined for anything else.
 */
export function instantOf(value: unknown): number | undefined {
  const written = typeof value === 'string' ? value.trim() : value;
  let time = written === '' || typeof written === 'object' ? Number.NaN : Number(written);
  if (Number.isNaN(time)) return typeof written === 'string' ? dateOf(inUtc(written)) : undefined;
  if (!Number.isFinite(time) || time === 0) return undefined;
  if (time < SECONDS) time *= 1000;
  while (time > FINER) time /= 1000;
  return Math.trunc(time);
}

/** A date with its zone, which is UTC where it names none. */
function inUtc(date: string): string {
  const hasZone = /(z|utc|gmt|[+-]\d\d(:?\d\d)?)$/i.test(date) || !/\d[ T]\d/.test(date);
  return hasZone ? date : `${date.replace(' ', 'T')}Z`;
}

/** Milliseconds UTC of a date that is written; undefined for anything else. */
export function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' ? Date.parse(value) || undefined : undefined;
}

/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A value that is one word or number, as a text that says something. */
export function named(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === 'object') return undefined;
  return textOf(String(value))?.trim();
}

/** The attributes that a record says for itself, under our own names (B-1). @param find the value that it has under a name */
export function attributesIn(find: (name: Attribute) => unknown): Partial<Content> {
  const found = ATTRIBUTES.map((name) => {
    const value = find(name);
    // Front matter has several as a list.
    const written = Array.isArray(value)
      ? value.filter((each) => typeof each === 'string').join('\n')
      : value;
    return [name, attributeIn(name, named(written))] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function attributeIn(name: Attribute, written: string | undefined): string | number | undefined {
  const of = FIELDS[name];
  if (of.kind === 'choice') return of.of.find((each) => each === written);
  if (of.kind === 'day') return isDay(written) ? written : undefined;
  if (of.kind === 'places') return written && placesFrom(written);
  if (of.kind !== 'number') return written;
  const number = Number(written);
  return number >= of.least && number <= of.most ? number : undefined;
}

/** Names of columns, with blanks between. */
export const listed = (names: string): string[] => names.split(/\s+/);

/** A list, or one as JSON, as texts; anything else is one text. */
export function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : listIn(textOf(value));
  return list
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .filter((each) => each !== undefined && each.trim() !== '');
}

function listIn(text: string | undefined): unknown[] {
  if (text === undefined) return [];
  const parsed = parsedOf(text);
  return Array.isArray(parsed) ? parsed : [text];
}

/** The value of a text of JSON, else the text itself. */
export function parsedOf(value: unknown): unknown {
  const parsed = typeof value === 'string' && !isTooDeep(value, 'json') ? jsonIn(value) : undefined;
  return parsed === undefined ? value : parsed;
}

/** An object, or one as JSON; an empty one for anything else. */
export function objectOf(value: unknown): Record<string, unknown> {
  const parsed = parsedOf(value);
  return isObject(parsed) ? parsed : {};
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; none for anything else. */
export const objectsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The extra fields of a row: all filled ones but these columns. */
export function restOf(row: SourceRow, taken: readonly string[]): ExtraFields {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => !taken.includes(name) && value !== null && value !== undefined && value !== '',
    ),
  );
}

/** An observation whose source says nothing but a text. */
export const BARE = { title: '', type: '', project: null, scope: 'project', topicKey: null } as const;

/** A link between two rows of a source; its ends and its type are its key. */
export const linkFact = (
  from: string,
  type: string,
  to: string,
  more: Omit<RelationFact, 'key' | 'from' | 'type' | 'to' | 'note'> & { note?: string | null },
): RelationFact => ({ key: JSON.stringify([from, type, to]), from, to, type, note: null, ...more });

/** Names how many of something were left out, if any. */
export function leaveOut({ skipped }: Facts, count: number, what: string, why: string): void {
  if (count > 0) skipped.push({ what: counted(count, what), why });
}

/** How many of something, in words: `1 prompt`, `2 prompts`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
