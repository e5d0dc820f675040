import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { rowsOf } from '../rows.ts';
import { TABLE_NAMES, TABLES, type Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import { checkRow } from './check-row.ts';
import { decisionsTogether } from './decisions-together.ts';
import { type Finding, findingOf } from './finding.ts';
import { memosTogether } from './memos-together.ts';
import { observationsTogether } from './observations-together.ts';
import { type Last, lastGivenOut, recordsTogether } from './records-together.ts';
import { rulesOf } from './rows.ts';
import type { Row } from './rule.ts';
import { unusualIn } from './unusual.ts';

/** Findings of one rule, or of the rows of one table by themselves: a message of a thousand lines tells enough. */
const MOST = 1_000;

/**
 * What rows that are right by themselves ask of each other. Reads every row once or twice, with statements that take the
 * longer, the more a memory holds.
 * @param last the last numbers that were given out, which a stream says before the memory goes on from them
 * @param limit how many findings of each rule
 */
export async function checkTogether(tx: Tx, last: Last, limit: number): Promise<Finding[]> {
  return [
    ...(await recordsTogether(tx, limit, last)),
    ...(await decisionsTogether(tx, limit)),
    ...(await observationsTogether(tx, limit)),
    ...(await memosTogether(tx, limit)),
  ];
}

/** What there is to say of all rows of a memory. */
export interface Examined {
  /** Rules that rows break, by themselves and together. */
  findings: Finding[];
  /** What earlier versions wrote otherwise than this one, which breaks no rule. */
  unusual: Finding[];
}

export async function examine(tx: Tx): Promise<Examined> {
  const unusual: Finding[] = [];
  const findings: Finding[] = [];
  for (const table of TABLE_NAMES) append(findings, await examineTable(tx, table, unusual));
  append(findings, await checkTogether(tx, await lastGivenOut(tx), MOST));
  return { findings, unusual };
}

async function examineTable(tx: Tx, table: Table, unusual: Finding[]): Promise<Finding[]> {
  const found: Finding[] = [];
  try {
    for await (const row of rowsOf(tx, table)) {
      const broken = checkRow(table, row);
      append(found, broken);
      if (broken.length === 0 && unusual.length < MOST) append(unusual, unusualIn(table, row));
      if (found.length >= MOST) break;
    }
  } catch (error) {
    if (tx.fault(error).kind !== 'bug') throw error;
    append(found, await unreadable(tx, table));
  }
  return found;
}

/** Rows with a number that is too large to be read: some drivers refuse the whole row. */
async function unreadable(tx: Tx, table: Table): Promise<Finding[]> {
  const broken = { expected: `numbers up to ${Number.MAX_SAFE_INTEGER}`, found: 'one that cannot be read' };
  const beyond = Object.keys(rulesOf(table).columns).map(
    (column) =>
      sql`${sql.ref(column)} > ${Number.MAX_SAFE_INTEGER} or ${sql.ref(column)} < ${Number.MIN_SAFE_INTEGER}`,
  );
  const key = sql.join((TABLES[table] as string[]).map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`
    select ${key} from ${sql.table(table)} where ${sql.join(beyond, sql` or `)} order by ${key} limit ${MOST}`
    .execute(tx.db)
    .catch(() => ({ rows: [] }));
  const named = rows.map((row) => ({
    ...findingOf(table, row, broken),
    record: `${table} ${Object.values(row).join(' ')}`,
  }));
  return named.length > 0 ? named : [{ ...findingOf(table, {}, broken), record: `a row of ${table}` }];
}
