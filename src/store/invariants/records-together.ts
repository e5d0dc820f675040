import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { RECORD_KINDS, type RecordKind } from '../../domain/kinds.ts';
import { KINDS_WITH_ID, STORED } from '../kinds/kinds.ts';
import { NUMBERED, TABLES, type Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import { type Finding, findingOf } from './finding.ts';
import type { Broken, Row } from './rule.ts';
import { LARGEST_NUMBER } from './value.ts';

const KINDS = RECORD_KINDS.map((kind) => [kind, STORED[kind].table] as const);

type Numbered = (typeof NUMBERED)[number];
/** The last number that each numbered table gave out. */
export type Last = Record<Numbered, number>;

/** Of a memory that gave out none. */
export const NONE_GIVEN_OUT = Object.fromEntries(NUMBERED.map((table) => [table, 0])) as Last;

/** What a memory gave out. One that is too large to be read counts as the largest that can be. */
export async function lastGivenOut(tx: Tx): Promise<Last> {
  const last = { ...NONE_GIVEN_OUT };
  for (const table of NUMBERED) {
    last[table] = await tx.numbering.last(tx.db, table).catch((error: unknown) => {
      if (tx.fault(error).kind !== 'bug') throw error;
      return Number.MAX_SAFE_INTEGER;
    });
  }
  return last;
}

/** What the list of records, its tables and the numbers given out ask of each other. */
export async function recordsTogether(tx: Tx, limit: number, last: Last): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [kind, table] of KINDS) {
    append(found, await empty(tx, kind, table, limit));
    append(found, await ofAnotherKind(tx, kind, table, limit));
  }
  append(found, await sharedIds(tx, limit));
  for (const table of NUMBERED) append(found, wrongNumbering(table, last[table], await highestOf(tx, table)));
  append(found, await neverGivenOut(tx, limit, last));
  return found;
}

/** Records without a row in the table of their kind. */
async function empty(tx: Tx, kind: RecordKind, table: Table, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select r.seq from records as r where r.kind = ${kind}
      and not exists (select 1 from ${sql.table(table)} as t where t.seq = r.seq)
    order by r.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('records', row, { expected: `a row in ${table}, as its kind "${kind}" says`, found: 'none' }),
  );
}

async function ofAnotherKind(tx: Tx, kind: RecordKind, table: Table, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select r.seq, r.kind from ${sql.table(table)} as t join records as r on r.seq = t.seq
    where r.kind <> ${kind} order by r.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('records', row, {
      expected: `the kind "${kind}", since it has a row in ${table}`,
      found: `"${row.kind}"`,
      mended: true,
    }),
  );
}

/** Gives each record the kind of the table that holds it. */
export async function repairKinds(tx: Tx): Promise<void> {
  for (const [kind, table] of KINDS) {
    await sql`update records set kind = ${kind} where kind <> ${kind}
      and seq in (select seq from ${sql.table(table)})`.execute(tx.db);
  }
}

/** Records that people name by an id: no two of any kind share one. */
async function sharedIds(tx: Tx, limit: number): Promise<Finding[]> {
  const ids = sql.join(
    KINDS_WITH_ID.map((kind) => {
      const { table } = STORED[kind];
      return sql`select ${sql.lit(table)} as name, id from ${sql.table(table)}`;
    }),
    sql` union all `,
  );
  const { rows } = await sql<{ id: string; name: Table }>`
    select id, max(name) as name from (${ids}) as every_id group by id having count(*) > 1
    order by id limit ${limit}`.execute(tx.db);
  const found: Finding[] = [];
  for (const { id, name } of rows) {
    const same = await sql<Row>`select * from ${sql.table(name)} where id = ${id}`.execute(tx.db);
    const broken = { expected: 'an id of its own', found: 'that of a record of another kind' };
    append(
      found,
      same.rows.slice(0, 1).map((row) => findingOf(name, row, broken)),
    );
  }
  return found;
}

/** Numbers that were given out are counted, and enough of them are left. */
function wrongNumbering(table: Numbered, last: number, highest: number): Finding[] {
  const finding = (broken: Broken): Finding[] => [
    { ...findingOf(table, {}, broken), record: `the numbers of ${table}` },
  ];
  if (last > LARGEST_NUMBER)
    return finding({ expected: `numbers up to ${LARGEST_NUMBER}`, found: `that ${last} was given out` });
  if (last >= highest) return [];
  return finding({ expected: `to go on after ${highest}`, found: `to go on after ${last}`, mended: true });
}

/** Continues the numbering of each table after its highest number. */
export async function repairNumbering(tx: Tx): Promise<void> {
  for (const table of NUMBERED) {
    const highest = await highestOf(tx, table);
    if (highest <= LARGEST_NUMBER) await tx.numbering.raise(tx.db, table, highest);
  }
}

async function highestOf(tx: Tx, table: Numbered): Promise<number> {
  const [key = ''] = TABLES[table];
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(${sql.ref(key)}), 0) as last from ${sql.table(table)}`.execute(tx.db);
  return rows[0]?.last ?? 0;
}

/** What rows remember of records that may be gone: their numbers were given out once. */
async function neverGivenOut(tx: Tx, limit: number, last: Last): Promise<Finding[]> {
  return [
    ...(await above(tx, 'evidence', 'observationId', last.observations, limit)),
    ...(await above(tx, 'redactions', 'recordSeq', last.records, limit)),
    ...(await above(tx, 'changes', 'recordSeq', last.records, limit)),
    ...(await above(tx, 'saves', 'lastRecord', last.records, limit)),
    ...(await above(tx, 'saves', 'lastChange', last.changes, limit)),
  ];
}

async function above(tx: Tx, table: Table, column: string, last: number, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${sql.ref(column)} > ${last}
    order by ${sql.join((TABLES[table] as string[]).map((key) => sql.ref(key)))} limit ${limit}`.execute(
    tx.db,
  );
  return rows.map((row) =>
    findingOf(table, row, {
      expected: `${column} to be a number that was given out, at most ${last}`,
      found: String(row[column]),
    }),
  );
}
