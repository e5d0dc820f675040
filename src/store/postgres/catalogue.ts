import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { IS_CITUS } from './citus.ts';
import { catalogue, withTrust } from './owners.ts';

/**
 * A schema, as `n`, and what is in it, as `d`. No other index leads from the one to the other: by another way the
 * catalogue of a thousand workspaces is read whole each time one of them is opened.
 */
const STANDING_IN = sql`pg_catalog.pg_namespace as n join pg_catalog.pg_depend as d
  on d.refclassid = ${catalogue('pg_namespace')} and d.refobjid = n.oid and d.refobjsubid = 0`;

/** The tables of a workspace; none before it is created. */
export async function tablesOf(db: QueryExecutorProvider, workspace: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from ${STANDING_IN}
    join pg_catalog.pg_class as c on d.classid = ${catalogue('pg_class')} and c.oid = d.objid
    where n.nspname = ${workspace} and c.relkind in ('r', 'p', 'v', 'f')`.execute(db);
  return rows.map(({ name }) => name);
}

/** What tells a memory from other schemas: the first table, the last of the first migration, and that of its history. */
const ITS_TABLES = ['decision_edges', 'search_postings', 'kysely_migration'];

/**
 * Whether a schema is there and holds a memory, and whether Citus distributes the database: one query.
 * @throws PrecedentError as {@link withTrust}
 */
export async function lookAt(
  db: QueryExecutorProvider,
  workspace: string,
): Promise<{ isMemory: boolean; isCitus: boolean }> {
  const { tables, isCitus } = await withTrust<{ tables: number; isCitus: boolean }>(
    db,
    workspace,
    sql`(
      select count(*) from pg_catalog.pg_class as c
      where c.relname = any(${ITS_TABLES}::text[]) and c.relkind = 'r'
        and c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${workspace})
    ) as tables, ${sql.raw(IS_CITUS)} as "isCitus"`,
  );
  return { isMemory: tables === ITS_TABLES.length, isCitus };
}

/** Objects named in a refusal at most. */
const NAMED = 5;

/**
 * What is in a schema besides the tables of a memory: tables, views, sequences and types that belong neither to one
 * of them nor to an extension.
 * @param own names of the memory's tables
 * @returns names, sorted; after five the number of the others
 */
export async function strangersIn(
  db: QueryExecutorProvider,
  workspace: string,
  own: string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(c.relname, t.typname) as name from ${STANDING_IN}
    left join pg_catalog.pg_class as c on d.classid = ${catalogue('pg_class')} and c.oid = d.objid
      and (c.relkind in ('v', 'm', 'f', 'S') or (c.relkind in ('r', 'p') and c.relname <> all(${own}::text[])))
    left join pg_catalog.pg_type as t on d.classid = ${catalogue('pg_type')} and t.oid = d.objid
      and t.typelem = '0'
    where n.nspname = ${workspace} and (c.oid is not null or t.oid is not null)
      and not exists (
        select 1 from pg_catalog.pg_depend as o
        where o.classid = d.classid and o.objid = d.objid and o.deptype in ('a', 'i', 'e')
      )
    order by coalesce(c.relname, t.typname) collate "C"`.execute(db);
  const names = rows.map(({ name }) => `"${name}"`);
  const more = names.length - NAMED;
  return more > 0 ? [...names.slice(0, NAMED), `${more} more`] : names;
}

/** A name is taken, or something depends on what is to be changed. */
const IN_THE_WAY = new Set(['42P07', '42710', '2BP01', '0A000']);

/** Whether a migration failed because of something in the schema that is not the memory's. */
export function isInTheWay(error: unknown): boolean {
  return error instanceof pg.DatabaseError && IN_THE_WAY.has(error.code ?? '');
}
