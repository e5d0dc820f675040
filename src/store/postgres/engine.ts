import { Kysely, sql } from 'kysely';
import type { Log } from '../../domain/log.ts';
import { CamelCase } from '../camel-case.ts';
import type { Db, Engine, Migrations, Opening, Patience } from '../engine.ts';
import { migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { through } from '../statements.ts';
import { type Address, parseAddress } from './address.ts';
import { tablesOf } from './catalogue.ts';
import { bytesOnNodes, isCitus } from './citus.ts';
import { workspaceDialect } from './driver.ts';
import { atOnce, faultAt } from './fault.ts';
import { lists } from './lists.ts';
import { ddl, migrate } from './migrate.ts';
import { checkSchema } from './names.ts';
import { numbering } from './numbering.ts';
import { scrub } from './scrub.ts';
import { Servers } from './servers.ts';
import { textIndex } from './text-index.ts';
import { upkeep } from './upkeep.ts';
import { vectorIndex } from './vector-index.ts';
import { viewsOver } from './views.ts';

/**
 * Opens a memory in a PostgreSQL database: a workspace is a schema of that name, created when it is missing.
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
  return {
    transaction: ({ access, patience }, work) =>
      db[patience]
        .transaction()
        .setAccessMode(access === 'read' ? 'read only' : 'read write')
        .execute(async (tx) => work(await unqueued(tx))),
    fault,
    lists,
    text: textIndex,
    vectors: vectorIndex(),
    numbering,
    upkeep,
    views: viewsOver(workspace),
    locate: async () => ({
      engine: 'PostgreSQL',
      location: address.shown,
      bytes: await bytesOf(db.usual, workspace),
    }),
    scrub: () => scrub(db.unhurried, workspace),
    close,
  };
}

/** Whether the workspace was created already; nothing is created. @throws PrecedentError as {@link openPostgres} */
export async function isPostgresThere(url: string, workspace: string): Promise<boolean> {
  const { db, fault, close } = connect(url, workspace, {});
  try {
    const tables = await retry(
      { fault: atOnce(fault) },
      () => tablesOf(db.usual, workspace),
      () => {},
    );
    return tables.length > 0;
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
  checkSchema(workspace);
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

async function bytesOf(db: Db, workspace: string): Promise<number> {
  const tables = await tablesOf(db, workspace);
  if (await isCitus(db)) return bytesOnNodes(db, workspace, tables);
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0) as bytes from pg_catalog.pg_class as c
    where c.relname = any(${tables}::text[]) and c.relkind = 'r'
      and c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${workspace})`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
}
