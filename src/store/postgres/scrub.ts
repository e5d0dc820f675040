import { sql } from 'kysely';
import type { Db } from '../engine.ts';
import { tablesOf } from './driver.ts';

/** Dead rows hold what was there before, for as long as an older snapshot may see them. */
export async function scrub(db: Db, workspace: string): Promise<boolean> {
  const tables = await tablesOf(db, workspace);
  const { rows } = await sql<{ readers: number }>`
    select count(*) as readers from pg_catalog.pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`.execute(db);
  await sql`vacuum ${sql.join(tables.map((table) => sql.id(workspace, table)))}`.execute(db);
  return rows[0]?.readers === 0;
}
