import { sql } from 'kysely';
import { readMeta } from '../meta.ts';
import type { Tx } from '../tx.ts';

/** The migration that made the list of changes, and the first of all. */
const [LISTED, FIRST] = ['0006-writers-changes-names', '0001-decisions'];
/** All migrations of a new memory run within this time, in milliseconds. */
const AT_ONCE = 60_000;
/** The meta entry that says since when changes are known, of a memory that was made of an older export. */
export const KNOWN_SINCE = 'changes_known_since';

/**
 * What no answer about a moment can know: before the list of changes there was no trace of some of them.
 * @param at milliseconds UTC
 */
export async function notKnown(tx: Tx, at: number): Promise<string[]> {
  const since = Math.max(await listedSince(tx), Number((await readMeta(tx, KNOWN_SINCE)) ?? 0));
  if (at >= since) return [];
  const day = new Date(since).toISOString();
  return [
    `Before ${day} this memory did not write down everything: where observations were, which were deleted for a while, which relations were removed, and where names led is shown as it was on that day.`,
  ];
}

/** When a memory that was there before got its list of changes; 0 for one that always had it. */
async function listedSince(tx: Tx): Promise<number> {
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration where name in (${LISTED}, ${FIRST})`.execute(tx.db);
  const at = (name: string) => Date.parse(rows.find((row) => row.name === name)?.timestamp ?? '');
  return at(LISTED) - at(FIRST) > AT_ONCE ? at(LISTED) : 0;
}
