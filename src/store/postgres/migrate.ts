import { type CreateTableBuilder, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { unavailable } from '../../domain/error.ts';
import { type Db, type Ddl, type Migrations, notThere, type Opening } from '../engine.ts';
import { isUpToDate, outdated } from '../migrations/migrations.ts';
import { INDEX_VERSION } from '../stale.ts';
import { lookAt } from './catalogue.ts';
import { checkCitus, isCitus } from './citus.ts';
import type { Place } from './driver.ts';
import { createBase, createViews, OfAllWorkspaces } from './layout.ts';
import { SCHEMA, SETTING } from './rows.ts';
import { createTextIndex } from './text-index.ts';
import { WRITER } from './turn.ts';
import { analyse } from './upkeep.ts';

/** The oldest version that the whole contract was run on. */
const OLDEST = 150_000;
/** The number of the advisory lock under which a schema is made or changed, in each database. */
const LOCK = 1_347_568_452;
/** How long a change of the schema waits for those who use it: everybody behind it waits as well. It is tried again. */
const LOCK_TIMEOUT = '2s';

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
 * Brings the schema up to date, once for all workspaces, and makes the workspace where it is missing.
 * @throws PrecedentError `not_found` when there is none and none may be created
 */
export async function migrate(
  camel: Db,
  place: Place,
  all: Migrations,
  { create, isHurried }: Required<Pick<Opening, 'create' | 'isHurried'>>,
): Promise<void> {
  const db = camel.withoutPlugins();
  const { applied, id } = await look(db, place.name);
  if (applied.length === 0 && !create) throw notThere(place.name);
  if (!isUpToDate(applied, all)) {
    if (isHurried) throw outdated();
    await bringUpToDate(db, applied, all);
  }
  place.id = id;
  if (id !== undefined) return;
  if (!create) throw notThere(place.name);
  if (typeof create === 'function') create();
  place.id = await db.transaction().execute((transaction) => createWorkspace(transaction, place.name));
}

/**
 * Brings the schema up to date for all workspaces (OP-1).
 * @param create whether to make the tables where there are none
 * @returns its newest migration before and after; undefined where nothing had to be done
 * @throws PrecedentError `unavailable` for a newer schema, or one whose owner has to do it
 */
export async function upgradeSchema(
  camel: Db,
  all: Migrations,
  create: boolean,
): Promise<{ from: string; to: string } | undefined> {
  const db = camel.withoutPlugins();
  const { applied } = await look(db);
  if ((applied.length === 0 && !create) || isUpToDate(applied, all)) return undefined;
  await bringUpToDate(db, applied, all);
  return { from: applied.at(-1) ?? 'none', to: String(Object.keys(all).at(-1)) };
}

async function bringUpToDate(db: Db, applied: string[], all: Migrations): Promise<void> {
  if (applied.length > 0) await checkOwner(db, applied, all);
  await db.transaction().execute((transaction) => upgrade(transaction, all));
  // The planner's numbers of existing rows may be set anew.
  if (applied.length > 0) await analyse(db).catch(() => {});
}

/** @throws PrecedentError `unavailable` for a role that may not change the tables, naming the one that may */
async function checkOwner(db: Db, applied: string[], all: Migrations): Promise<void> {
  const { rows } = await sql<{ owner: string; role: string; isMember: boolean }>`
    select pg_catalog.pg_get_userbyid(n.nspowner)::text as owner, current_user::text as role,
      pg_catalog.pg_has_role(n.nspowner, 'member') as "isMember"
    from pg_catalog.pg_namespace as n where n.nspname = ${sql.lit(SCHEMA)}`.execute(db);
  const [found] = rows;
  if (!found || found.isMember) return;
  throw unavailable.older(
    `The tables of this database were made by an older version of Precedent (schema ${applied.at(-1)}; this version needs ${Object.keys(all).at(-1)}), and the role "${found.role}" may not change them. Nothing was read or written. Let their owner bring them up to date, connected as the role "${found.owner}": precedent upgrade`,
  );
}

/** The migrations that a database has, none where there is no memory in it; and the number of a workspace. */
async function look(db: Db, workspace = '') {
  const { isCitus, isMade, isOthers } = await lookAt(db);
  if (isCitus) await checkCitus(db);
  if (isOthers) {
    throw unavailable.foreign(
      `Expected a memory of Precedent in the schema "${SCHEMA}", found other tables or the like; they were left as they are. Name another database, or rename that schema.`,
    );
  }
  if (!isMade) return { isCitus, applied: [], id: undefined };
  const { rows } = await sql<{ migration: string; id: number | null }>`
    select name as migration, (select id from ${sql.id(SCHEMA, 'workspaces')} where name = ${workspace}) as id
    from ${sql.id(SCHEMA, 'kysely_migration')} order by name`.execute(db);
  return { isCitus, applied: rows.map(({ migration }) => migration), id: rows[0]?.id ?? undefined };
}

/** In one transaction; of many that do so at once one does, and the others find it done. */
async function upgrade(db: Db, all: Migrations): Promise<void> {
  // Behind this lock nobody waits but those who would do the same: however long it takes.
  await sql`select pg_catalog.pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db);
  await sql`set local lock_timeout to ${sql.lit(LOCK_TIMEOUT)}`.execute(db);
  const { applied, isCitus: onCitus } = await look(db);
  if (isUpToDate(applied, all)) return;
  if (applied.length === 0) {
    await checkVersion(db);
    await sql`create schema ${sql.id(SCHEMA)}`.execute(db);
    await createBase(db, onCitus);
  } else {
    // Each transaction reads this list: it ends first, or waits and sees that it is too old.
    await sql`lock table kysely_migration in access exclusive mode`.execute(db);
  }
  const tables = new OfAllWorkspaces();
  const migrator = new Migrator({
    db: db.withPlugin(tables),
    provider: { getMigrations: async () => byWorkspace(all, db) },
    migrationTableSchema: SCHEMA,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  await createViews(db, onCitus, tables.references);
}

/** Rows are migrated one workspace after the other, as the store sees them: by a statement over all, they would meet. */
function byWorkspace(all: Migrations, db: Db): Migrations {
  return Object.fromEntries(
    Object.entries(all).map(([name, { up, rows }]) => [
      name,
      {
        async up(tables) {
          await up(tables);
          if (!rows) return;
          const workspaces = await sql<{ id: number }>`select id from workspaces order by id`.execute(db);
          if (workspaces.rows.length > 0) await createViews(db, await isCitus(db));
          for (const { id } of workspaces.rows) {
            await sql`set local ${sql.raw(SETTING)} to ${sql.lit(id)}`.execute(db);
            await rows(db);
          }
        },
      },
    ]),
  );
}

/** @returns its number; undefined when somebody else has made it at the same moment */
async function createWorkspace(db: Db, workspace: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into workspaces (name) values (${workspace}) on conflict (name) do nothing returning id`.execute(
    db,
  );
  const [made] = rows;
  if (!made) return undefined;
  await sql`set local ${sql.raw(SETTING)} to ${sql.lit(made.id)}`.execute(db);
  await sql`insert into meta (key, value) values (${WRITER}, 'first'), ('analysis', ${INDEX_VERSION})`.execute(
    db,
  );
  await sql`insert into search_totals (id, documents, tokens) values (1, 0, 0)`.execute(db);
  return made.id;
}

async function checkVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding`.execute(db);
  const { version = 0, encoding } = rows[0] ?? {};
  if (encoding !== 'UTF8') {
    throw unavailable.unsupported(
      `Expected a database in UTF8, since a memory holds every language, found one in ${encoding}. Create another: createdb --encoding UTF8 --template template0`,
    );
  }
  if (version >= OLDEST) return;
  throw unavailable.unsupported(
    `Expected PostgreSQL ${OLDEST / 10_000} or newer, found version ${Math.floor(version / 10_000)}.`,
  );
}
