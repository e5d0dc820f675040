import { sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import { SETUP_OF_NEWEST } from '../../domain/release.ts';
import type { Ddl, Migrations } from '../engine.ts';
import type { Tx } from '../tx.ts';
import { createDecisions } from './0001-decisions.ts';
import { createObservations } from './0002-observations.ts';
import { createMemos } from './0003-memos.ts';
import { createVectors } from './0004-vectors.ts';
import { createRedactions } from './0005-redactions.ts';
import { createWritersChangesNames } from './0006-writers-changes-names.ts';
import { createListings } from './0007-listings.ts';
import { createTakingBack } from './0008-taking-back.ts';
import { createOrigins } from './0009-origins.ts';
import { createNarrowPaths } from './0010-narrow-paths.ts';
import { orderTiers } from './0011-tiers.ts';

/** Every migration, oldest first. Names are stored in the database: never rename or reorder one. */
export function migrations(ddl: Ddl): Migrations {
  return {
    '0001-decisions': createDecisions(ddl),
    '0002-observations': createObservations(ddl),
    '0003-memos': createMemos(ddl),
    '0004-vectors': createVectors(ddl),
    '0005-redactions': createRedactions(ddl),
    '0006-writers-changes-names': createWritersChangesNames(ddl),
    '0007-listings': createListings(),
    '0008-taking-back': createTakingBack(ddl),
    '0009-origins': createOrigins(ddl),
    '0010-narrow-paths': createNarrowPaths(ddl),
    '0011-tiers': orderTiers(),
  };
}

/**
 * Whether a database has all of these migrations.
 * @throws PrecedentError `unavailable` when a newer version made it
 */
export function isUpToDate(applied: string[], all: Migrations): boolean {
  const unknown = applied.filter((name) => !(name in all));
  if (unknown.length === 0) return applied.length === Object.keys(all).length;
  throw new PrecedentError(
    'unavailable',
    `This memory was written by a newer version of Precedent (schema ${unknown.at(-1)}); it was left as it is. Update Precedent; for agents, ${SETUP_OF_NEWEST} does.`,
    { reason: 'newer' },
  );
}

/** The refusal of a memory that an older version made, where there is no time to bring it up to date. */
export function outdated(): PrecedentError {
  return new PrecedentError(
    'unavailable',
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
  if (newest === Object.keys(all).at(-1)) return;
  const isOlder = newest === undefined || newest in all;
  const what = isOlder
    ? `This memory was taken back to an older schema (${newest ?? 'none'}) while it was in use; nothing was written. Try again; with the library, open the memory first.`
    : `This memory was upgraded by a newer version of Precedent (schema ${newest}) while it was in use; nothing was written. Update Precedent (for agents, ${SETUP_OF_NEWEST} does), and restart what still runs.`;
  throw new PrecedentError('unavailable', what, { reason: isOlder ? undefined : 'newer' });
}

/** Name of the newest migration that the memory has. */
export async function newestMigration(tx: Tx): Promise<string> {
  const found = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(tx.db);
  return found.rows[0]?.name ?? 'none';
}
