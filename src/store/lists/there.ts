import { sql } from 'kysely';
import type { Condition } from '../kinds/condition.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { MISTAKES } from './names.ts';

/** The rows of a list, and those that it lists where nobody filters. */
const LISTED = {
  record: [sql`records as x where x.kind <> 'keyword'`, sql`1 = 1`],
  author: [sql`records as x`, sql`1 = 1`],
  decision: [
    sql`(select root_id, max(is_active) as is_active from decisions group by root_id) as x`,
    sql`x.is_active = 1`,
  ],
  topic: [sql`topics as x`, sql`x.root_id not in (${MISTAKES})`],
  scope: [
    sql`(select scope, max(is_active) as is_active from decisions group by scope) as x`,
    sql`x.is_active = 1`,
  ],
  note: [sql`observations as x`, sql`x.deleted_at is null`],
  memo: [sql`memos as x`, notRetracted('x.seq')],
  link: [sql`memo_links as x where x.depth > 0`, notRetracted('x.memo_seq')],
  checkpoint: [sql`checkpoints as x`, notRetracted('x.seq')],
} satisfies Record<string, [from: Condition, isListed: Condition]>;
export type ListedThing = keyof typeof LISTED;

/** How many there are to list, and how many are ended: replaced, withdrawn, undone or deleted (RE-8). */
export async function thereAre(tx: Tx, what: ListedThing): Promise<{ listed: number; ended: number }> {
  const [from, isListed] = LISTED[what];
  const rows = await query<{ all: number; listed: number }>(tx)`
    select count(*) as "all", coalesce(sum(case when ${isListed} then 1 else 0 end), 0) as listed from ${from}`;
  const { all, listed } = rows[0] ?? { all: 0, listed: 0 };
  return { listed, ended: all - listed };
}
