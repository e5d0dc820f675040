import { type QueryExecutorProvider, sql } from 'kysely';
import { IS_CITUS } from './citus.ts';
import { type Answer, checkEntered, STRANGE } from './owners.ts';
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
 * @throws PrecedentError `unavailable` for a schema or tables of a role that is not trusted
 */
export async function lookAt(db: QueryExecutorProvider) {
  const { rows } = await sql<Answer & { made: number; any: number; isCitus: boolean }>`with ${STRANGE} select
    (select count(*) from pg_catalog.pg_class as c where ${HERE}
      and c.relname in ('workspaces', 'kysely_migration', 'all_search_postings') and c.relkind in ('r', 'p')) as made,
    (select count(*) from pg_catalog.pg_class as c where ${HERE}) as "any", ${sql.raw(IS_CITUS)} as "isCitus",
    (select who from strange) as strange`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('one row is answered');
  checkEntered(row);
  return { isCitus: row.isCitus, isMade: row.made === 3, isOthers: row.made < 3 && row.any > 0 };
}
