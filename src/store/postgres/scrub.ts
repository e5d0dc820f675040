import { sql } from 'kysely';
import type { Db } from '../engine.ts';
import { isCitus } from './citus.ts';
import { OF_WORKSPACES, SCHEMA, tableOf } from './rows.ts';

/**
 * Dead rows hold what was there before, for as long as an older snapshot may see them. So do the planner's statistics,
 * which keep frequent values and some texts of each column: they are made anew, and their own dead rows removed. Only
 * who owns the database may do that, and only on the node that is asked.
 *
 * Where this workspace is the only one, the tables are written anew, for which others wait: a vacuum that is not full leaves
 * the bytes of rows that were the last of their page. Where others share the tables nobody is kept waiting (N-4): the dead
 * rows go, and their bytes stay in the free space of the files until something is written over them.
 */
export async function scrub(db: Db): Promise<boolean> {
  const { next: begun, workspaces, isOwner } = await look(db);
  const isAlone = workspaces === 1 && !(await isCitus(db));
  const how = isAlone ? sql`full, freeze` : sql`index_cleanup on`;
  const tables = OF_WORKSPACES.map((name) => sql.id(SCHEMA, tableOf(name)));
  await sql`vacuum (${how}, analyze) ${sql.join(tables)}`.execute(db);
  if (!isAlone || !isOwner) return false;
  const { next: analysed } = await look(db);
  await sql`vacuum (freeze, index_cleanup on) pg_catalog.pg_statistic`.execute(db);
  return (
    (await isFrozen(db, SCHEMA, begun, OF_WORKSPACES.map(tableOf))) &&
    isFrozen(db, 'pg_catalog', analysed, ['pg_statistic'])
  );
}

/** The number that the next transaction gets, before which all that is dead by now was deleted; and who is asked by whom. */
async function look(db: Db) {
  const { rows } = await sql<{ next: string; workspaces: number; isOwner: boolean }>`
    select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text as next,
      (select count(*) from ${sql.id(SCHEMA, 'workspaces')}) as workspaces,
      (select pg_catalog.pg_has_role(d.datdba, 'usage') from pg_catalog.pg_database as d
        where d.datname = pg_catalog.current_database()) as "isOwner"`.execute(db);
  return rows[0] ?? { next: '', workspaces: 0, isOwner: false };
}

/**
 * Whether the last vacuum of these tables, which froze all that it could, kept no row that was dead before a transaction.
 * Only that says so: who connects at that moment may still see such rows, and is in no list of the server's yet.
 */
async function isFrozen(db: Db, schema: string, since: string, tables: string[]): Promise<boolean> {
  const { rows } = await sql<{ frozen: boolean }>`
    select pg_catalog.bool_and(
      pg_catalog.age(c.relfrozenxid) <= pg_catalog.age(${since}::pg_catalog.xid8::pg_catalog.xid)) as frozen
    from pg_catalog.pg_class as c
    where c.relkind = 'r' and c.relnamespace = (
      select n.oid from pg_catalog.pg_namespace as n where n.nspname = ${schema}) and c.relname = any(${tables}::pg_catalog.text[])`.execute(
    db,
  );
  return rows[0]?.frozen ?? false;
}
