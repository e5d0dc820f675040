import { type Selectable, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import type { Place } from '../../domain/cursor.ts';
import type { Decision } from '../../domain/decision.ts';
import { type State, stateOf } from '../../domain/filter/filter.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { decisionDocument, LAST_WORDING, toDecision } from '../decisions/decision.ts';
import {
  allOf,
  type Condition,
  holding,
  type Meant,
  ofDecision,
  within,
  writerOf,
  writtenBy,
} from '../kinds/condition.ts';
import { ofObservation } from '../kinds/observation.ts';
import type { StoredMemo } from '../memos/memo.ts';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import { notRetracted } from '../record.ts';
import { countOf, paged, piecesOf } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query, together } from '../statements.ts';
import { giveWay } from '../turns.ts';
import type { Tx } from '../tx.ts';

/** A page of a listing. */
export interface Listed<Row> {
  rows: Row[];
  /** All that pass the filter, shown or not. */
  total: number;
  /** Where the next page begins; undefined on the last. */
  next: Place | undefined;
}

/** Where a page goes on, and in which order: the newest first, or the oldest. */
function pageOf(table: 'd' | 'o' | 'm', from: Place | undefined, isReversed = false) {
  const [at = 0, seq = 0] = from ?? [];
  const [date, number] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.seq`)];
  const is = isReversed ? sql`>` : sql`<`;
  const way = isReversed ? sql`asc` : sql`desc`;
  return {
    goesOn: from ? sql`and (${date}, ${number}) ${is} (${at}, ${seq})` : sql``,
    order: sql`${date} ${way}, ${number} ${way}`,
  };
}

/**
 * The versions that pass a filter, the newest first; without a state those of {@link stateOf} (U-4).
 *
 * A page goes on after the last one shown, among what there was on the first page: a version that was replaced meanwhile
 * is still shown where it was, with the state that it has now, so that none is missed and none is shown twice (W-6).
 * @param from where the page begins, as `next` of the page before said
 * @param isReversed the oldest first
 */
export async function listDecisions(
  tx: Tx,
  filter: Meant,
  limit: number,
  from?: Place,
  isReversed?: boolean,
): Promise<Listed<Decision>> {
  const asOf = from?.[2] ?? (await newestSeq(tx));
  const { goesOn, order } = pageOf('d', from, isReversed);
  const passing = allOf([
    inState(stateOf(filter), asOf, from === undefined),
    ...(filter.state === 'mistaken'
      ? await ofMistake(tx, filter)
      : [notRetracted('d.seq'), ofDecision(tx, filter)]),
  ]);
  const [rows, total] = await together(
    query<Selectable<Schema['decisions']>>(tx)`
      select d.* from decisions as d where ${passing} ${goesOn}
      order by ${order} limit ${limit + 1}`,
    countOf(tx, sql`decisions as d where ${passing}`),
  );
  const [shown, next] = paged(rows, limit, (last) => [last.createdAt, last.seq, asOf]);
  return { rows: shown.map(toDecision), total, next };
}

async function newestSeq(tx: Tx): Promise<number> {
  const rows = await query<{ seq: number | null }>(tx)`select max(seq) as seq from decisions`;
  return rows[0]?.seq ?? 0;
}

/** The version that follows, if it was there already, as a condition on `decisions as d`. */
const follower = (asOf: number) => sql`exists (select 1 from decisions as newer
  where newer.root_id = d.root_id and newer.version = d.version + 1 and newer.seq <= ${asOf})`;

/**
 * A version that was in a state when it had as many records as `asOf`. The plus keeps SQLite from reading by number.
 * @param isNow whether that is now: the flag of active versions says it without a look at other versions
 */
function inState(state: State, asOf: number, isNow: boolean): Condition {
  const wasThere = sql`+d.seq <= ${asOf}`;
  switch (state) {
    case 'active':
      if (isNow) return sql`d.is_active = 1`;
      return sql`d.withdrawn = 0 and ${wasThere} and (d.is_active = 1 or not ${follower(asOf)})`;
    case 'withdrawn':
      return sql`d.withdrawn = 1 and ${wasThere} and not ${follower(asOf)}`;
    case 'superseded':
      return sql`${wasThere} and ${follower(asOf)} and ${LAST_WORDING}`;
    case 'any':
      return sql`${wasThere} and ${LAST_WORDING}`;
    case 'mistaken':
      // Not the version that an undo made of it, which counts as undone from its first moment where it ended the chain.
      return sql`${wasThere} and exists (select 1 from records as r where r.seq = d.seq
          and (d.withdrawn = 0 and r.retracted_at is not null or r.retracted_at > d.created_at))
        and not exists (select 1 from decisions as own where own.root_id = d.root_id and own.version < d.version
          and own.text = d.text and ((d.withdrawn = 1 or d.tidies = own.id) and not ${notRetracted('own.seq')}
            or d.tidies = own.id and own.scope = d.scope and own.files is not distinct from d.files))`;
  }
}

/** Records without an index are read, to see whether they hold the words of a filter: undone records are few (K-6). */
async function ofMistake(tx: Tx, { words, ...filter }: Meant): Promise<(Condition | undefined)[]> {
  if (words === undefined) return [ofDecision(tx, filter)];
  const rows = await query<Selectable<Schema['decisions']>>(tx)`
    select d.* from records as r join decisions as d on d.seq = r.seq
    where r.retracted_at is not null`;
  const wanted = queryTerms(words);
  const found = rows.filter((row) => {
    const { title, body } = decisionDocument(row, []);
    const terms = new Set(queryTerms(`${title}\n${body}`));
    return wanted.length > 0 && wanted.every((term) => terms.has(term));
  });
  return [ofDecision(tx, filter), sql`d.seq in (${tx.lists.numbers(found.map(({ seq }) => seq))})`];
}

/** Rows that are read at a time, and the characters after which a page of whole texts ends. */
const AT_A_TIME = 10;
const ENOUGH = 500_000;

/**
 * Reads rows with long texts, a few at a time: others get their turn in between (Z-5).
 * @param charactersOf a row's whole texts that the page shows: where these are long, the page ends early; 0 for a page that
 *   shows the beginnings alone
 * @returns in the order given; of a page that ends early the first few, at least one
 */
export async function readInPieces<Wanted, Row>(
  wanted: readonly Wanted[],
  read: (piece: Wanted[]) => Promise<Row[]>,
  charactersOf: (row: Row) => number,
): Promise<Row[]> {
  const rows: Row[] = [];
  let characters = 0;
  for (const piece of piecesOf(wanted, AT_A_TIME)) {
    if (rows.length > 0) await giveWay();
    const found = await read(piece);
    append(rows, found);
    characters += found.reduce((sum, row) => sum + charactersOf(row), 0);
    if (characters >= ENOUGH) break;
  }
  return rows;
}

/**
 * The observations that pass a filter, those that were saved last first (W-6). When one was saved never changes, so a page
 * goes on after the last one shown, whatever is saved or changed meanwhile.
 * @param deleted also those that were deleted
 * @param full whether their texts are shown whole: a page of long ones has fewer than `limit` (Z-5)
 * @param reverse the oldest first
 */
export async function listObservations(
  tx: Tx,
  filter: Meant,
  { deleted, full, reverse }: { deleted: boolean; full: boolean; reverse?: boolean | undefined },
  limit: number,
  from?: Place,
): Promise<Listed<StoredObservation>> {
  const passing = allOf([
    deleted ? undefined : sql`o.deleted_at is null`,
    ...ofObservation('o', filter),
    within(sql`o.created_at`, filter, sql`o.seq`),
    writtenBy(tx, writerOf(sql`o.seq`), filter),
    holding(tx, sql`o.seq`, filter.words),
  ]);
  const { goesOn, order } = pageOf('o', from, reverse);
  const rows = await query<{ id: number; seq: number; createdAt: number }>(tx)`
    select o.id, o.seq, o.created_at from observations as o
    where ${passing} ${goesOn} order by ${order} limit ${limit + 1}`;
  const total = await countOf(tx, sql`observations as o where ${passing}`);
  const shown = rows.slice(0, limit);
  const found = await readInPieces(
    shown,
    async (piece) => {
      const ids = piece.map(({ id }) => id);
      const byId = new Map((await findObservations(tx, ids)).map((each) => [each.id, each]));
      return ids.map((id) => byId.get(id) as StoredObservation);
    },
    ({ content }) => (full ? content.length : 0),
  );
  const last = rows.length > found.length ? found.at(-1) : undefined;
  return {
    rows: found,
    total,
    next: last && [last.createdAt, last.seq],
  };
}

/**
 * The memos that pass a filter, of all or of those about one keyword, the newest first (M-8, W-6).
 * @param keyword its number @param from where the page begins
 */
export async function listMemos(
  tx: Tx,
  filter: Meant,
  keyword: number | undefined,
  limit: number,
  from: Place | undefined,
): Promise<Listed<StoredMemo>> {
  const passing = allOf([
    notRetracted('m.seq'),
    keyword === undefined
      ? undefined
      : sql`m.seq in (select memo_seq from memo_links where keyword_seq = ${keyword} and depth = 0)`,
    within(sql`m.created_at`, filter, sql`m.seq`),
    writtenBy(tx, writerOf(sql`m.seq`), filter),
    holding(tx, sql`m.seq`, filter.words),
  ]);
  const { goesOn, order } = pageOf('m', from);
  const rows = await query<StoredMemo>(tx)`
    select m.* from memos as m where ${passing} ${goesOn} order by ${order} limit ${limit + 1}`;
  const total = await countOf(tx, sql`memos as m where ${passing}`);
  const [shown, next] = paged(rows, limit, (last) => [last.createdAt, last.seq]);
  return { rows: shown, total, next };
}

/**
 * The observations that were noted of these decisions since they were made: under their topic as its key, or attached to them as
 * evidence. The newest first.
 */
export async function notedSince(
  tx: Tx,
  decisionIds: string[],
): Promise<{ decision: string; id: number; title: string }[]> {
  const wanted = sql`(${tx.lists.texts(decisionIds)}) as wanted join decisions as d on d.id = wanted.id`;
  return query<{ decision: string; id: number; title: string }>(tx)`
    select noted.decision, o.id, o.title from (
      select d.id as decision, o.id, d.created_at from ${wanted} join observations as o on o.topic_key = d.topic
      union select d.id, e.observation_id, d.created_at from ${wanted} join evidence as e on e.decision_ref = d.id
        and ${notRetracted('e.seq')}
    ) as noted join observations as o on o.id = noted.id
    where o.created_at > noted.created_at and o.deleted_at is null and ${notRetracted('o.seq')}
    order by o.id desc`;
}
