import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { STANDING_IN } from './catalogue.ts';

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
    select coalesce(c.relname, t.typname) as name from ${STANDING_IN}
    left join pg_catalog.pg_class as c on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid
      and (c.relkind in ('v', 'm', 'f', 'S') or (c.relkind in ('r', 'p') and c.relname <> all(${own}::text[])))
    left join pg_catalog.pg_type as t on d.classid = 'pg_catalog.pg_type'::regclass and t.oid = d.objid
      and t.typelem = 0
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
