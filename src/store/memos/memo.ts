import { type RawBuilder, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { isIdPrefix, PREFIX_DIGITS_IN_REASONING } from '../../domain/id.ts';
import { type Candidate, chooseStep, MEMO_SOURCE, type Memo, STEP_LIMIT } from '../../domain/memo.ts';
import { putDocument, removeDocuments } from '../document.ts';
import type { Document } from '../engine.ts';
import { valuesIn } from '../json-list.ts';
import { byIdOrPrefix } from '../prefix.ts';
import { insertRecord, notRetracted, recordChange, reinstate, retract, retractedAmong } from '../record.ts';
import { countOf, findRow, findRows, insertRow, insertRows, piecesOf, updateRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';

export type StoredMemo = Memo & { seq: number };

/** Writes a memo about these keywords (M-2, M-3); it takes no step of exploration. */
export async function insertMemo(
  tx: Tx,
  text: Pick<Memo, 'summary' | 'fullText'>,
  keywords: number[],
  session: string | undefined,
): Promise<StoredMemo> {
  const seq = await insertRecord(tx, 'memo', await writerRow(tx, session));
  const made = { seq, id: tx.newId(), source: MEMO_SOURCE, searchDepth: 0, createdAt: tx.now };
  const memo = await insertRow(tx, 'memos', { ...text, ...made });
  await putDocument(tx, memoDocument(memo));
  const about = keywords.map((keyword) => ({ keyword, via: null }));
  await insertMemoLinks(tx, seq, 0, about);
  return memo;
}

/**
 * Takes a memo out of lists and searches; it stays readable by its id. No conversation goes on with it (U-6), but with the memo
 * that takes its place, if one does (RE-10).
 */
export async function deleteMemo(tx: Tx, { seq }: StoredMemo, successor?: StoredMemo): Promise<void> {
  if (!(await retract(tx, seq, 'deleted', successor && { replacedBy: successor.id }))) return;
  await updateRows(tx, 'conversations', { lastMemoSeq: seq }, { lastMemoSeq: successor?.seq ?? null });
}

/** The memo that took the place of a deleted one; undefined where none did. */
export async function successorOf(tx: Tx, { seq }: StoredMemo): Promise<StoredMemo | undefined> {
  const [last] = await query<{ after: string | null }>(tx)`select c.after from changes as c
    where c.record_seq = ${seq} and c.kind = 'deleted' order by c.seq desc limit 1`;
  const { replacedBy } = valuesIn(last?.after);
  return typeof replacedBy === 'string' ? findMemo(tx, { id: replacedBy }) : undefined;
}

/** Brings a deleted memo back. */
export async function restoreMemo(tx: Tx, memo: StoredMemo): Promise<void> {
  if (await reinstate(tx, memo.seq, 'restored')) await putDocument(tx, memoDocument(memo));
}

export function findMemo(tx: Tx, by: { id: string } | { seq: number }): Promise<StoredMemo | undefined> {
  return findRow(tx, 'memos', by);
}

/** The memo with this id, or with one that begins so (U-1). @throws PrecedentError `invalid` when several do */
export function resolveMemo(tx: Tx, reference: string): Promise<StoredMemo | undefined> {
  return byIdOrPrefix(tx, 'memos', reference, 'memos', (id) => findMemo(tx, { id }));
}

/** Memos by their numbers. */
export function memosAt(tx: Tx, seqs: number[]): Promise<StoredMemo[]> {
  if (seqs.length === 0) return Promise.resolve([]);
  return query<StoredMemo>(
    tx,
  )`select m.* from (${tx.lists.numbers(seqs)}) as wanted join memos as m on m.seq = wanted.id`;
}

/** The memos whose ids begin so, each where no other does, as decisions are referred to. */
export async function memosReferred(tx: Tx, references: string[]): Promise<StoredMemo[]> {
  const begins = references.filter((each) => isIdPrefix(each, PREFIX_DIGITS_IN_REASONING));
  if (begins.length === 0) return [];
  const at = (which: 'min' | 'max') => sql`(select ${sql.raw(which)}(m.id) from memos as m
    where m.id >= wanted.id and m.id < wanted.id || '~' and ${notRetracted('m.seq')})`;
  const found = await query<StoredMemo>(tx)`select m.* from (${tx.lists.texts(begins)}) as wanted
    join memos as m on m.id = ${at('min')} and m.id = ${at('max')}`;
  return begins.flatMap((begin) => found.find(({ id }) => id.startsWith(begin)) ?? []);
}

/** The newest memos about any of these keywords. */
export async function newestMemosAbout(tx: Tx, keywords: number[], limit: number): Promise<StoredMemo[]> {
  const found = await eachOf<StoredMemo>(
    tx,
    keywords,
    (keyword) =>
      sql`select m.* from memo_links as l join memos as m on m.seq = l.memo_seq
        where l.keyword_seq = ${keyword} and l.depth = 0 and ${notRetracted('m.seq')}
        order by m.created_at desc, m.seq desc limit ${limit}`,
  );
  const memos = [...new Map(found.map((memo) => [memo.seq, memo])).values()];
  return memos.sort((a, b) => b.createdAt - a.createdAt || b.seq - a.seq).slice(0, limit);
}

/** The newest memos of all. */
export function newestMemos(tx: Tx, limit: number): Promise<StoredMemo[]> {
  return query<StoredMemo>(tx)`select m.* from memos as m where ${notRetracted('m.seq')}
    order by m.created_at desc, m.seq desc limit ${limit}`;
}

export function memoDocument(memo: Pick<StoredMemo, 'seq' | 'summary' | 'fullText'>): Document {
  return { seq: memo.seq, title: '', body: `${memo.summary}\n${memo.fullText}` };
}

/** Small queries in one statement at most. */
const AT_ONCE = 100;

/** The rows of one small, limited query for each key, in few statements. */
export async function eachOf<Row>(
  tx: Tx,
  keys: number[],
  of: (key: number) => RawBuilder<unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const piece of piecesOf(keys, AT_ONCE)) {
    const parts = piece.map((key) => sql`select * from (${of(key)}) as part`);
    append(rows, await query<Row>(tx)`${sql.join(parts, sql` union all `)}`);
  }
  return rows;
}

type MemoText = Pick<Memo, 'summary' | 'fullText'>;

/** The earlier texts of a memo, oldest first. */
export function memoRevisions(tx: Tx, { seq }: StoredMemo) {
  return findRows(tx, 'memoRevisions', { memoSeq: seq }, 'revision');
}

/** Replaces the text of a memo and keeps the present one as a revision (U-6). @returns the number of the revision */
export async function rewriteMemo(
  tx: Tx,
  current: StoredMemo,
  { summary, fullText }: MemoText,
): Promise<number> {
  const revision = ((await memoRevisions(tx, current)).at(-1)?.revision ?? 0) + 1;
  const earlier = { summary: current.summary, fullText: current.fullText, replacedAt: tx.now };
  await insertRows(tx, 'memoRevisions', [{ memoSeq: current.seq, revision, ...earlier }]);
  await updateRows(tx, 'memos', { seq: current.seq }, { summary, fullText });
  await recordChange(tx, 'rewritten', current.seq, { after: { revision } });
  await removeDocuments(tx, [current.seq]);
  const isDeleted = (await retractedAmong(tx, [current.seq])).size > 0;
  if (!isDeleted) await putDocument(tx, memoDocument({ ...current, summary, fullText }));
  return revision;
}

/**
 * Takes one step of exploration (M-4, M-5): neighbours of the keywords that the last step found come first, then the
 * neighbours of the others; at most five, none twice. The depth grows by one even when nothing is found.
 * @returns the names of the found keywords, in the order of finding
 */
export async function exploreMemo(tx: Tx, memo: StoredMemo): Promise<string[]> {
  const links = await findRows(tx, 'memoLinks', { memoSeq: memo.seq }, 'keywordSeq');
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
  await updateRows(tx, 'memos', { seq: memo.seq }, { searchDepth: depth });
  return found.map(({ name }) => name);
}

/** The strongest neighbours of each of these keywords that the memo is not linked to yet. */
function candidates(
  tx: Tx,
  memo: StoredMemo,
  sources: { keywordSeq: number }[],
): Promise<Candidate<number>[]> {
  const seqs = sources.map(({ keywordSeq }) => keywordSeq);
  return eachOf(
    tx,
    seqs,
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

/** A link of a memo, with the names of the keyword it leads to and of the one over which that was found. */
export interface MemoLink extends Omit<Schema['memoLinks'], 'viaSeq'> {
  infoId: string;
  keyword: string;
  via: string | null;
}

/** Links a memo to keywords. @param depth 0 for those it is about, else the step that found them */
async function insertMemoLinks(
  tx: Tx,
  memoSeq: number,
  depth: number,
  found: { keyword: number; via: number | null }[],
): Promise<void> {
  const link = { memoSeq, depth, createdAt: tx.now };
  const links = found.map(({ keyword, via }) => ({ ...link, keywordSeq: keyword, viaSeq: via }));
  await insertRows(tx, 'memoLinks', links);
}

const LINK = sql`l.memo_seq, l.keyword_seq, m.id as info_id, k.name as keyword, l.depth, v.name as via, l.created_at`;
const NAMED = sql`join memos as m on m.seq = l.memo_seq join keywords as k on k.seq = l.keyword_seq left join keywords as v on v.seq = l.via_seq`;

/** All links of these memos, by depth, then by name. */
export async function memoLinks(tx: Tx, memoSeqs: number[]): Promise<MemoLink[]> {
  const links = await query<MemoLink>(tx)`
    select ${LINK} from (${tx.lists.numbers(memoSeqs)}) as wanted join memo_links as l on l.memo_seq = wanted.id ${NAMED}
    order by l.memo_seq desc, l.depth, k.name`;
  return links;
}

/** The names of the keywords that each of these memos is about, sorted; a memo without any may be missing. */
export async function keywordsAbout(tx: Tx, memoSeqs: number[]): Promise<Map<number, string[]>> {
  const about = (await memoLinks(tx, memoSeqs)).filter(({ depth }) => depth === 0);
  const bySeq = Map.groupBy(about, ({ memoSeq }) => memoSeq);
  return new Map([...bySeq].map(([seq, links]) => [seq, links.map(({ keyword }) => keyword)]));
}

/**
 * The links that exploration found, of all memos or of those about one keyword: by depth, the newest memo first (M-8).
 * @param after when given, only those that come after this one (W-6)
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
  const links = await query<MemoLink>(tx)`
    select ${LINK} from memo_links as l ${NAMED} where l.depth > 0 and ${notRetracted('l.memo_seq')} ${about} ${after ? linksAfter(after) : sql``}
    order by l.depth, l.memo_seq desc, k.name limit ${limit}`;
  const total = await countOf(
    tx,
    sql`memo_links as l where l.depth > 0 and ${notRetracted('l.memo_seq')} ${about}`,
  );
  return { links: links, total };
}

/** The links after one in the order of {@link relatedLinks}, as a condition on `memo_links as l` and `keywords as k`. */
function linksAfter({ depth, memoSeq, keywordSeq }: Pick<MemoLink, 'depth' | 'memoSeq' | 'keywordSeq'>) {
  const name = sql`(select name from keywords where seq = ${keywordSeq})`;
  return sql`and (l.depth > ${depth} or l.depth = ${depth}
    and (l.memo_seq < ${memoSeq} or l.memo_seq = ${memoSeq} and k.name > ${name}))`;
}

/** How many keywords exploration has found around a memo so far. */
export function countRelated(tx: Tx, memoSeq: number): Promise<number> {
  return countOf(tx, sql`memo_links where memo_seq = ${memoSeq} and depth > 0`);
}
