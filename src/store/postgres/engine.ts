import { sql } from 'kysely';
import type { Log } from '../../domain/log.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import type { Db, Engine, Opening, Patience } from '../engine.ts';
import { migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import { overDialect, through } from '../statements.ts';
import { parseAddress } from './address.ts';
import { isCitus } from './citus.ts';
import { type Place, workspaceDialect } from './driver.ts';
import { atOnce, faultAt } from './fault.ts';
import { lists } from './lists.ts';
import { ddl, migrate } from './migrate.ts';
import { numbering } from './numbering.ts';
import { scrub } from './scrub.ts';
import { shareServers } from './servers.ts';
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
  checkWorkspace(workspace);
  const address = parseAddress(url);
  const { servers, leave: close } = shareServers(address);
  const place: Place = { name: workspace };
  const kysely = (patience: Patience): Db =>
    overDialect(workspaceDialect(servers, place, { patience, isHurried }, all));
  /** Two ways to the same connections, which differ in how long they wait for an answer. */
  const db = { usual: kysely('usual'), unhurried: kysely('unhurried') };
  const fault = faultAt(address.shown);
  try {
    await retry(
      { fault: atOnce(fault) },
      () => migrate(db.unhurried, place, all, { create, isHurried }),
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
      // The work is committed, even if the statistics fail.
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
      ...(await placeOf(db.usual)),
    }),
    scrub: () => scrub(db.unhurried),
    close,
  };
}

/** Kysely sends the statements of a transaction one by one, also those that need not wait for each other. */
async function unqueued(db: Db): Promise<Db> {
  const session = await db.getExecutor().provideConnection(async (connection) => connection);
  return through(db, { provideConnection: (use) => use(session) });
}

/** The size of this workspace; and the second wall that keeps it apart from the others, or why there is none (N-2). */
async function placeOf(db: Db): Promise<{ bytes: number; isEstimate?: true; isolation?: string }> {
  const size = (await isCitus(db))
    ? sql`pg_catalog.citus_total_relation_size(p.logicalrelid, false)
        from pg_catalog.pg_dist_partition as p join pg_catalog.pg_class as c on c.oid = p.logicalrelid::oid`
    : sql`pg_catalog.pg_total_relation_size(c.oid) from pg_catalog.pg_class as c`;
  // Of all: each workspace has as much of it as it has of the records (N-4).
  const asked = sql<{ bytes: number; share: number; isShared: boolean; role: string; why: string | null }>`
    select (select coalesce(sum(bytes), 0) from (
        select ${size} where c.relnamespace = a.relnamespace and c.relkind = 'r') as each (bytes)) as bytes,
      own.records::float8 / greatest(own.records, a.reltuples, 1) as share,
      (select count(*) > 1 from workspaces) as "isShared", r.rolname as role,
      case
        when r.rolsuper then 'is a superuser'
        when r.rolbypassrls then 'may bypass that'
        when pg_catalog.pg_has_role(r.oid, a.relowner, 'member') then 'owns the tables, or is a member of who does'
      end as why
    from pg_catalog.pg_roles as r, pg_catalog.pg_class as a, (select count(*) as records from records) as own
    where r.rolname = current_user and a.oid = 'all_records'::regclass`;
  const { rows } = await db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => asked.execute(tx));
  const [
    { bytes, share, isShared, role, why } = { bytes: 0, share: 1, isShared: false, role: '', why: null },
  ] = rows;
  return {
    ...(isShared ? { bytes: Math.round(bytes * share), isEstimate: true } : { bytes }),
    ...(why !== null && {
      isolation: `row-level security does not bind the role "${role}", which ${why}: docs/scaling.md, "Users"`,
    }),
  };
}
