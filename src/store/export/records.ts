import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { Relation } from '../../domain/relation.ts';
import { textsIn } from '../json-list.ts';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import { findRelations } from '../observations/relation.ts';
import type { Tx, Writer } from '../tx.ts';
import type { Chosen } from './chosen.ts';

/** Records told of at once, and those that are read whole: texts may be megabytes long. */
const [TOLD, READ] = [1_000, 25];

/** A record that is no decision, as little of it as names and links need. */
export interface RecordTold {
  /** Of an observation its number, of all others their id. */
  id: string;
  seq: number;
  title: string;
  createdAt: number;
}
export type OtherKind = 'observation' | 'checkpoint' | 'memo';

/** Where each kind is, what it is known by, and what it is called. */
const TABLES: Record<OtherKind, { table: string; id: string; title: string; more: string }> = {
  observation: { table: 'observations', id: 'id', title: 'title', more: 'and x.deleted_at is null' },
  checkpoint: { table: 'checkpoints', id: 'id', title: 'summary', more: '' },
  memo: { table: 'memos', id: 'id', title: 'summary', more: '' },
};
/** Characters of a text that its name may be made of. */
const BEGINNING = 200;

/** The chosen records of a kind, in the order in which they were saved. */
export async function toldRecords(tx: Tx, kind: OtherKind, chosen: Chosen): Promise<RecordTold[]> {
  const { table, id, title, more } = TABLES[kind];
  const all: RecordTold[] = [];
  for (;;) {
    const { rows } = await sql<Omit<RecordTold, 'id'> & { id: string | number }>`
      select ${sql.ref(`x.${id}`)} as id, x.seq, substr(${sql.ref(`x.${title}`)}, 1, ${sql.lit(BEGINNING)}) as title,
        x.created_at
      from ${sql.table(table)} as x join records as r on r.seq = x.seq
      where ${chosen.records} and x.seq > ${all.at(-1)?.seq ?? 0} ${sql.raw(more)}
      order by x.seq limit ${TOLD}`.execute(tx.db);
    append(
      all,
      rows.map((row) => ({ ...row, id: String(row.id) })),
    );
    if (rows.length < TOLD) return all;
  }
}

/** An observation with its relations. */
export interface ObservationWhole extends StoredObservation {
  relations: Relation[];
}

/** These observations whole, a few at a time, in the order of their numbers. */
export async function* wholeObservations(tx: Tx, numbers: number[]): AsyncGenerator<ObservationWhole> {
  for (let start = 0; start < numbers.length; start += READ) {
    const piece = numbers.slice(start, start + READ);
    const rows = (await findObservations(tx, piece)).sort((a, b) => a.id - b.id);
    const relations = await relationsAt(tx, piece);
    for (const row of rows) {
      const own = relations.filter(({ fromId, toId }) => fromId === row.id || toId === row.id);
      yield { ...row, relations: own };
    }
  }
}

async function relationsAt(tx: Tx, numbers: number[]): Promise<Relation[]> {
  const wanted = tx.lists.numbers(numbers);
  const { rows } = await sql<{ id: number }>`
    select r.id from (${wanted}) as wanted join relations as r on r.from_id = wanted.id
    union select r.id from (${wanted}) as wanted join relations as r on r.to_id = wanted.id`.execute(tx.db);
  const found = await findRelations(
    tx,
    rows.map(({ id }) => id),
  );
  return found.sort((a, b) => a.id - b.id);
}

/** These checkpoints with who wrote them, a few at a time. */
export async function* wholeCheckpoints(
  tx: Tx,
  told: readonly RecordTold[],
): AsyncGenerator<Checkpoint & Writer> {
  for (let start = 0; start < told.length; start += READ) {
    const seqs = told.slice(start, start + READ).map(({ seq }) => seq);
    const { rows } = await sql<Omit<Checkpoint, 'openFiles'> & Writer & { openFiles: string }>`
      select c.id, c.summary, c.next_steps, c.open_files, c.created_at, w.author, w.host, w.client, w.session
      from (${tx.lists.numbers(seqs)}) as wanted join checkpoints as c on c.seq = wanted.id
      join records as r on r.seq = c.seq join writers as w on w.id = r.writer order by c.seq`.execute(tx.db);
    yield* rows.map((row) => ({ ...row, openFiles: textsIn(row.openFiles) }));
  }
}

/** A memo with what it is about. */
export interface MemoWhole extends Writer {
  id: string;
  summary: string;
  fullText: string;
  createdAt: number;
  /** Names of the keywords that it is about, sorted. */
  keywords: string[];
}

/** These memos with who wrote them, a few at a time. */
export async function* wholeMemos(tx: Tx, told: readonly RecordTold[]): AsyncGenerator<MemoWhole> {
  for (let start = 0; start < told.length; start += READ) {
    const wanted = tx.lists.numbers(told.slice(start, start + READ).map(({ seq }) => seq));
    const { rows } = await sql<Omit<MemoWhole, 'keywords'> & { seq: number }>`
      select m.seq, m.id, m.summary, m.full_text, m.created_at, w.author, w.host, w.client, w.session
      from (${wanted}) as wanted join memos as m on m.seq = wanted.id
      join records as r on r.seq = m.seq join writers as w on w.id = r.writer order by m.seq`.execute(tx.db);
    const about = await sql<{ seq: number; name: string }>`
      select l.memo_seq as seq, k.name from (${wanted}) as wanted
      join memo_links as l on l.memo_seq = wanted.id and l.depth = 0
      join keywords as k on k.seq = l.keyword_seq order by l.memo_seq, k.name`.execute(tx.db);
    for (const { seq, ...memo } of rows) {
      const keywords = about.rows.filter((each) => each.seq === seq).map(({ name }) => name);
      yield { ...memo, keywords };
    }
  }
}
