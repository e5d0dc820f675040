import { type Selectable, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import type { Meant } from '../kinds/condition.ts';
import { allOf, holding, within, writerOf, writtenBy } from '../kinds/condition.ts';
import { olderThan, type StoredMemo } from '../memos/memo.ts';
import { notRetracted } from '../record.ts';
import type { Schema } from '../schema.ts';
import type { Tx } from '../tx.ts';

/**
 * The memos that pass a filter, of all or of those about one keyword, the newest first (W-6).
 * @param keyword its number @param before only memos that stand after this place
 * @returns also how many pass, shown or not
 */
export async function filteredMemos(
  tx: Tx,
  filter: Meant,
  keyword: number | undefined,
  limit: number,
  before: Place | undefined,
): Promise<{ memos: StoredMemo[]; total: number }> {
  const passing = allOf([
    notRetracted('m.seq'),
    keyword === undefined
      ? undefined
      : sql`m.seq in (select memo_seq from memo_links where keyword_seq = ${keyword} and depth = 0)`,
    within(sql`m.created_at`, filter),
    writtenBy(tx, writerOf(sql`m.seq`), filter.authors),
    holding(tx, sql`m.seq`, filter.words),
  ]);
  const { rows } = await sql<Selectable<Schema['memos']>>`
    select m.* from memos as m where ${passing} ${before === undefined ? sql`` : sql`and ${olderThan(before)}`}
    order by m.created_at desc, m.seq desc limit ${limit}`.execute(tx.db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from memos as m where ${passing}`.execute(tx.db);
  return { memos: rows, total: counted.rows[0]?.total ?? 0 };
}
