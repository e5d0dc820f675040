import { CamelCasePlugin, type CreateTableBuilder, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { PrecedentError } from '../../domain/error.ts';
import type { Log } from '../../domain/log.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import type { Db, Ddl, Engine, Fault, Migrations, Numbering } from '../engine.ts';
import { isUpToDate, migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { TABLE_NAMES } from '../schema.ts';
import { type Address, parseAddress } from './address.ts';
import { lockMigrations, tablesOf, WRITER, workspaceDialect } from './driver.ts';
import { faultAt } from './fault.ts';
import { Servers } from './servers.ts';
import { checkTotals, createTextIndex, textIndex } from './text-index.ts';
import { vectorIndex } from './vector-index.ts';

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
 * Opens a memory in a PostgreSQL database: a workspace is a schema of that name, made when it is missing.
 * @param url `postgres://user:password@host:port/database`; of several hosts the one that takes writes
 * @param all other migrations than ours, for tests
 * @throws PrecedentError `unavailable` when it cannot be used, `invalid` for an address or name that is none; nothing
 *   is half-made
 */
export async function openPostgres(
  url: string,
  workspace: string,
  log: Log,
  all: Migrations = migrations(ddl),
): Promise<Engine> {
  const { db, address, fault } = connect(url, workspace);
  try {
    await retry({ fault: atOnce(fault) }, () => migrate(db, workspace, all), log);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    text: textIndex,
    vectors: vectorIndex(),
    numbering,
    list: (numbers) => sql`select unnest(${numbers}::bigint[]) as id`,
    listOfTexts: (texts) => sql`select unnest(${texts}::text[]) as id`,
    settle,
    fault,
    inspect: async () => ({
      engine: 'PostgreSQL',
      location: address.shown,
      bytes: await bytesOf(db, workspace),
    }),
    integrity: () => db.transaction().setAccessMode('read only').execute(checkTotals),
    // Its own indexes are its operator's: making them anew locks out every reader.
    reindex: async () => {},
    scrub: async () => {
      const tables = await tablesOf(db, workspace);
      const { rows } = await sql<{ readers: number }>`
        select count(*) as readers from pg_catalog.pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`.execute(
        db,
      );
      await sql`vacuum ${sql.join(tables.map((table) => sql.id(workspace, table)))}`.execute(db);
      // What an older snapshot still sees stays where it is.
      return rows[0]?.readers === 0;
    },
    close: () => db.destroy(),
  };
}

/** Whether the workspace was made already; nothing is made. @throws PrecedentError as {@link openPostgres} */
export async function isPostgresThere(url: string, workspace: string): Promise<boolean> {
  const { db, fault } = connect(url, workspace);
  try {
    const tables = await retry(
      { fault: atOnce(fault) },
      () => tablesOf(db, workspace),
      () => {},
    );
    return tables.length > 0;
  } finally {
    await db.destroy();
  }
}

function connect(url: string, workspace: string): { db: Db; address: Address; fault: Engine['fault'] } {
  checkWorkspace(workspace);
  if (/^pg_|^information_schema$/.test(workspace)) {
    throw new PrecedentError(
      'invalid',
      `Expected a workspace name that PostgreSQL does not keep for itself, found "${workspace}".`,
    );
  }
  const address = parseAddress(url);
  const db = new Kysely<Schema>({
    dialect: workspaceDialect(new Servers(address), workspace),
    plugins: [new CamelCasePlugin()],
  });
  return { db, address, fault: faultAt(address.shown) };
}

/** Who opens a memory hears at once that the server is not there. */
function atOnce(fault: Engine['fault']): (error: unknown) => Fault {
  return (error) => {
    const found = fault(error);
    return found.kind === 'lost' ? { kind: 'unavailable', message: found.message } : found;
  };
}

/** Brings the schema up to date in one transaction; of many that do so at once one does, and the others find it done. */
async function migrate(camel: Db, workspace: string, all: Migrations): Promise<void> {
  const db = camel.withoutPlugins();
  const applied = await appliedMigrations(db, workspace);
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
      `Expected a database in UTF8, since a memory holds every language, found one in ${encoding}. Make another: createdb --encoding UTF8 --template template0`,
    );
  }
  if (version >= OLDEST) return;
  throw new PrecedentError(
    'unavailable',
    `Expected PostgreSQL ${OLDEST / 10_000} or newer, found version ${Math.floor(version / 10_000)}.`,
  );
}

async function bytesOf(db: Db, workspace: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${workspace} and c.relkind = 'r'`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Counted by itself within a minute; the next query comes sooner. */
async function settle(db: Db): Promise<void> {
  const tables = [...TABLE_NAMES, 'searchDocuments', 'searchPostings'];
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db);
}

/** Numbers of transactions that were rolled back are given out too, and missed by nobody. */
const numbering: Numbering = {
  async last(db, table) {
    const { rows } = await sql<{ last: number }>`
      select coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0) as last`.execute(db);
    return rows[0]?.last ?? 0;
  },
  async raise(db, table, to) {
    if (to > (await numbering.last(db, table))) {
      await sql`select setval(${sequenceOf(table)}, ${to}::bigint)`.execute(db);
    }
  },
};

function sequenceOf(table: string) {
  const column = table === 'records' ? 'seq' : 'id';
  return sql`pg_get_serial_sequence(${table}, ${column})::regclass`;
}
