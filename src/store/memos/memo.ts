import { type RawBuilder, sql } from 'kysely';
import { type Candidate, chooseStep, MEMO_SOURCE, type Memo, STEP_LIMIT } from '../../domain/memo.ts';
import { putDocument } from '../document.ts';
import type { Document } from '../engine.ts';
import { insertRecord } from '../record.ts';
import type { Tx } from '../tx.ts';

export type StoredMemo = Memo & { seq: number };

/** A link of a memo, with the names of what it leads to and over which keyword that was found. */
export interface MemoLink {
  memoSeq: number;
  infoId: string;
  keyword: string;
  /** 0: the memo is about it. */
  depth: number;
  via: string | null;
  createdAt: number;
}

/** Writes a memo about these keywords (M-2, M-3); no step is taken yet. */
export async function insertMemo(
  tx: Tx,
  text: Pick<Memo, 'summary' | 'fullText'>,
  keywords: number[],
  session: string | undefined,
): Promise<StoredMemo> {
  const seq = await insertRecord(tx, 'memo', session);
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
  await tx.db
    .insertInto('memoLinks')
    .values(
      keywords.map((keywordSeq) => ({
        memoSeq: seq,
        keywordSeq,
        depth: 0,
        viaSeq: null,
        createdAt: tx.now,
      })),
    )
    .execute();
  return memo;
}

/**
 * Takes one step of exploration (M-4, M-5): neighbours of the keywords that the last step found come first, then what
 * is left around the others; at most five, none twice. The depth grows by one, found or not.
 * @returns what was found, in the order of finding
 */
export async function exploreMemo(tx: Tx, memo: StoredMemo): Promise<string[]> {
  const links = await tx.db
    .selectFrom('memoLinks')
    .select(['keywordSeq', 'depth'])
    .where('memoSeq', '=', memo.seq)
    .execute();
  const sources = (isWanted: (depth: number) => boolean) =>
    links.filter(({ depth }) => isWanted(depth)).map(({ keywordSeq }) => keywordSeq);
  const frontier = sources((depth) => depth === memo.searchDepth);
  const nearer = sources((depth) => depth < memo.searchDepth);
  const found = chooseStep(await candidates(tx, memo.seq, frontier), STEP_LIMIT);
  if (found.length < STEP_LIMIT) {
    const known = new Set(found.map(({ keyword }) => keyword));
    const left = (await candidates(tx, memo.seq, nearer)).filter(({ keyword }) => !known.has(keyword));
    found.push(...chooseStep(left, STEP_LIMIT - found.length));
  }
  const depth = memo.searchDepth + 1;
  if (found.length > 0) {
    await tx.db
      .insertInto('memoLinks')
      .values(
        found.map(({ keyword, via }) => ({
          memoSeq: memo.seq,
          keywordSeq: keyword,
          depth,
          viaSeq: via,
          createdAt: tx.now,
        })),
      )
      .execute();
  }
  await tx.db.updateTable('memos').set({ searchDepth: depth }).where('seq', '=', memo.seq).execute();
  return found.map(({ name }) => name);
}

/** What of every memo is searched, of these records. */
export async function memoDocuments(tx: Tx, seqs: number[]): Promise<Document[]> {
  const rows = await tx.db
    .selectFrom('memos')
    .select(['seq', 'summary', 'fullText'])
    .where('seq', 'in', sql<number>`(${tx.lists.numbers(seqs)})`)
    .execute();
  return rows.map(memoDocument);
}

function memoDocument({
  seq,
  summary,
  fullText,
}: Pick<StoredMemo, 'seq' | 'summary' | 'fullText'>): Document {
  return { seq, title: '', body: `${summary}\n${fullText}` };
}

/** How many keywords a memo has found so far, those that it is about not counted. */
export async function countRelated(tx: Tx, memoSeq: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom('memoLinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('memoSeq', '=', memoSeq)
    .where('depth', '>', 0)
    .executeTakeFirstOrThrow();
  return count;
}

export function findMemo(tx: Tx, by: { id: string } | { seq: number }): Promise<StoredMemo | undefined> {
  const query = tx.db.selectFrom('memos').selectAll();
  return ('id' in by ? query.where('id', '=', by.id) : query.where('seq', '=', by.seq)).executeTakeFirst();
}

/** The newest memos about any of these keywords. */
export async function newestMemosAbout(tx: Tx, keywords: number[], limit: number): Promise<StoredMemo[]> {
  const newest = await eachOf<{ memoSeq: number }>(
    tx,
    keywords,
    (keyword) =>
      sql`select memo_seq from memo_links where keyword_seq = ${keyword} and depth = 0 order by memo_seq desc limit ${limit}`,
  );
  const seqs = [...new Set(newest.map(({ memoSeq }) => memoSeq))].sort((a, b) => b - a).slice(0, limit);
  if (seqs.length === 0) return [];
  return tx.db.selectFrom('memos').selectAll().where('seq', 'in', seqs).orderBy('seq', 'desc').execute();
}

/** The newest memos of all, or those about one keyword (M-8). */
export function listMemos(tx: Tx, keyword: number | undefined, limit: number): Promise<StoredMemo[]> {
  if (keyword !== undefined) return newestMemosAbout(tx, [keyword], limit);
  return tx.db.selectFrom('memos').selectAll().orderBy('seq', 'desc').limit(limit).execute();
}

export async function countMemos(tx: Tx, keyword: number | undefined): Promise<number> {
  const count = await sql<{ count: number }>`${
    keyword === undefined
      ? sql`select count(*) as count from memos`
      : sql`select count(*) as count from memo_links where keyword_seq = ${keyword} and depth = 0`
  }`.execute(tx.db);
  return count.rows[0]?.count ?? 0;
}

const LINK = sql`l.memo_seq, m.id as info_id, k.name as keyword, l.depth, v.name as via, l.created_at`;
const NAMED = sql`join memos as m on m.seq = l.memo_seq join keywords as k on k.seq = l.keyword_seq left join keywords as v on v.seq = l.via_seq`;

/** All links of these memos, by depth, then by name. */
export async function linksOf(tx: Tx, memoSeqs: number[]): Promise<MemoLink[]> {
  const links = await sql<MemoLink>`
    select ${LINK} from (${tx.lists.numbers(memoSeqs)}) as wanted join memo_links as l on l.memo_seq = wanted.id ${NAMED}
    order by l.memo_seq desc, l.depth, k.name`.execute(tx.db);
  return links.rows;
}

/** What exploration found, in all memos or in those about one keyword: by depth, then of the newest memo (M-8). */
export async function relatedLinks(
  tx: Tx,
  keyword: number | undefined,
  limit: number,
): Promise<{ links: MemoLink[]; total: number }> {
  const about =
    keyword === undefined
      ? sql``
      : sql`and l.memo_seq in (select memo_seq from memo_links where keyword_seq = ${keyword} and depth = 0)`;
  const links = await sql<MemoLink>`
    select ${LINK} from memo_links as l ${NAMED} where l.depth > 0 ${about}
    order by l.depth, l.memo_seq desc, k.name limit ${limit}`.execute(tx.db);
  const count = await sql<{ count: number }>`
    select count(*) as count from memo_links as l where l.depth > 0 ${about}`.execute(tx.db);
  return { links: links.rows, total: count.rows[0]?.count ?? 0 };
}

/** The strongest neighbours of each of these keywords that the memo is not linked to yet. */
function candidates(tx: Tx, memoSeq: number, sources: number[]): Promise<Candidate<number>[]> {
  return eachOf(
    tx,
    sources,
    (source) => sql`
      select c.neighbour_seq as keyword, k.name, c.keyword_seq as via, v.name as via_name, c.strength,
        c.last_at as connected_at
      from keyword_connections as c
      join keywords as k on k.seq = c.neighbour_seq
      join keywords as v on v.seq = c.keyword_seq
      where c.keyword_seq = ${source} and not exists (
        select 1 from memo_links as l where l.memo_seq = ${memoSeq} and l.keyword_seq = c.neighbour_seq)
      order by c.strength desc, c.last_at desc, k.name limit ${STEP_LIMIT}`,
  );
}

/** As many small queries as one statement may hold. */
const AT_ONCE = 100;

/** The rows of one small, limited query for each key, in few statements. */
async function eachOf<Row>(
  tx: Tx,
  keys: number[],
  query: (key: number) => RawBuilder<unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const parts = keys.slice(start, start + AT_ONCE).map((key) => sql`select * from (${query(key)}) as part`);
    rows.push(...(await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(tx.db)).rows);
  }
  return rows;
}
