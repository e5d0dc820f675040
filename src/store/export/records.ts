import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { invalid } from '../../domain/error.ts';
import type { Filter } from '../../domain/filter/filter.ts';
import type { PlainKind } from '../../domain/kinds.ts';
import type { Relation } from '../../domain/relation.ts';
import { allOf, type Condition } from '../kinds/condition.ts';
import type { Row } from '../kinds/kind.ts';
import { STORED } from '../kinds/kinds.ts';
import { meantBy } from '../lists/meant.ts';
import { recordsOf } from '../lists/timeline.ts';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import { findRelations } from '../observations/relation.ts';
import { piecesOf } from '../rows.ts';
import { query } from '../statements.ts';
import type { Table } from '../tables.ts';
import type { Tx, Writer } from '../tx.ts';

/** Records listed at once, and those that are read whole: texts may be megabytes long. */
const [LISTED, READ] = [1_000, 25];

/** A record that is not a decision, as little of it as names and links need. */
export interface ListedRecord {
  /** Of an observation its number, of all others their id. */
  id: string;
  seq: number;
  title: string;
  createdAt: number;
}
export type OtherKind = 'observation' | PlainKind;

/** Characters of a text that its name may be made of. */
const BEGINNING = 200;

/** The chosen records of a kind, in the order in which they were saved. */
export async function listedRecords(tx: Tx, kind: OtherKind, chosen: Chosen): Promise<ListedRecord[]> {
  const { table, at, text, title = text } = STORED[kind];
  const isShown = kind === 'observation' ? sql`x.deleted_at is null` : sql`1 = 1`;
  const all: ListedRecord[] = [];
  for (;;) {
    const rows = await query<Omit<ListedRecord, 'id'> & { id: string | number }>(tx)`
      select x.id, x.seq, substr(${sql.ref(`x.${title}`)}, 1, ${sql.lit(BEGINNING)}) as title,
        ${sql.ref(`x.${at}`)} as created_at
      from ${sql.table(table)} as x join records as r on r.seq = x.seq
      where ${chosen.records} and x.seq > ${all.at(-1)?.seq ?? 0} and ${isShown}
      order by x.seq limit ${LISTED}`;
    append(
      all,
      rows.map((row) => ({ ...row, id: String(row.id) })),
    );
    if (rows.length < LISTED) return all;
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
  const rows = await query<{ id: number }>(tx)`
    select r.id from (${wanted}) as wanted join relations as r on r.from_id = wanted.id
    union select r.id from (${wanted}) as wanted join relations as r on r.to_id = wanted.id`;
  const found = await findRelations(
    tx,
    rows.map(({ id }) => id),
  );
  return found.sort((a, b) => a.id - b.id);
}

/** A plain record with who wrote it. */
export type PlainRow<T extends Table = Table> = Row<T> & Writer & { id: string; seq: number };

/** These plain records, a few at a time, in the order in which they were saved. */
export async function* wholePlain<T extends Table>(
  tx: Tx,
  kind: PlainKind,
  listed: readonly ListedRecord[],
): AsyncGenerator<PlainRow<T>[]> {
  for (const piece of piecesOf(listed, READ)) {
    const wanted = tx.lists.numbers(piece.map(({ seq }) => seq));
    const rows = await query<PlainRow<T>>(tx)`
      select t.*, w.author, w.host, w.client, w.session
      from (${wanted}) as wanted join ${sql.table(STORED[kind].table)} as t on t.seq = wanted.id
      join records as r on r.seq = t.seq join writers as w on w.id = r.writer order by t.seq`;
    yield rows;
  }
}

/** Which records an export takes along, as conditions. Mistakes and what was deleted are in none (K-6). */
export interface Chosen {
  /** On `decisions as d`: a chain comes whole when one of its versions passes. */
  chains: Condition;
  /** On `records as r`. */
  records: Condition;
  /** Whether anything was asked for. */
  isPart: boolean;
}

/**
 * What a filter leaves for an export (I-5, U-4).
 * @throws PrecedentError `not_found` for a name that nothing has; `invalid` for a state other than `active`, since a chain
 *   comes whole
 */
export async function chosenBy(tx: Tx, { state, ...filter }: Filter): Promise<Chosen> {
  if (state !== undefined && state !== 'active' && state !== 'any')
    throw invalid.wrong_filter(
      `Expected state:active or no state, found state:${state}: a chain of versions is exported whole.`,
    );
  const passing = recordsOf(tx, await meantBy(tx, filter));
  const records = allOf([sql`r.retracted_at is null`, passing]);
  const versions = allOf([records, state === 'active' ? sql`p.is_active = 1` : undefined]);
  return {
    chains: sql`d.root_id in (select p.root_id from decisions as p join records as r on r.seq = p.seq where ${versions})`,
    records,
    isPart: passing !== undefined || state === 'active',
  };
}
