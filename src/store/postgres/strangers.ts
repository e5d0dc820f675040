import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';

/** Objects named in a refusal at most. */
const NAMED = 5;

/**
 * What stands in a schema beside the tables of a memory: tables, views, sequences and types that belong neither to one
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
    select name from (
      select 'pg_class'::regclass as catalog, oid, relname as name, relnamespace as schema from pg_catalog.pg_class
      where relkind in ('v', 'm', 'f', 'S') or (relkind in ('r', 'p') and relname <> all(${own}::text[]))
      union all select 'pg_type'::regclass, oid, typname, typnamespace from pg_catalog.pg_type
      where typelem = 0 and (typrelid = 0 or typrelid in (select oid from pg_catalog.pg_class where relkind = 'c'))
    ) as object
    where schema = (select oid from pg_catalog.pg_namespace where nspname = ${workspace})
      and not exists (
        select 1 from pg_catalog.pg_depend as d
        where d.classid = object.catalog and d.objid = object.oid and d.deptype in ('a', 'i', 'e')
      )
    order by name collate "C"`.execute(db);
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
