import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { type Candidate, chooseStep, STEP_LIMIT } from '../../domain/memo.ts';
import { recordChange } from '../change.ts';
import type { Tx } from '../tx.ts';
import { eachOf } from './each-of.ts';
import type { StoredMemo } from './memo.ts';
import { insertMemoLinks } from './memo-link.ts';

/**
 * Takes one step of exploration (M-4, M-5): neighbours of the keywords that the last step found come first, then the
 * neighbours of the others; at most five, none twice. The depth grows by one even when nothing is found.
 * @returns the names of the found keywords, in the order of finding
 */
export async function exploreMemo(tx: Tx, memo: StoredMemo): Promise<string[]> {
  const links = await tx.db
    .selectFrom('memoLinks')
    .select(['keywordSeq', 'depth'])
    .where('memoSeq', '=', memo.seq)
    .execute();
  const newest = links.filter(({ depth }) => depth === memo.searchDepth);
  const earlier = links.filter(({ depth }) => depth < memo.searchDepth);
  const found = chooseStep(await candidates(tx, memo, newest), STEP_LIMIT);
  if (found.length < STEP_LIMIT) {
    const known = new Set(found.map(({ keyword }) => keyword));
    const others = (await candidates(tx, memo, earlier)).filter(({ keyword }) => !known.has(keyword));
    append(found, chooseStep(others, STEP_LIMIT - found.length));
  }
  const depth = memo.searchDepth + 1;
  await insertMemoLinks(tx, memo.seq, depth, found);
  // The links that it found tell of a step, and the memo itself of its first; of another that found none, only this (U-5).
  if (found.length === 0 && memo.searchDepth > 0) {
    const { searchDepth } = memo;
    await recordChange(tx, 'explored', memo.seq, { before: { searchDepth }, after: { searchDepth: depth } });
  }
  await tx.db.updateTable('memos').set({ searchDepth: depth }).where('seq', '=', memo.seq).execute();
  return found.map(({ name }) => name);
}

/** The strongest neighbours of each of these keywords that the memo is not linked to yet. */
function candidates(
  tx: Tx,
  memo: StoredMemo,
  sources: { keywordSeq: number }[],
): Promise<Candidate<number>[]> {
  return eachOf(
    tx,
    sources.map(({ keywordSeq }) => keywordSeq),
    (source) => sql`
      select c.neighbour_seq as keyword, k.name, c.keyword_seq as via, v.name as via_name, c.strength,
        c.last_at as connected_at
      from keyword_connections as c
      join keywords as k on k.seq = c.neighbour_seq
      join keywords as v on v.seq = c.keyword_seq
      where c.keyword_seq = ${source} and not exists (
        select 1 from memo_links as l where l.memo_seq = ${memo.seq} and l.keyword_seq = c.neighbour_seq)
      order by c.strength desc, c.last_at desc, k.name limit ${STEP_LIMIT}`,
  );
}
