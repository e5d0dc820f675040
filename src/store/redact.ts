import { sql } from 'kysely';
import { PrecedentError } from '../domain/error.ts';
import { REDACTED } from '../domain/redaction.ts';
import { findDecision } from './decision.ts';
import { putDocument, removeDocument } from './document.ts';
import { hashOf } from './observation.ts';
import { insertRecord } from './record.ts';
import { everyDocument } from './reindex.ts';
import type { RecordKind } from './schema.ts';
import { rowsOf, TABLES, type Table } from './stream.ts';
import type { Unit } from './unit.ts';

/** A secret shorter than this would blank half of a text. */
const SHORTEST = 4;
/** Places that are named in which the same text still stands. */
const NAMED = 20;

/** What was blanked, and where the same text still stands. */
export interface Redaction {
  kind: RecordKind;
  id: string;
  /** Texts that were changed, revisions and notes included. */
  texts: number;
  /** Other records that hold the same text, as `table id`; at most twenty. */
  remaining: string[];
}

type Value = string | number | null;
type Row = Record<string, Value>;

/** A record that may hold a secret, and where its texts stand. */
interface Target {
  kind: RecordKind;
  seq: number;
  id: string;
  places: { table: Table; column: string; is: Value; texts: string[] }[];
}

/** Kinds that are found by an id of their own, with their texts. */
const BY_ID = {
  evidence: ['content'],
  anchors: ['hint'],
  checkpoints: ['summary', 'nextSteps', 'openFiles'],
  memos: ['summary', 'fullText'],
} as const;
const KIND_OF = {
  evidence: 'evidence',
  anchors: 'anchor',
  checkpoints: 'checkpoint',
  memos: 'memo',
} as const;
/** The database refuses longer ones, and a blank may be longer than what it replaces. */
const LONGEST: Record<string, number> = { memos: 200 };

/**
 * Blanks the texts of one record, its revisions and its outcomes, and what the indexes hold of them; that it was done
 * stays on record. For an operator: nobody else changes a text.
 * @param reference id of a decision, evidence, anchor, checkpoint, memo, or the number of an observation
 * @param secret only this is blanked, wherever it stands in the record; without it every text is
 * @throws PrecedentError `not_found` when there is no such record, or it does not hold the secret
 */
export async function redactRecord(
  unit: Unit,
  reference: string,
  secret: string | undefined,
): Promise<Redaction> {
  if (secret !== undefined && secret.length < SHORTEST) {
    throw new PrecedentError(
      'invalid',
      `Expected a text of at least ${SHORTEST} characters to blank, found ${secret.length}.`,
    );
  }
  const target = await find(unit, reference);
  if (!target) {
    throw new PrecedentError(
      'not_found',
      `Expected the id of a decision, evidence, anchor, checkpoint or memo, or the number of an observation, found "${reference}", which does not exist.`,
    );
  }
  let texts = 0;
  for (const place of target.places) texts += await blankPlace(unit, place, secret);
  if (texts === 0) {
    throw new PrecedentError(
      'not_found',
      `Expected the text in ${target.kind} ${target.id}, found none of it there.`,
    );
  }
  await reindexRecord(unit, target.seq);
  const seq = await insertRecord(unit, 'redaction');
  await unit.db
    .insertInto('redactions')
    .values({ seq, recordSeq: target.seq, createdAt: unit.now })
    .execute();
  const remaining = secret === undefined ? [] : await placesOf(unit, secret);
  return { kind: target.kind, id: target.id, texts, remaining };
}

async function find(unit: Unit, reference: string): Promise<Target | undefined> {
  if (/^\d{1,15}$/.test(reference)) return findObservationTexts(unit, Number(reference));
  const decision = await findDecision(unit, reference);
  if (decision) {
    const { id } = decision;
    const row = await unit.db
      .selectFrom('decisions')
      .select('seq')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const texts = ['text', 'reasoning', 'outcomeReason'];
    const places = [
      { table: 'decisions', column: 'id', is: id, texts },
      { table: 'outcomes', column: 'decisionId', is: id, texts: ['reason'] },
    ] as const;
    return {
      kind: 'decision',
      seq: row.seq,
      id,
      places: places.map((place) => ({ ...place, texts: [...place.texts] })),
    };
  }
  for (const [table, texts] of Object.entries(BY_ID) as [keyof typeof BY_ID, readonly string[]][]) {
    const row = await unit.db.selectFrom(table).select('seq').where('id', '=', reference).executeTakeFirst();
    if (!row) continue;
    const place = { table, column: 'id', is: reference, texts: [...texts] };
    return { kind: KIND_OF[table], seq: row.seq, id: reference, places: [place] };
  }
  return undefined;
}

async function findObservationTexts(unit: Unit, id: number): Promise<Target | undefined> {
  const row = await unit.db.selectFrom('observations').select('seq').where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const both = ['title', 'content'];
  return {
    kind: 'observation',
    seq: row.seq,
    id: String(id),
    places: [
      { table: 'observations', column: 'id', is: id, texts: both },
      { table: 'observationRevisions', column: 'observationId', is: id, texts: both },
      { table: 'relations', column: 'fromId', is: id, texts: ['note'] },
      { table: 'relations', column: 'toId', is: id, texts: ['note'] },
    ],
  };
}

/** @returns how many texts changed */
async function blankPlace(
  unit: Unit,
  { table, column, is, texts }: Target['places'][number],
  secret: string | undefined,
): Promise<number> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${sql.ref(column)} = ${is}`.execute(unit.db);
  let count = 0;
  for (const row of rows) {
    const changed: Row = {};
    for (const text of texts) {
      const before = row[text];
      if (typeof before !== 'string') continue;
      const after =
        text === 'openFiles' ? blankList(before, secret) : shorten(table, text, blank(before, secret));
      if (after !== before) changed[text] = after;
    }
    count += Object.keys(changed).length;
    if (Object.keys(changed).length === 0) continue;
    if (table === 'observations' && changed.content) changed.contentHash = hashOf(String(changed.content));
    let update = unit.db.updateTable(table).set(changed as never);
    for (const key of TABLES[table]) update = update.where(key as never, '=', row[key] as never);
    await update.execute();
  }
  return count;
}

function blank(text: string, secret: string | undefined): string {
  return secret === undefined ? REDACTED : text.replaceAll(secret, REDACTED);
}

function blankList(json: string, secret: string | undefined): string {
  return JSON.stringify((JSON.parse(json) as string[]).map((each) => blank(each, secret)));
}

function shorten(table: string, column: string, text: string): string {
  const longest = column === 'fullText' ? 500 : LONGEST[table];
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

/** The index is told the text as it is now; what a model said of the old one goes. */
async function reindexRecord(unit: Unit, seq: number): Promise<void> {
  await removeDocument(unit, seq);
  for (const document of await everyDocument(unit, [seq])) await putDocument(unit, document);
}

/** Where a text still stands, as table and key. */
async function placesOf(unit: Unit, secret: string): Promise<string[]> {
  const found: string[] = [];
  // In a list that is kept as JSON it may be written in another way.
  const written = JSON.stringify(secret).slice(1, -1);
  for (const table of Object.keys(TABLES) as Table[]) {
    for await (const row of rowsOf(unit, table)) {
      const holds = Object.values(row).some(
        (value) => typeof value === 'string' && (value.includes(secret) || value.includes(written)),
      );
      if (holds) found.push(`${table} ${row.id ?? TABLES[table].map((key) => row[key]).join(' ')}`);
      if (found.length === NAMED) return found;
    }
  }
  return found;
}
