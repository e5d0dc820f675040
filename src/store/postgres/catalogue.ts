import { type QueryExecutorProvider, sql } from 'kysely';
import { IS_CITUS } from './citus.ts';
import { withTrust } from './owners.ts';
import { SCHEMA } from './rows.ts';

const HERE = sql`c.relnamespace = (select n.oid from pg_catalog.pg_namespace as n where n.nspname = ${sql.lit(SCHEMA)})`;

/** The tables of the schema, and the views of a workspace; none before it is created. */
export async function tablesOf(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_catalog.pg_class as c
    where ${HERE} and c.relkind in ('r', 'p', 'v')`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Whether Citus distributes the database, whether a memory's tables are there, and, where none of these is, something of
 * somebody else's: one query.
 * @throws PrecedentError as {@link withTrust}
 */
export async function lookAt(db: QueryExecutorProvider) {
  const { made, any, isCitus } = await withTrust<{ made: number; any: number; isCitus: boolean }>(
    db,
    sql`(select count(*) from pg_catalog.pg_class as c where ${HERE}
        and c.relname in ('workspaces', 'kysely_migration', 'all_search_postings') and c.relkind in ('r', 'p')) as made,
      (select count(*) from pg_catalog.pg_class as c where ${HERE}) as "any", ${sql.raw(IS_CITUS)} as "isCitus"`,
  );
  return { isCitus, isMade: made === 3, isOthers: made < 3 && any > 0 };
}
