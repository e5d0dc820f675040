import { sql } from 'kysely';
import { notRetracted } from '../record.ts';
import type { Tx } from '../tx.ts';

/** A link of a memo, with the names of the keyword it leads to and of the one over which that was found. */
export interface MemoLink {
  memoSeq: number;
  keywordSeq: number;
  infoId: string;
  keyword: string;
  /** 0: the memo is about the keyword; else the step that found it. */
  depth: number;
  via: string | null;
  createdAt: number;
}

/** Links a memo to keywords. @param depth 0 for those it is about, else the step that found them */
export async function insertMemoLinks(
  tx: Tx,
  memoSeq: number,
  depth: number,
  found: { keyword: number; via: number | null }[],
): Promise<void> {
  if (found.length === 0) return;
  await tx.db
    .insertInto('memoLinks')
    .values(
      found.map(({ keyword, via }) => ({
        memoSeq,
        keywordSeq: keyword,
        depth,
        viaSeq: via,
        createdAt: tx.now,
      })),
    )
    .execute();
}

const LINK = sql`l.memo_seq, l.keyword_seq, m.id as info_id, k.name as keyword, l.depth, v.name as via, l.created_at`;
const NAMED = sql`join memos as m on m.seq = l.memo_seq join keywords as k on k.seq = l.keyword_seq left join keywords as v on v.seq = l.via_seq`;

/** All links of these memos, by depth, then by name. */
export async function memoLinks(tx: Tx, memoSeqs: number[]): Promise<MemoLink[]> {
  const links = await sql<MemoLink>`
    select ${LINK} from (${tx.lists.numbers(memoSeqs)}) as wanted join memo_links as l on l.memo_seq = wanted.id ${NAMED}
    order by l.memo_seq desc, l.depth, k.name`.execute(tx.db);
  return links.rows;
}

/** The names of the keywords that each of these memos is about, sorted; a memo without any may be missing. */
export async function keywordsAbout(tx: Tx, memoSeqs: number[]): Promise<Map<number, string[]>> {
  const about = (await memoLinks(tx, memoSeqs)).filter(({ depth }) => depth === 0);
  const bySeq = Map.groupBy(about, ({ memoSeq }) => memoSeq);
  return new Map([...bySeq].map(([seq, links]) => [seq, links.map(({ keyword }) => keyword)]));
}

/**
 * The links that exploration found, of all memos or of those about one keyword: by depth, the newest memo first (M-8).
 * @param after when given, only those that stand after this one (W-6)
 */
export async function relatedLinks(
  tx: Tx,
  keyword: number | undefined,
  limit: number,
  after?: Pick<MemoLink, 'depth' | 'memoSeq' | 'keywordSeq'>,
): Promise<{ links: MemoLink[]; total: number }> {
  const about =
    keyword === undefined
      ? sql``
      : sql`and l.memo_seq in (select memo_seq from memo_links where keyword_seq = ${keyword} and depth = 0)`;
  const links = await sql<MemoLink>`
    select ${LINK} from memo_links as l ${NAMED} where l.depth > 0 and ${notRetracted('l.memo_seq')} ${about} ${after ? standingAfter(after) : sql``}
    order by l.depth, l.memo_seq desc, k.name limit ${limit}`.execute(tx.db);
  const count = await sql<{ count: number }>`
    select count(*) as count from memo_links as l where l.depth > 0 and ${notRetracted('l.memo_seq')} ${about}`.execute(
    tx.db,
  );
  return { links: links.rows, total: count.rows[0]?.count ?? 0 };
}

/** The links after one in the order of {@link relatedLinks}, as a condition on `memo_links as l` and `keywords as k`. */
function standingAfter({ depth, memoSeq, keywordSeq }: Pick<MemoLink, 'depth' | 'memoSeq' | 'keywordSeq'>) {
  const name = sql`(select name from keywords where seq = ${keywordSeq})`;
  return sql`and (l.depth > ${depth} or l.depth = ${depth}
    and (l.memo_seq < ${memoSeq} or l.memo_seq = ${memoSeq} and k.name > ${name}))`;
}

/** How many keywords exploration has found around a memo so far. */
export async function countRelated(tx: Tx, memoSeq: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom('memoLinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('memoSeq', '=', memoSeq)
    .where('depth', '>', 0)
    .executeTakeFirstOrThrow();
  return count;
}
