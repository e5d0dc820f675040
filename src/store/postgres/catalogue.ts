import { type QueryExecutorProvider, sql } from 'kysely';
import { IS_CITUS } from './citus.ts';

/**
 * A schema, as `n`, and what stands in it, as `d`. No other index leads from the one to the other: by another way the
 * catalogue of a thousand workspaces is read whole each time one of them is opened.
 */
export const STANDING_IN = sql`pg_catalog.pg_namespace as n join pg_catalog.pg_depend as d
  on d.refclassid = 'pg_catalog.pg_namespace'::regclass and d.refobjid = n.oid and d.refobjsubid = 0`;

/** The tables of a workspace; none before it is created. */
export async function tablesOf(db: QueryExecutorProvider, workspace: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from ${STANDING_IN}
    join pg_catalog.pg_class as c on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid
    where n.nspname = ${workspace} and c.relkind in ('r', 'p', 'v', 'f')`.execute(db);
  return rows.map(({ name }) => name);
}

/** What tells a memory from other schemas: the first table, the last of the first migration, and that of its history. */
const ITS_TABLES = ['decision_edges', 'search_postings', 'kysely_migration'];

/** Whether a schema is there and holds a memory, and whether Citus distributes the database: one query. */
export async function lookAt(
  db: QueryExecutorProvider,
  workspace: string,
): Promise<{ isMemory: boolean; isCitus: boolean }> {
  const { rows } = await sql<{ tables: number; isCitus: boolean }>`
    select count(*) as tables, ${sql.raw(IS_CITUS)} as "isCitus" from pg_catalog.pg_class as c
    where c.relname = any(${ITS_TABLES}::text[]) and c.relkind = 'r'
      and c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${workspace})`.execute(
    db,
  );
  const [{ tables, isCitus } = { tables: 0, isCitus: false }] = rows;
  return { isMemory: tables === ITS_TABLES.length, isCitus };
}
