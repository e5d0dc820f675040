import { sql } from 'kysely';
import { readMeta, writeMeta } from '../meta.ts';
import type { Tx } from '../tx.ts';

/** The first migration of all. */
const FIRST = '0001-decisions';
/** Two migrations that make more of the past known: the list of changes, and what it says of links and names. */
const STEPS = [
  {
    migration: '0006-writers-changes-names',
    /** The meta entry that says since when it is known, of a memory that was made of an older export. */
    meta: 'changes_known_since',
    unknown: ['where observations were', 'which were deleted for a while'],
  },
  {
    migration: '0008-taking-back',
    meta: 'names_known_since',
    unknown: ['how far memos were explored', 'which relations were removed', 'where names led'],
  },
] as const;
/** All migrations that run together run within this time, in milliseconds. */
const AT_ONCE = 60_000;

/**
 * What no answer about a moment can know: before the list of changes, and before it told all that it tells now, there was
 * no trace of some of them.
 * @param at milliseconds UTC
 */
export async function notKnown(tx: Tx, at: number): Promise<string[]> {
  const [listed = 0, whole = 0] = await knownSince(tx);
  const [early, late] = [STEPS[0].unknown, STEPS[1].unknown];
  const isOneStep = whole - listed <= AT_ONCE;
  return [
    ...(at < listed ? [note(listed, isOneStep ? [...early, ...late] : early)] : []),
    ...(at < whole && !isOneStep ? [note(whole, late)] : []),
  ];
}

function note(since: number, unknown: readonly string[]): string {
  const all = `${unknown.slice(0, -1).join(', ')}, and ${unknown.at(-1)}`;
  return `Before ${new Date(since).toISOString()} this memory did not write down everything: ${all} is shown as it was on that day.`;
}

/** Notes since when changes are known, in a memory that was made of the stream of an older schema. */
export async function noteKnownSince(tx: Tx, schema: string): Promise<void> {
  for (const { migration, meta } of STEPS) if (schema < migration) await writeMeta(tx, meta, String(tx.now));
}

/** When each step came to a memory that was there before; 0 where it always was. */
async function knownSince(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration where name in (${FIRST}, ${sql.join(STEPS.map(({ migration }) => migration))})
  `.execute(tx.db);
  const ranAt = (name: string) => Date.parse(rows.find((row) => row.name === name)?.timestamp ?? '');
  const since: number[] = [];
  for (const { migration, meta } of STEPS) {
    const at = ranAt(migration);
    const migrated = at - ranAt(FIRST) > AT_ONCE ? at : 0;
    since.push(Math.max(migrated, Number((await readMeta(tx, meta)) ?? 0)));
  }
  return since;
}
