import { sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import { REDACTED } from '../../domain/redaction.ts';
import { putDocument, removeDocument } from '../document.ts';
import { hashOf } from '../observations/observation.ts';
import { insertRecord } from '../record.ts';
import { rowsOf } from '../rows.ts';
import type { RecordKind } from '../schema.ts';
import { TABLE_NAMES, TABLES, type Table } from '../schema.ts';
import { everyDocument } from '../search/documents.ts';
import type { Tx } from '../tx.ts';
import { findTarget, type Place, type Value } from './redact-places.ts';

/** A secret shorter than this would blank half of a text. */
const SHORTEST = 2;
/** Texts blanked as a whole that are shorter say nothing when they stand elsewhere too. */
const TELLING = 4;
/** Places that are named in which the same text still stands. */
const NAMED = 20;

/** What was blanked. */
export interface Redaction {
  kind: RecordKind;
  id: string;
  /** Texts that were changed, revisions and notes included. */
  texts: number;
  /** What they held: the secret, or each text that was blanked as a whole. */
  blanked: string[];
  whole: boolean;
}

type Row = Record<string, Value>;

/** The database refuses longer ones, and a blank may be longer than what it replaces. */
const LONGEST: Partial<Record<Table, Record<string, number>>> = { memos: { summary: 200, fullText: 500 } };

/**
 * Blanks the texts of one record, its revisions and its outcomes, and what the indexes hold of them; that it was done
 * stays on record. For an operator: nobody else changes a text.
 * @param reference id of a decision, evidence, anchor, checkpoint or memo, the number of an observation, or
 *   `keyword:` and the number of a keyword
 * @param secret only this is blanked, wherever it stands in the record; without it every text is
 * @throws PrecedentError `not_found` when there is no such record, or it does not hold the secret
 */
export async function redactRecord(
  tx: Tx,
  reference: string,
  secret: string | undefined,
): Promise<Redaction> {
  if (secret !== undefined && ([...secret].length < SHORTEST || REDACTED.includes(secret))) {
    throw new PrecedentError(
      'invalid',
      `Expected a text of at least ${SHORTEST} characters to blank, and no part of ${REDACTED}, found "${secret}". Without a text the whole record is blanked.`,
    );
  }
  const target = await findTarget(tx, reference);
  if (!target) {
    throw new PrecedentError(
      'not_found',
      `Expected the id of a decision, evidence, anchor, checkpoint or memo, the number of an observation, or keyword: and the number of a keyword, found "${reference}", which does not exist.`,
    );
  }
  const blanked: string[] = [];
  for (const place of target.places) blanked.push(...(await blankPlace(tx, place, secret)));
  if (blanked.length === 0) {
    throw new PrecedentError(
      'not_found',
      secret === undefined
        ? `Expected texts to blank in ${target.kind} ${target.id}, found that they are blank already.`
        : `Expected the text in ${target.kind} ${target.id}, found none of it there.`,
    );
  }
  for (const each of target.found) await reindexRecord(tx, each);
  const seq = await insertRecord(tx, 'redaction');
  await tx.db.insertInto('redactions').values({ seq, recordSeq: target.seq, createdAt: tx.now }).execute();
  return {
    kind: target.kind,
    id: target.id,
    texts: blanked.length,
    blanked: secret === undefined || target.kind === 'keyword' ? blanked : [secret],
    whole: secret === undefined,
  };
}

/** @returns the texts that were changed, as they were */
async function blankPlace(
  tx: Tx,
  { table, column, is, texts, names = [], apart = '', ...place }: Place,
  asked: string | undefined,
): Promise<string[]> {
  const secret = asked ?? place.secret;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${sql.ref(column)} = ${is}`.execute(tx.db);
  const blanked: string[] = [];
  for (const row of rows) {
    const changed: Row = {};
    const change = (name: string, after: string) => {
      if (after === row[name]) return;
      blanked.push(String(row[name]));
      changed[name] = after;
    };
    for (const name of texts) {
      const before = row[name];
      if (typeof before !== 'string') continue;
      change(
        name,
        name === 'openFiles' ? blankList(before, secret) : shorten(table, name, blank(before, secret)),
      );
    }
    for (const name of names) {
      if (secret && holds(row[name], secret)) change(name, `${REDACTED} ${apart || row.id}`);
    }
    if (Object.keys(changed).length === 0) continue;
    if (table === 'observations' && changed.content) changed.contentHash = hashOf(String(changed.content));
    let update = tx.db.updateTable(table).set(changed as never);
    for (const key of TABLES[table]) update = update.where(key as never, '=', row[key] as never);
    await update.execute();
  }
  return blanked;
}

function blank(text: string, secret: string | undefined): string {
  if (secret === undefined) return REDACTED;
  // The same letters may be written in two ways, composed and not.
  const forms = new Set([secret, secret.normalize('NFC'), secret.normalize('NFD')]);
  return [...forms].reduce((blanked, form) => blanked.replaceAll(form, REDACTED), text);
}

function blankList(json: string, secret: string | undefined): string {
  return JSON.stringify((JSON.parse(json) as string[]).map((each) => blank(each, secret)));
}

function shorten(table: Table, column: string, text: string): string {
  const longest = LONGEST[table]?.[column];
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

/** The index is told the text as it is now; what a model said of the old one goes. */
async function reindexRecord(tx: Tx, seq: number): Promise<void> {
  await removeDocument(tx, seq);
  for (const document of await everyDocument(tx, [seq])) await putDocument(tx, document);
}

/** Columns that hold ids, hashes and vectors, in which any few letters stand somewhere. */
const NO_TEXT = /^(id|contentHash|vector|kind|strength|outcome|relationship)$|(Id|Ref)$/;

/** Somewhere a text stands. */
export interface Standing {
  what: string;
  /** As {@link redactRecord} takes it. */
  id: string;
}

/** Where texts still stand, however their letters are written; at most twenty places. Every row is looked at. */
export async function placesOf(tx: Tx, { blanked, whole }: Redaction): Promise<Standing[]> {
  const found: Standing[] = [];
  const wanted = [...new Set(blanked)].filter((text) => !whole || text.length >= TELLING);
  for (const table of TABLE_NAMES) {
    for await (const row of rowsOf(tx, table)) {
      const values = Object.entries(row).filter(
        ([name, value]) => typeof value === 'string' && !NO_TEXT.test(name),
      );
      if (values.some(([, value]) => wanted.some((text) => holds(value, text))))
        found.push(standing(table, row));
      if (found.length === NAMED) return found;
    }
  }
  return found;
}

function standing(table: Table, row: Record<string, unknown>): Standing {
  const at = (what: string, id: unknown) => ({ what, id: String(id) });
  if (table === 'observationRevisions') return at('an earlier text of observation', row.observationId);
  if (table === 'relations') return at('a relation of observation', row.fromId);
  if (table === 'outcomes') return at('an outcome of decision', row.decisionId);
  if (table === 'keywords') return at('keyword', `keyword:${row.seq}`);
  return at(table.replace(/s$/, ''), row.id ?? TABLES[table].map((key) => row[key]).join(' '));
}

/** Lists are kept as JSON, in which the same text may be written in another way. */
function holds(value: unknown, text: string): boolean {
  const whole = folded(String(value ?? ''));
  return whole.includes(folded(text)) || whole.includes(folded(JSON.stringify(text).slice(1, -1)));
}

/** As keywords are, whatever a text is written like. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
