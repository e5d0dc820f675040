import { type RawBuilder, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import { MEMO_SOURCE, type Memo } from '../../domain/memo.ts';
import { putDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { byIdOrPrefix } from '../prefix.ts';
import { insertRecord, notRetracted, reinstate, retract } from '../record.ts';
import type { Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';
import { eachOf } from './each-of.ts';
import { insertMemoLinks } from './memo-link.ts';

export type StoredMemo = Memo & { seq: number };

/** Writes a memo about these keywords (M-2, M-3); it takes no step of exploration. */
export async function insertMemo(
  tx: Tx,
  text: Pick<Memo, 'summary' | 'fullText'>,
  keywords: number[],
  session: string | undefined,
): Promise<StoredMemo> {
  const seq = await insertRecord(tx, 'memo', await writerRow(tx, session));
  const memo = await tx.db
    .insertInto('memos')
    .values({
      ...text,
      seq,
      id: tx.newId(),
      source: MEMO_SOURCE,
      searchDepth: 0,
      createdAt: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await putDocument(tx, memoDocument(memo));
  await insertMemoLinks(
    tx,
    seq,
    0,
    keywords.map((keyword) => ({ keyword, via: null })),
  );
  return memo;
}

/** Takes a memo out of lists and searches; it stays readable by its id, and no conversation goes on with it (U-6). */
export async function deleteMemo(tx: Tx, { seq }: StoredMemo): Promise<void> {
  if (!(await retract(tx, seq, 'deleted'))) return;
  await tx.db
    .updateTable('conversations')
    .set({ lastMemoSeq: null })
    .where('lastMemoSeq', '=', seq)
    .execute();
}

/** Brings a deleted memo back. */
export async function restoreMemo(tx: Tx, memo: StoredMemo): Promise<void> {
  if (await reinstate(tx, memo.seq, 'restored')) await putDocument(tx, memoDocument(memo));
}

export function findMemo(tx: Tx, by: { id: string } | { seq: number }): Promise<StoredMemo | undefined> {
  const query = tx.db.selectFrom('memos').selectAll();
  return ('id' in by ? query.where('id', '=', by.id) : query.where('seq', '=', by.seq)).executeTakeFirst();
}

/** The memo with this id, or with one that begins so (U-1). @throws PrecedentError `invalid` when several do */
export function resolveMemo(tx: Tx, reference: string): Promise<StoredMemo | undefined> {
  return byIdOrPrefix(tx, 'memos', reference, 'memos', (id) => findMemo(tx, { id }));
}

/** The memos that stand after one, the newest first by date and number, as a condition on `memos as m` (W-6). */
export function olderThan([createdAt = 0, seq = 0]: Place): RawBuilder<unknown> {
  return sql`(m.created_at, m.seq) < (${createdAt}, ${seq})`;
}

/** The newest memos about any of these keywords. @param before only those that stand after this place */
export async function newestMemosAbout(
  tx: Tx,
  keywords: number[],
  limit: number,
  before?: Place,
): Promise<StoredMemo[]> {
  const found = await eachOf<StoredMemo>(
    tx,
    keywords,
    (keyword) =>
      sql`select m.* from memo_links as l join memos as m on m.seq = l.memo_seq
        where l.keyword_seq = ${keyword} and l.depth = 0 and ${notRetracted('m.seq')}
          ${before ? sql`and ${olderThan(before)}` : sql``}
        order by m.created_at desc, m.seq desc limit ${limit}`,
  );
  const memos = [...new Map(found.map((memo) => [memo.seq, memo])).values()];
  return memos.sort((a, b) => b.createdAt - a.createdAt || b.seq - a.seq).slice(0, limit);
}

/** The newest memos of all, or those about one keyword (M-8). @param before only those that stand after this place */
export async function listMemos(
  tx: Tx,
  keyword: number | undefined,
  limit: number,
  before?: Place,
): Promise<StoredMemo[]> {
  if (keyword !== undefined) return newestMemosAbout(tx, [keyword], limit, before);
  const { rows } = await sql<StoredMemo>`
    select m.* from memos as m where ${notRetracted('m.seq')} ${before ? sql`and ${olderThan(before)}` : sql``}
    order by m.created_at desc, m.seq desc limit ${limit}`.execute(tx.db);
  return rows;
}

export async function countMemos(tx: Tx, keyword: number | undefined): Promise<number> {
  const count = await sql<{ count: number }>`${
    keyword === undefined
      ? sql`select count(*) as count from memos where ${notRetracted('memos.seq')}`
      : sql`select count(*) as count from memo_links
          where keyword_seq = ${keyword} and depth = 0 and ${notRetracted('memo_links.memo_seq')}`
  }`.execute(tx.db);
  return count.rows[0]?.count ?? 0;
}

export function memoDocument(memo: Pick<StoredMemo, 'seq' | 'summary' | 'fullText'>): Document {
  return { seq: memo.seq, title: '', body: `${memo.summary}\n${memo.fullText}` };
}
