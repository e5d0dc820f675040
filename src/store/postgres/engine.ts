import { Kysely, sql } from 'kysely';
import type { Log } from '../../domain/log.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import { CamelCase } from '../camel-case.ts';
import type { Db, Engine, Migrations, Opening, Patience } from '../engine.ts';
import { migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { through } from '../statements.ts';
import { type Address, parseAddress } from './address.ts';
import { bytesOfAll } from './catalogue.ts';
import { isCitus } from './citus.ts';
import { workspaceDialect } from './driver.ts';
import { atOnce, faultAt } from './fault.ts';
import { lists } from './lists.ts';
import { appliedMigrations, ddl, isThere, migrate } from './migrate.ts';
import { numbering } from './numbering.ts';
import { SCHEMA } from './rows.ts';
import { scrub } from './scrub.ts';
import { Servers } from './servers.ts';
import { textIndex } from './text-index.ts';
import { analyse, upkeepWith } from './upkeep.ts';
import { vectorIndex } from './vector-index.ts';
import { views } from './views.ts';

/**
 * Opens a memory in a PostgreSQL database: a workspace is rows of its tables (N-1), created when it is missing.
 * @param url `postgres://user:password@host:port/database`; of several hosts the one that takes writes
 * @throws PrecedentError `unavailable` when it cannot be used, `invalid` for an address or a name that cannot be read,
 *   `not_found` when there is none and none may be created; nothing is left half-created
 */
export async function openPostgres(
  url: string,
  workspace: string,
  log: Log,
  { create = true, isHurried = false, migrations: all = migrations(ddl) }: Opening = {},
): Promise<Engine> {
  const { db, address, fault, close } = connect(url, workspace, all, isHurried);
  try {
    await retry(
      { fault: atOnce(fault) },
      () => migrate(db.unhurried, workspace, all, { create, isHurried }),
      log,
    );
  } catch (error) {
    await close();
    throw error;
  }
  let isMuchWritten = false;
  return {
    async transaction({ access, patience }, work) {
      const done = await db[patience]
        .transaction()
        .setAccessMode(access === 'read' ? 'read only' : 'read write')
        .execute(async (tx) => work(await unqueued(tx)));
      // What is committed is done, whatever becomes of the statistics.
      if (isMuchWritten) await analyse(db.unhurried).catch(() => {});
      isMuchWritten = false;
      return done;
    },
    fault,
    lists,
    text: textIndex,
    vectors: vectorIndex(),
    numbering,
    upkeep: upkeepWith(() => {
      isMuchWritten = true;
    }),
    views,
    locate: async () => ({
      engine: 'PostgreSQL',
      location: address.shown,
      ...(await sizeOf(db.usual)),
      ...(await openWall(db.usual)),
    }),
    scrub: () => scrub(db.unhurried),
    close,
  };
}

/** Whether the workspace was created already; nothing is created. @throws PrecedentError as {@link openPostgres} */
export async function isPostgresThere(url: string, workspace: string): Promise<boolean> {
  const { db, fault, close } = connect(url, workspace, {});
  try {
    const work = async () =>
      (await appliedMigrations(db.usual)).length > 0 &&
      (await db.usual.transaction().execute((tx) => isThere(tx, workspace)));
    return await retry({ fault: atOnce(fault) }, work, () => {});
  } finally {
    await close();
  }
}

interface Connection {
  /** Two ways to the same connections, which differ in how long they wait for an answer. */
  db: Record<Patience, Db>;
  address: Address;
  fault: Engine['fault'];
  close: () => Promise<void>;
}

function connect(url: string, workspace: string, all: Migrations, isHurried = false): Connection {
  checkWorkspace(workspace);
  const address = parseAddress(url);
  const servers = new Servers(address);
  const open = (patience: Patience) =>
    new Kysely<Schema>({
      dialect: workspaceDialect(servers, workspace, { patience, isHurried }, all),
      plugins: [new CamelCase()],
    });
  return {
    db: { usual: open('usual'), unhurried: open('unhurried') },
    address,
    fault: faultAt(address.shown),
    close: () => servers.end(),
  };
}

/** Kysely sends the statements of a transaction one by one, also those that need not wait for each other. */
async function unqueued(db: Db): Promise<Db> {
  const session = await db.getExecutor().provideConnection(async (connection) => connection);
  return through(db, { provideConnection: (use) => use(session) });
}

/** All workspaces share the tables: this one has as much of them as it has of the records (N-4). */
async function sizeOf(db: Db): Promise<{ bytes: number; isEstimate?: true }> {
  const all = await bytesOfAll(db, await isCitus(db));
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { rows } = await sql<{ own: number; all: number; workspaces: number }>`
      select (select count(*) from records) as own, (select count(*) from workspaces) as workspaces,
        (select greatest(reltuples, 0)::bigint from pg_catalog.pg_class where oid = 'all_records'::regclass) as all`.execute(
        tx,
      );
      const [found = { own: 0, all: 0, workspaces: 1 }] = rows;
      if (found.workspaces === 1) return { bytes: all };
      return { bytes: Math.round((all * found.own) / Math.max(found.own, found.all, 1)), isEstimate: true };
    });
}

/** Says where nothing but the statements keeps workspaces apart, or could (N-2). */
async function openWall(db: Db): Promise<{ isolation?: string }> {
  const { rows } = await sql<{ role: string; why: string | null }>`
    select r.rolname as role, case
        when r.rolsuper then 'is a superuser'
        when r.rolbypassrls then 'may bypass that'
        when pg_catalog.pg_has_role(r.oid, c.relowner, 'member') then 'owns the tables, or is a member of who does'
      end as why
    from pg_catalog.pg_roles as r cross join pg_catalog.pg_class as c
    where r.rolname = current_user and c.relname = 'workspaces'
      and c.relnamespace = (select n.oid from pg_catalog.pg_namespace as n where n.nspname = ${SCHEMA})`.execute(
    db,
  );
  const [{ role, why } = { role: '', why: null }] = rows;
  return why === null
    ? {}
    : {
        isolation: `row-level security does not bind the role "${role}", which ${why}: docs/scaling.md, "Users"`,
      };
}
