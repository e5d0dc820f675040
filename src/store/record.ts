import { type RawBuilder, sql } from 'kysely';
import { append } from '../domain/append.ts';
import type { ChangeKind } from '../domain/change.ts';
import type { RecordKind } from '../domain/kinds.ts';
import { removeDocuments } from './document.ts';
import { insertRow, requireRow } from './rows.ts';
import { query } from './statements.ts';
import type { Table } from './tables.ts';
import type { Tx, Writer, WriterRow } from './tx.ts';
import { writerRow } from './writer.ts';

/** The number of the newest record of any kind; 0 before there is one. */
export async function newestRecord(tx: Tx): Promise<number> {
  const rows = await query<{ newest: number | null }>(tx)`select max(seq) as newest from records`;
  return rows[0]?.newest ?? 0;
}

/** Of `kept_facts` the fields of a record, and of its texts (J-5). @param uid of the record */
export const ofKeptFields = (uid: string): RawBuilder<unknown> =>
  sql`format = 0 and (id = ${uid} or id like ${`${uid}@%`})`;

/**
 * Inserts a record of any kind, with who writes it (D-14).
 * @param writer default: the transaction's
 * @returns its `seq`, by which the noun's own table refers to it
 */
export async function insertRecord(tx: Tx, kind: RecordKind, writer?: WriterRow): Promise<number> {
  const [seq] = await insertRecordsOf(tx, kind, [{ writer: writer ?? (await writerRow(tx)) }]);
  return seq as number;
}

/** Inserts several records at once. @returns their `seq`s, ascending */
export async function insertRecords(tx: Tx, kind: RecordKind, count: number): Promise<number[]> {
  const writer = await writerRow(tx);
  const made = Array.from({ length: count }, () => ({ writer }));
  return insertRecordsOf(tx, kind, made);
}

/** {@link insertRecords} of several writers, in this order, and with the ids that some have elsewhere (Y-6). */
export async function insertRecordsOf(
  tx: Tx,
  kind: RecordKind,
  records: readonly { writer: WriterRow; uid?: string }[],
): Promise<number[]> {
  const values = records.map(
    ({ writer, uid = null }) => sql`(${kind}, ${writer.id}, ${writer.session}, ${uid})`,
  );
  const rows = await query<{ seq: number }>(tx)`
    insert into records (kind, writer, session, uid) values ${sql.join(values)} returning seq`;
  const seqs = rows.map(({ seq }) => seq).sort((a, b) => a - b);
  // Keywords of a conversation are not a save.
  if (kind !== 'keyword') append(tx.saved.records, seqs);
  return seqs;
}

/**
 * A record that was not retracted, as a condition on the number of it: what was undone is kept, and shown to those who ask for
 * its id.
 */
export const notRetracted = (seq: string) =>
  sql`not exists (select 1 from records as mistaken where mistaken.seq = ${sql.ref(seq)} and mistaken.retracted_at is not null)`;

/** A table's rows with the number of their record, and which of them pass. */
export interface Passing {
  kind: RecordKind;
  from: RawBuilder<unknown>;
  seq: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
}

/** Evidence with its decision, which says whether it passes. */
export const EVIDENCE = sql`evidence as e join decisions as d on d.id = e.decision_ref`;

/**
 * The records that pass, as a condition on `records as r`.
 * @param areFew whether an index names the few that pass: these are then read once. Otherwise each record is looked up,
 *   since there are more rows in a table than a search has hits
 */
export function passing({ kind, from, seq, where }: Passing, areFew: boolean): RawBuilder<unknown> {
  const found = areFew
    ? sql`r.seq in (select ${seq} from ${from} where ${where})`
    : sql`exists (select 1 from ${from} where ${seq} = r.seq and ${where})`;
  return sql`(r.kind = ${sql.lit(kind)} and ${found})`;
}

/**
 * Marks a record as undone, or a memo as deleted: no search finds it, no list shows it (K-6). Nothing of it goes.
 * @returns false when it was one already
 */
export async function retract(
  tx: Tx,
  seq: number,
  kind: 'retracted' | 'deleted' = 'retracted',
  after?: ChangedValues,
): Promise<boolean> {
  if (!(await setMark(tx, seq, tx.now))) return false;
  await removeDocuments(tx, [seq]);
  await recordChange(tx, kind, seq, { ...(after && { after }) });
  return true;
}

/** Takes the mark away; the caller makes the record findable again. @returns false when it had none */
export async function reinstate(
  tx: Tx,
  seq: number,
  kind: 'reinstated' | 'restored' = 'reinstated',
): Promise<boolean> {
  if (!(await setMark(tx, seq, null))) return false;
  await recordChange(tx, kind, seq);
  return true;
}

/** Sets the mark of a record, or takes it away. @returns false when that was so already */
async function setMark(tx: Tx, seq: number, retractedAt: number | null): Promise<boolean> {
  const other = retractedAt === null ? sql`is not null` : sql`is null`;
  const marked = await query(tx)`update records set retracted_at = ${retractedAt}
    where seq = ${seq} and retracted_at ${other} returning seq`;
  return marked.length > 0;
}

/** Which of these records were undone, or are deleted memos. */
export async function retractedAmong(tx: Tx, seqs: number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set();
  const rows = await query<{ seq: number }>(tx)`
    select r.seq from (${tx.lists.numbers(seqs)}) as wanted join records as r on r.seq = wanted.id
    where r.retracted_at is not null`;
  return new Set(rows.map(({ seq }) => seq));
}

/** Who undid each of these versions last, and when, by its id. */
export async function undoersOf(tx: Tx, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await query<Pick<Writer, 'author' | 'client'> & { id: string; at: number }>(tx)`
    select d.id, c.created_at as at, w.author, w.client from (${tx.lists.texts(ids)}) as wanted
    join decisions as d on d.id = wanted.id join changes as c on c.record_seq = d.seq and c.kind = 'retracted'
    join writers as w on w.id = c.writer order by c.seq`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a record is one, by its own id. */
export async function isRetracted(tx: Tx, table: Table, id: string): Promise<boolean> {
  const rows = await query(tx)`
    select 1 from ${sql.table(table)} as t join records as r on r.seq = t.seq
    where t.id = ${id} and r.retracted_at is not null`;
  return rows.length > 0;
}

/** Small values that a change replaced or brought: names, numbers, never a text. */
export type ChangedValues = Record<string, string | number | null>;

/**
 * Writes down that something changed which no record of its own tells of (U-5): a decision's versions and outcomes, and
 * an observation's texts, have their own history.
 * @param recordSeq the record that changed, by its number in the list of records; null when it is about none
 */
export async function recordChange(
  tx: Tx,
  kind: ChangeKind,
  recordSeq: number | null,
  { before, after }: { before?: ChangedValues; after?: ChangedValues } = {},
): Promise<void> {
  const { seq } = await insertRow(tx, 'changes', {
    recordSeq,
    kind,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    createdAt: tx.now,
    writer: (await writerRow(tx)).id,
  });
  tx.saved.changes.push(seq);
}

/** The changes of a kind that happened to these records, oldest first, and who made them. @param of their numbers, as a subquery */
export const changesOf = (tx: Tx, kind: ChangeKind, of: RawBuilder<unknown>) =>
  query<{ before: string | null; at: number; author: string; client: string }>(tx)`
    select c.before, c.created_at as at, w.author, w.client from changes as c join writers as w on w.id = c.writer
    where c.kind = ${kind} and c.record_seq in (${of}) order by c.seq`;

/** Whether a change brought the text after a revision, both by their names in a statement. */
export const isOfRevision = (change: string, revision: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${change}.after`)} = '{"revision":' || ${sql.ref(`${revision}.revision`)} || '}'`;

/** The saves that are undone now: an undo that was undone itself, by a redo, counts no more (K-6). */
export async function undoneSaves(tx: Tx): Promise<Set<number>> {
  const rows = await query<{ id: number; undoes: number }>(tx)`
    select id, undoes from saves where undoes is not null order by id desc`;
  const undone = new Set<number>();
  // What undid a save comes after it.
  for (const { id, undoes } of rows) if (!undone.has(id)) undone.add(undoes);
  return undone;
}

/**
 * Whether a save undid what was saved, and did not bring it back again: a redo undoes an undo.
 * @param undoes the save that it undid; null: none
 */
export async function isUndoing(tx: Tx, undoes: number | null): Promise<boolean> {
  let isUndo = false;
  for (let at = undoes; at !== null; ) {
    isUndo = !isUndo;
    at = (await requireRow(tx, 'saves', { id: at })).undoes;
  }
  return isUndo;
}
