import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { REDACTED } from '../../domain/text/redaction.ts';
import { withLineFeeds } from '../../domain/text/storable.ts';
import { foldName, hyphenated } from '../../domain/text/text.ts';
import type { TextKind } from '../columns.ts';
import { textsIn, valuesIn } from '../json-list.ts';
import type { TextPlace } from '../kinds/kind.ts';
import { hashOf } from '../observations/observation.ts';
import { updateRows } from '../rows.ts';
import { query } from '../statements.ts';
import { TABLES, type Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import type { Tx } from '../tx.ts';

/** A shorter text says nothing when it is in another place too. */
export const TELLING = 4;

type Row = Record<string, unknown>;
/** The columns of a row that change, as they will be. */
type Changes = Record<string, string>;

/**
 * Blanks what rows hold of a secret, or without one everything that was written in them.
 * @returns the texts that were changed, as they were
 */
export async function blankPlace(tx: Tx, place: TextPlace, asked: string | undefined): Promise<string[]> {
  const rows = await query<Row>(tx)`
    select * from ${sql.table(place.table)} where ${place.where}`;
  const blanked: string[] = [];
  for (const row of rows) {
    const changes = blankRow(place, row, asked ?? place.secret);
    const columns = Object.keys(changes);
    if (columns.length === 0) continue;
    const key = Object.fromEntries(TABLES[place.table].map((column) => [column, row[column]]));
    await updateRows(tx, place.table, key, { ...changes, ...derivedFrom(place.table, row, changes) });
    const texts = columns.map((column) => String(row[column]));
    append(blanked, texts);
  }
  return blanked;
}

/**
 * Whether a text holds another, however their letters are written. A list is JSON, which writes some of them in its own
 * way, and so does the name of a file that was made of a text.
 */
export function holds(value: unknown, text: string): boolean {
  const whole = folded(String(value ?? ''));
  const forms = [text, JSON.stringify(withLineFeeds(text)).slice(1, -1), ...inFileNames(text)];
  return forms.some((form) => whole.includes(folded(form)));
}

/** A text as it is in the name of a file; undefined when too little of it is left to recognise it. */
function inFileNames(text: string): string[] {
  const form = hyphenated(text).replace(/^-|-$/g, '');
  return form.length < TELLING ? [] : [form];
}

function blankRow({ table, kinds, apart }: TextPlace, row: Row, secret: string | undefined): Changes {
  const name = `${REDACTED} ${apart ?? TABLES[table].map((key) => row[key]).join(' ')}`;
  const changes: Changes = {};
  for (const { column, kind, longest } of textsOf(table)) {
    const before = row[column];
    if (typeof before !== 'string' || (kinds && !kinds.includes(kind))) continue;
    const after = shorten(blankText(kind, before, secret, name), longest);
    if (after !== before) changes[column] = after;
  }
  return changes;
}

/** @param name what takes the place of a name */
function blankText(kind: TextKind, text: string, secret: string | undefined, name: string): string {
  switch (kind) {
    case 'words':
      return blank(text, secret);
    case 'list':
      return JSON.stringify(textsIn(text).map((each) => blank(each, secret)));
    case 'json':
      return blankJson(text, secret);
    case 'values':
      return JSON.stringify(blankValues(valuesIn(text), secret, name));
    case 'name':
      return secret !== undefined && holds(text, secret) ? name : text;
    default:
      return text;
  }
}

function blank(text: string, secret: string | undefined): string {
  if (secret === undefined) return REDACTED;
  const lines = withLineFeeds(secret);
  // The same letters may be written in two ways, composed and not, and evidence keeps its line ends (K-7).
  const forms = [secret, lines, lines.replaceAll('\n', '\r\n')].flatMap((each) => [
    each,
    each.normalize('NFC'),
    each.normalize('NFD'),
  ]);
  return [...new Set(forms)].reduce((blanked, form) => blanked.replaceAll(form, REDACTED), text);
}

/** Each text inside a JSON value: an escape must not keep a secret from being found. One is the name of a file (I-5). */
function blankJson(text: string, secret: string | undefined): string {
  const forms = secret === undefined ? [] : inFileNames(secret);
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    typeof value === 'string'
      ? forms.reduce((blanked, form) => blanked.replaceAll(form, REDACTED), blank(value, secret))
      : value,
  );
}

/** A blank may be longer than what it replaces. */
function shorten(text: string, longest: number | undefined): string {
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

/** Each name in an object, as if it had a column of its own; the key next to a name follows from it. */
function blankValues(values: Row, secret: string | undefined, name: string): Row {
  const blanked: Row = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' && key !== 'uid' ? blankText('name', value, secret, name) : value,
    ]),
  );
  return typeof values.key === 'string' && blanked.name !== values.name
    ? { ...blanked, key: foldName(name) }
    : blanked;
}

/** Columns that follow from others: the hash of a secret would still tell it to those who guess, and its key does. */
function derivedFrom(table: Table, row: Row, { content, name }: Changes): Changes {
  const derived: Changes = {};
  for (const { column, kind } of textsOf(table)) {
    if (kind === 'hash' && content !== undefined) derived[column] = hashOf(content);
    if (kind === 'key' && name !== undefined && row[column] !== null) derived[column] = foldName(name);
  }
  return derived;
}

/** One spelling for letters that are written in several, as keywords have it. */
function folded(text: string): string {
  return withLineFeeds(text).normalize('NFKC').toLowerCase();
}
