import { type CreateTableBuilder, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { PrecedentError } from '../../domain/error.ts';
import { type Db, type Ddl, type Migrations, notThere } from '../engine.ts';
import { isUpToDate } from '../migrations/migrations.ts';
import { lockMigrations, tablesOf, WRITER } from './driver.ts';
import { createTextIndex } from './text-index.ts';

/** The oldest version that the whole contract was run on. */
const OLDEST = 150_000;

export const ddl: Ddl = {
  sequenceType: 'bigint',
  vectorType: sql`real[]`,
  addSequence: <T extends string>(table: CreateTableBuilder<T>, column: string) =>
    table.addColumn(column, 'bigint', (col) =>
      col.generatedByDefaultAsIdentity().primaryKey(),
    ) as CreateTableBuilder<T>,
  createTextIndex,
};

/**
 * Brings the schema up to date in one transaction; of many that do so at once one does, and the others find it done.
 * @throws PrecedentError `not_found` when there is none and none may be created
 */
export async function migrate(camel: Db, workspace: string, all: Migrations, create: boolean): Promise<void> {
  const db = camel.withoutPlugins();
  const applied = await appliedMigrations(db, workspace);
  if (applied.length === 0 && !create) throw notThere(workspace);
  if (isUpToDate(applied, all)) return;
  await db.transaction().execute(async (transaction) => {
    await lockMigrations(transaction);
    if (applied.length === 0) {
      await checkVersion(transaction);
      await sql`create schema if not exists ${sql.id(workspace)}`.execute(transaction);
    }
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => all },
      migrationTableSchema: workspace,
    });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
    await sql`insert into meta (key, value) values (${WRITER}, 'first') on conflict (key) do nothing`.execute(
      transaction,
    );
  });
}

async function appliedMigrations(db: Db, workspace: string): Promise<string[]> {
  const tables = await tablesOf(db, workspace);
  if (tables.length === 0) return [];
  if (!['kysely_migration', 'decision_edges', 'search_postings'].every((name) => tables.includes(name))) {
    throw new PrecedentError(
      'unavailable',
      `Expected a memory of Precedent in the schema "${workspace}", found other tables; they were left as they are. Choose another name with --workspace.`,
      { reason: 'foreign' },
    );
  }
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.id(workspace, 'kysely_migration')} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function checkVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding`.execute(db);
  const { version = 0, encoding } = rows[0] ?? {};
  if (encoding !== 'UTF8') {
    throw new PrecedentError(
      'unavailable',
      `Expected a database in UTF8, since a memory holds every language, found one in ${encoding}. Create another: createdb --encoding UTF8 --template template0`,
    );
  }
  if (version >= OLDEST) return;
  throw new PrecedentError(
    'unavailable',
    `Expected PostgreSQL ${OLDEST / 10_000} or newer, found version ${Math.floor(version / 10_000)}.`,
  );
}
