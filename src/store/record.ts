import { sql } from 'kysely';
import type { RecordKind } from './schema.ts';
import type { Author, Unit } from './unit.ts';

/**
 * Enters a new record of any kind, with who wrote it (D-14).
 * @returns its `seq`, under which the noun's own table holds it
 */
export async function insertRecord(
  unit: Unit,
  kind: RecordKind,
  session = unit.author.session,
): Promise<number> {
  const [seq] = await insertRecords(unit, kind, 1, session);
  return seq as number;
}

/** Enters several new records at once. @returns their `seq`s, ascending */
export async function insertRecords(
  unit: Unit,
  kind: RecordKind,
  count: number,
  session = unit.author.session,
): Promise<number[]> {
  const record = sql`(${kind}, ${session}, ${unit.author.client})`;
  const { rows } = await sql<{ seq: number }>`
    insert into records (kind, session_id, client) values ${sql.join(Array.from({ length: count }, () => record))}
    returning seq`.execute(unit.db);
  return rows.map(({ seq }) => seq).sort((a, b) => a - b);
}

/** Who wrote each of these decisions, by decision id. */
export async function authorsOf(unit: Unit, decisionIds: string[]): Promise<Map<string, Author>> {
  const rows = await unit.db
    .selectFrom('decisions')
    .innerJoin('records', 'records.seq', 'decisions.seq')
    .select(['decisions.id', 'records.sessionId as session', 'records.client'])
    .where('decisions.id', 'in', decisionIds)
    .execute();
  return new Map(rows.map(({ id, ...author }) => [id, author]));
}
