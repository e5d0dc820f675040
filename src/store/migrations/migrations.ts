import type { Migration } from 'kysely/migration';
import { type PrecedentError, unavailable } from '../../domain/error.ts';
import { SETUP_OF_NEWEST } from '../../domain/release.ts';
import type { Ddl, Migrations, OfRows } from '../engine.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** Loaded where a memory is made or brought up to date: hooks do neither (ADR 0070). */
const later = (load: () => Promise<{ migration: Migration & { rows?: never } }>): Migration => ({
  up: async (db) => (await load()).migration.up(db),
});
/** One that changes rows, too: only for such a one every workspace of a server is gone through. */
const rowsLater = (load: () => Promise<{ migration: OfRows }>): OfRows => ({
  ...later(load as never),
  rows: async (db) => (await load()).migration.rows(db),
});

/** Every migration, oldest first. Names are stored in the database: never rename or reorder one. */
export function migrations(ddl: Ddl): Migrations {
  return {
    '0016-memory': { up: async (db) => (await import('./0016-memory.ts')).createMemory(ddl).up(db) },
    '0017-revisit': later(() => import('./0017-revisit.ts')),
    '0018-branch': later(() => import('./0018-branch.ts')),
    // Behind any migration PostgreSQL makes views, policies and statistics anew: some were made before they were quick (N-5).
    '0019-workspaces': { up: async () => {} },
    '0020-chains': later(() => import('./0020-chains.ts')),
    '0021-forks': later(() => import('./0021-forks.ts')),
    '0022-own-files': rowsLater(() => import('./0022-own-files.ts')),
    '0023-tidies': later(() => import('./0023-tidies.ts')),
    '0024-kept-facts': later(() => import('./0024-kept-facts.ts')),
    '0025-recorded': later(() => import('./0025-recorded.ts')),
  };
}

/** The last schema before the first release. Its rows are those of the first one: a stream of it can be imported. */
export const LAST_UNRELEASED = '0015-based-on';

/**
 * Whether a database has all of these migrations.
 * @param applied the names of those it has, in order
 * @throws PrecedentError `unavailable` when a newer version made it, or one before the first release
 */
export function isUpToDate(applied: string[], all: Migrations): boolean {
  const names = Object.keys(all);
  const unknown = applied.filter((name) => !(name in all)).at(-1);
  if (unknown === undefined) return applied.length === names.length;
  if (names.every((name) => unknown < name))
    throw unavailable.unreleased(
      `This memory was made before the first release of Precedent (schema ${unknown}), which this version does not read; it was left as it is. Export it with the last version before that release, which has schema ${LAST_UNRELEASED} (precedent export --format jsonl > memory.jsonl), then import that into a new memory (precedent import memory.jsonl --workspace NAME).`,
    );
  throw unavailable.newer(
    `This memory was written by a newer version of Precedent (schema ${unknown}); it was left as it is. Update Precedent; for agents, ${SETUP_OF_NEWEST} does.`,
  );
}

/** The refusal of a memory that an older version made, where there is no time to bring it up to date. */
export function outdated(): PrecedentError {
  return unavailable.older(
    'This memory was written by an older version of Precedent; the next call of a server or a command brings it up to date.',
  );
}

/**
 * Whether a memory in use still has the schema that it was opened with: what an older version reads and writes in a newer
 * schema is anybody's guess. Asked in each transaction.
 * @param newest the name of the newest migration that the memory has
 * @throws PrecedentError `unavailable` when another version changed it meanwhile
 */
export function checkUnchanged(newest: string | undefined, all: Migrations): void {
  const wanted = Object.keys(all).at(-1);
  if (newest === wanted) return;
  const isOlder = newest === undefined || wanted === undefined || newest < wanted;
  const what = isOlder
    ? `This memory was returned to an older schema (${newest ?? 'none'}) while it was in use; nothing was written. Try again; with the library, open the memory first.`
    : `This memory was upgraded by a newer version of Precedent (schema ${newest}) while it was in use; nothing was written. Update Precedent (for agents, ${SETUP_OF_NEWEST} does), and restart what still runs.`;
  throw unavailable[isOlder ? 'replaced' : 'newer'](what);
}

/** Name of the newest migration that the memory has. */
export async function newestMigration(tx: Tx): Promise<string> {
  const found = await query<{ name: string }>(tx)`
    select name from kysely_migration order by name desc limit 1`;
  return found[0]?.name ?? 'none';
}
