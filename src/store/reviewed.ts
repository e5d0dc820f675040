import { sql } from 'kysely';
import { shortHash } from '../domain/text/short-hash.ts';
import { isProgram } from '../domain/via.ts';
import { readMeta, writeMeta } from './meta.ts';
import { query } from './statements.ts';
import type { Tx } from './tx.ts';
import { clientsHere } from './writer.ts';

/**
 * How far a person has looked through what agents saved (V-3). It is kept in the memory, for each author, so that terminal,
 * page and other machines of one person agree; no export has it.
 */
export interface Reviewed {
  /** The last save up to which all was looked at. */
  from: number;
  /** Later ones that were looked at: from which save to which. */
  seen: [first: number, last: number][];
  /** Saves before this are hidden by default, in milliseconds UTC: a first review starts one week back. */
  begin: number;
  /** Records that are due and were put off: the id of each, and when, in milliseconds UTC. */
  later: [id: string, at: number][];
  /** When something was looked at last, in milliseconds UTC; 0 for never. */
  at: number;
  /** A model's marks on saves that wait: shown, and nothing else. */
  marks: Mark[];
  /** When each save was looked at, in milliseconds UTC: of the newest {@link KEPT}. */
  dates: [save: number, at: number][];
}

/** A model's mark on the save of this number, and the record that it named, or the scope that it would be of. */
export type Mark = [save: number, how: 'contradicts' | 'repeats' | 'wide' | 'strong', other: string];

/** After so long without a review, it starts one week back; what was put off comes again. In milliseconds. */
export const MONTH = 30 * 86_400_000;
const WEEK = 7 * 86_400_000;

const NOTHING: Reviewed = { from: 0, seen: [], begin: 0, later: [], at: 0, marks: [], dates: [] };

/** How far the asker has looked. */
export async function readReviewed(tx: Tx): Promise<Reviewed> {
  const kept = await readMeta(tx, keyOf(tx));
  return kept === undefined ? NOTHING : { ...NOTHING, ...JSON.parse(kept) };
}

/** The moment from which saves of agents are shown: one week back after a month without a review. @returns milliseconds UTC */
export function beginsAt(tx: Tx, { at, begin }: Reviewed): number {
  return tx.now - at <= MONTH ? begin : tx.now - WEEK;
}

/** The records that were put off, by their ids. */
export function putOff({ now }: Pick<Tx, 'now'>, { later }: Pick<Reviewed, 'later'>): Set<string> {
  return new Set(later.flatMap(([id, at]) => (now - at <= MONTH ? [id] : [])));
}

/** How far each person has looked, and the key that it is kept under. */
async function allReviewed(tx: Tx): Promise<(Reviewed & { key: string })[]> {
  const kept = await query<{ key: string; value: string }>(tx)`
    select key, value from meta where key >= ${KEYS} and key < ${`${KEYS}~`}`;
  return kept.map(({ key, value }) => ({ ...NOTHING, ...JSON.parse(value), key }));
}

/** The records that anybody put off, by their ids. */
export async function putOffByAny(tx: Tx): Promise<Set<string>> {
  return new Set((await allReviewed(tx)).flatMap((each) => [...putOff(tx, each)]));
}

/**
 * The persons who looked at the present text of what an agent saved, by name, and when, in milliseconds UTC; none yet is an empty list.
 * @param id of a version, or the number of an observation
 * @returns undefined for what no program saved here, such as what came by sync
 */
export async function reviewersOf(
  tx: Tx,
  table: 'decisions' | 'observations',
  id: string | number,
): Promise<Looker[] | undefined> {
  const [save] = await query<{ id: number; client: string }>(tx)`
    select s.id, w.client from (select x.seq as record, (select max(c.seq) from changes as c
        where c.record_seq = x.seq and c.kind = 'rewritten') as change from ${sql.table(table)} as x where x.id = ${id}) as said
    join saves as s on case when said.change is null then said.record between s.first_record and s.last_record
      else said.change between s.first_change and s.last_change end
    join writers as w on w.id = s.writer`;
  if (!save || !isProgram(save.client)) return undefined;
  return (await lookersOf(tx))(save.id);
}

/** Who looked at a save, by name, and when. */
export interface Looker {
  author: string;
  /** Milliseconds UTC; undefined for one that is not known any more. */
  at: number | undefined;
}

/** The persons who looked at the save of a number. */
export async function lookersOf(tx: Tx): Promise<(save: number) => Looker[]> {
  const all = await allReviewed(tx);
  const authors =
    all.length === 0 ? [] : await query<{ author: string }>(tx)`select distinct author from writers`;
  const named = authors.map(({ author }) => ({ author, key: KEYS + shortHash(author) }));
  return (save) =>
    all
      .filter((each) => isSeen(each, save))
      .flatMap(({ key, dates }) => {
        const author = named.find((each) => each.key === key)?.author;
        const at = dates.findLast(([of]) => of === save)?.[1];
        return author === undefined || (at ?? 0) > tx.now ? [] : [{ author, at }];
      });
}

/** Whether a record of this number came with a save that any person has looked at. */
export async function reviewedRecords(tx: Tx): Promise<(seq: number) => boolean> {
  return recordsSeen(tx, await allReviewed(tx));
}

/** Whether a record of this number came with a save that one of these persons has looked at. */
export async function recordsSeen(tx: Tx, by: Reviewed[]): Promise<(seq: number) => boolean> {
  const seen = by.flatMap((each): Reviewed['seen'] => [[0, each.from], ...each.seen]);
  if (seen.length === 0) return () => false;
  const ranges = seen.map(
    ([first, last]) => sql`select min(first_record) as first, max(last_record) as last from saves
      where id between ${first} and ${last}`,
  );
  const found = await query<{ first: number | null; last: number | null }>(
    tx,
  )`${sql.join(ranges, sql` union all `)}`;
  return (seq) =>
    found.some(({ first, last }) => first !== null && last !== null && first <= seq && seq <= last);
}

/** Whether the save of this number was looked at. */
export function isSeen({ from, seen }: Pick<Reviewed, 'from' | 'seen'>, id: number): boolean {
  return id <= from || seen.some(([first, last]) => first <= id && id <= last);
}

/** The programs, without persons and imports, that wrote here. */
export async function programsHere(tx: Tx): Promise<string[]> {
  return (await clientsHere(tx)).filter(isProgram);
}

/**
 * Remembers that the asker has looked at these saves, and has put off these records; or that it was not so.
 * @param begin from when on the asker looks, where that is earlier than before, in milliseconds UTC: who quits goes on there
 * @param isBack whether they wait again
 */
export async function markReviewed(
  tx: Tx,
  { saves, records, begin }: { saves: number[]; records: string[]; begin?: number | undefined },
  isBack: boolean,
): Promise<void> {
  const before = await readReviewed(tx);
  const named = new Set(saves);
  const isNow = (id: number) => (named.has(id) ? !isBack : isSeen(before, id));
  const put = new Set(records);
  const later = before.later.filter(([id, at]) => !put.has(id) && tx.now - at <= MONTH);
  const reviewed: Reviewed = {
    // A save that is back waits with its marks.
    marks: before.marks,
    ...(await seenOf(tx, Math.min(before.from, ...(isBack ? saves.map((id) => id - 1) : [])), isNow)),
    begin: Math.min(beginsAt(tx, before), begin ?? Number.POSITIVE_INFINITY),
    later: isBack ? later : [...later, ...records.map((id): [string, number] => [id, tx.now])],
    at: tx.now,
    dates: [
      ...before.dates.filter(([save]) => !named.has(save)),
      ...(isBack ? [] : saves.map((id): [number, number] => [id, tx.now])),
    ].slice(-KEPT),
  };
  await writeMeta(tx, keyOf(tx), JSON.stringify(reviewed));
}

/** Marks and dates kept at most, the newest. */
const KEPT = 2_000;

/** Adds what a model said of saves; what it said of those that were looked at since goes. */
export async function addMarks(tx: Tx, marks: Mark[]): Promise<void> {
  const before = await readReviewed(tx);
  const all = [...before.marks.filter(([save]) => !isSeen(before, save)), ...marks];
  const kept = [...new Map(all.map((mark) => [JSON.stringify(mark), mark])).values()].slice(-KEPT);
  await writeMeta(tx, keyOf(tx), JSON.stringify({ ...before, marks: kept }));
}

/** Nobody is named in the key. */
const KEYS = 'reviewed:';
const keyOf = ({ writer }: Tx) => `${KEYS}${shortHash(writer.author)}`;

/** How far a review got: all saves up to one, and some later ones. */
async function seenOf(tx: Tx, behind: number, isNow: (id: number) => boolean) {
  const rows = await query<{ id: number }>(tx)`
    select s.id from saves as s join writers as w on w.id = s.writer
    where s.id > ${behind} and s.undoes is null and w.client in (${tx.lists.texts(await programsHere(tx))})
    order by s.id`;
  const seen: Reviewed['seen'] = [];
  let last: Reviewed['seen'][number] | undefined;
  for (const { id } of rows) {
    if (!isNow(id)) last = undefined;
    else if (last) last[1] = id;
    else {
      last = [id, id];
      seen.push(last);
    }
  }
  const [first] = seen;
  const isAll = first !== undefined && first[0] === rows[0]?.id;
  return isAll ? { from: first[1], seen: seen.slice(1) } : { from: behind, seen };
}
