import {
  type CompiledQuery,
  type CreateTableBuilder,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type QueryResult,
  sql,
} from 'kysely';
import { Migrator } from 'kysely/migration';
import { PrecedentError } from '../../domain/error.ts';
import { type Db, type Ddl, type Migrations, notThere } from '../engine.ts';
import { isUpToDate, outdated } from '../migrations/migrations.ts';
import { isInTheWay, lookAt, strangersIn, tablesOf } from './catalogue.ts';
import { checkCitus } from './citus.ts';
import { ByteOrderCompiler, Unlocked } from './driver.ts';
import { hasGivenUp, lockWorkspace, refusalOfLock } from './migration-lock.ts';
import { requireTrusted } from './owners.ts';
import { batched } from './session.ts';
import { createTextIndex } from './text-index.ts';
import { WRITER } from './turn.ts';

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
export async function migrate(
  camel: Db,
  workspace: string,
  all: Migrations,
  { create, isHurried }: { create: boolean; isHurried: boolean },
): Promise<void> {
  const db = camel.withoutPlugins();
  const applied = await appliedMigrations(db, workspace);
  if (applied.length === 0 && !create) throw notThere(workspace);
  if (isUpToDate(applied, all)) return;
  if (isHurried) throw outdated();
  let isLocked = false;
  try {
    await db.transaction().execute(async (transaction) => {
      await lockWorkspace(transaction, workspace);
      isLocked = true;
      await migrateInTurn(transaction, workspace, all);
    });
  } catch (error) {
    if (!isLocked && hasGivenUp(error)) throw await refusalOfLock(db, workspace);
    if (!isInTheWay(error)) throw error;
    const found = await strangersIn(db, workspace, await tablesOf(db, workspace));
    const names = found.length > 0 ? ` (such as ${found.join(', ')})` : '';
    throw foreign(
      `Expected only what is Precedent's in the schema "${workspace}", found something in the way of an upgrade${names}. Nothing was changed. Move it to another schema, and try again.`,
      error,
    );
  }
}

/** Looks again: another process may have made it while this one waited. */
async function migrateInTurn(db: Db, workspace: string, all: Migrations): Promise<void> {
  if ((await lookAt(db, workspace)).isMemory) await upgrade(db, workspace, all);
  else {
    await checkVersion(db);
    await batched(db, await firstStatements(all, workspace));
    // Somebody else may have made the schema a moment before.
    await requireTrusted(db, workspace);
  }
  await sql`insert into meta (key, value) values (${WRITER}, 'first') on conflict (key) do nothing`.execute(
    db,
  );
}

async function upgrade(db: Db, workspace: string, all: Migrations): Promise<void> {
  // Who writes now still has the earlier schema.
  await sql`select 1 from ${sql.id(workspace, 'meta')} where key = ${WRITER} for update`.execute(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableSchema: workspace,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

async function appliedMigrations(db: Db, workspace: string): Promise<string[]> {
  const { isMemory, isCitus } = await lookAt(db, workspace);
  if (isCitus) await checkCitus(db);
  if (!isMemory) {
    const found = await strangersIn(db, workspace, []);
    if (found.length === 0) return [];
    // Another process may have made it between the two questions.
    if ((await lookAt(db, workspace)).isMemory) return appliedMigrations(db, workspace);
    throw foreign(
      `Expected a memory of Precedent in the schema "${workspace}", found other tables or the like: ${found.join(', ')}; they were left as they are. Choose another name with --workspace.`,
    );
  }
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.id(workspace, 'kysely_migration')} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function foreign(message: string, cause?: unknown): PrecedentError {
  return new PrecedentError('unavailable', message, { reason: 'foreign', cause });
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

/**
 * All that makes a new workspace: what the migrations, and the library that runs them, send where nothing is yet. They
 * are run without a server, so that their statements can be sent together: one after the other, each waits for a way to
 * the server and back, a hundred and thirty times.
 */
async function firstStatements(all: Migrations, workspace: string): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new Unlocked(),
      createDriver: () => new Recorder(sent),
      createIntrospector: () => ({ getSchemas: async () => [], getTables: async () => [] }),
      createQueryCompiler: () => new ByteOrderCompiler(),
    },
  });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableSchema: workspace,
  }).migrateToLatest();
  if (error) throw error;
  return sent;
}

/** Keeps each statement, and answers it as a schema does in which nothing is. */
class Recorder extends DummyDriver {
  readonly #sent: CompiledQuery[];

  constructor(sent: CompiledQuery[]) {
    super();
    this.#sent = sent;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        this.#sent.push(query);
        return { rows: [] };
      },
      // biome-ignore lint/correctness/useYield: nothing here reads row by row.
      async *streamQuery() {
        throw new Error('not supported');
      },
    };
  }
}
