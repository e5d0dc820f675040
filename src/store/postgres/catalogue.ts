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

/** What is in the schema of a database. */
interface Found {
  /** Whether Citus distributes the database. */
  isCitus: boolean;
  /** What is there besides a memory's tables, when none of these is there: somebody else's. */
  isOthers: boolean;
  isMade: boolean;
}

/**
 * Whether the schema is there and whose it is: one query.
 * @throws PrecedentError as {@link withTrust}
 */
export async function lookAt(db: QueryExecutorProvider): Promise<Found> {
  const { made, any, isCitus } = await withTrust<{ made: number; any: number; isCitus: boolean }>(
    db,
    sql`(select count(*) from pg_catalog.pg_class as c where ${HERE}
        and c.relname in ('workspaces', 'kysely_migration', 'all_search_postings') and c.relkind in ('r', 'p')) as made,
      (select count(*) from pg_catalog.pg_class as c where ${HERE}) as "any", ${sql.raw(IS_CITUS)} as "isCitus"`,
  );
  return { isCitus, isMade: made === 3, isOthers: made < 3 && any > 0 };
}

/** Bytes of all workspaces of the database together. */
export async function bytesOfAll(db: QueryExecutorProvider, isCitus: boolean): Promise<number> {
  const size = isCitus
    ? sql`pg_catalog.citus_total_relation_size(p.logicalrelid, false)
        from pg_catalog.pg_dist_partition as p join pg_catalog.pg_class as c on c.oid = p.logicalrelid::oid`
    : sql`pg_catalog.pg_total_relation_size(c.oid) from pg_catalog.pg_class as c`;
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0) as bytes from (select ${size} where ${HERE} and c.relkind = 'r') as each (bytes)`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
}
