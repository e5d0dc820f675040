import { sql } from 'kysely';
import type { Db } from '../engine.ts';
import { tablesOf } from './catalogue.ts';
import { isCitus } from './citus.ts';

/**
 * Dead rows hold what was there before, for as long as an older snapshot may see them. So do the planner's statistics,
 * which keep frequent values and some texts of each column: they are made anew, and their own dead rows taken away. Only
 * who owns the database may do that, and only on the node that is asked.
 *
 * The tables are written anew, for which others wait: a vacuum that is not full leaves the bytes of rows that were the
 * last of their page, and leaves an index as it is where under 2 % of the pages of its table have dead rows.
 */
export async function scrub(db: Db, workspace: string): Promise<boolean> {
  const tables = await tablesOf(db, workspace);
  const { rows } = await sql<{ readers: number; owns: boolean }>`
    select count(*) as readers, (
        select pg_catalog.pg_has_role(d.datdba, 'usage') from pg_catalog.pg_database as d where d.datname = pg_catalog.current_database()
      ) as owns
    from pg_catalog.pg_stat_activity
    where datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid() and backend_xmin is not null`.execute(
    db,
  );
  const isShared = await isCitus(db);
  const how = isShared ? sql`index_cleanup on` : sql`full`;
  await sql`vacuum (${how}, analyze) ${sql.join(tables.map((table) => sql.id(workspace, table)))}`.execute(
    db,
  );
  const [{ readers, owns } = { readers: 0, owns: false }] = rows;
  if (!owns || isShared) return false;
  await sql`vacuum (index_cleanup on) pg_catalog.pg_statistic`.execute(db);
  return readers === 0;
}
