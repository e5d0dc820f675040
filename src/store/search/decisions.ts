import { type RawBuilder, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import type { Decision } from '../../domain/decision.ts';
import { pageOf } from '../../domain/ranking/page.ts';
import { arrange, type Match } from '../../domain/ranking/similarity.ts';
import { findDecisionRows, newestVersion } from '../decisions/decision.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import {
  bestChains,
  conditionOf,
  countChains,
  eligibleVersions,
  showsEvery,
  type VersionFilter,
} from './chains.ts';
import type { Shares } from './hits.ts';
import { batchesOf, type Question, readQuestion, similaritiesOf } from './question.ts';

export interface SearchQuestion extends VersionFilter {
  /** Without one, or with a blank one, the newest are listed. Text without a letter or digit finds nothing. */
  query?: string | undefined;
  limit: number;
  /**
   * Whether the first page ends early, with the last chain that is worth reading (T-9). With `history` or an outcome it holds
   * all that it has room for.
   */
  isBrief?: boolean;
  /** Where the page begins, as the page before said in `next` (W-6). */
  from?: Place | undefined;
}

export interface SearchAnswer {
  /** `seq`: the number of the version in the list of records. */
  hits: ({ seq: number; decision: Decision } & Shares)[];
  /** Chains that matched; with `history` or an outcome filter, versions. */
  total: number;
  /** Where the next page begins; undefined on the last. */
  next?: Place | undefined;
  /** Whether the best say enough of what was asked; a listing does. */
  isAnswered: boolean;
  /** The question as it was read. */
  asked: Question;
}

/**
 * Finds decisions, the chain that answers best first; in a chain the newest version comes first. Filters apply before
 * the limit (G-5, O-5, O-6, O-8). Ties go to the newest chain, then to the one written last.
 *
 * A page is of whole chains, as far as its limit can hold one; with `history` or an outcome it is of versions. A page of
 * the newest goes on where the one before ended, whatever was saved meanwhile; a page of a ranking goes on after so many
 * chains, and the ranking is made anew (W-6).
 */
export async function searchDecisions(tx: Tx, question: SearchQuestion): Promise<SearchAnswer> {
  const read = await readQuestion(tx, question.query);
  if (read.findsNothing && !tx.meaning) return { hits: [], total: 0, isAnswered: false, asked: read };
  const all = showsEvery(question);
  for await (const asked of batchesOf(tx, read, eligibleVersions(question))) {
    const { chains, shown, skip, placeOf, total, shares, isAnswered } = await chainsFor(tx, asked, question);
    if (total === 0) continue;
    const groups = chains.map((chain) => arrange([chain], all, Number.POSITIVE_INFINITY));
    const { rows, next: full } = pageOf(groups.slice(0, shown), skip, question.limit, all);
    const next = full ?? (shown < groups.length ? { groups: shown, rows: 0 } : undefined);
    const hits = await hitsOf(tx, rows, asked, shares);
    return { hits, total, next: next && placeOf(next), isAnswered, asked };
  }
  return { hits: [], total: 0, isAnswered: !question.query?.trim(), asked: read };
}

/** Chains to make a page of, one more than it can hold. */
interface Candidates {
  chains: Match[][];
  /** How many of them are for this page. */
  shown: number;
  /** Versions of the first chain that were shown already. */
  skip: number;
  /** The place at which a page begins, so many chains further on. */
  placeOf(next: { groups: number; rows: number }): Place;
  total: number;
  shares: Map<number, Shares>;
  isAnswered: boolean;
}

/** The chains to show: those that answer best, or the newest when the question has no text. */
async function chainsFor(
  tx: Tx,
  asked: Question,
  { from, limit, isBrief = false, ...filter }: Omit<SearchQuestion, 'query'>,
): Promise<Candidates> {
  const { found: terms } = asked;
  if (terms.length === 0 && !tx.meaning) {
    const { places, ...newest } = await newestChains(tx, filter, limit + 1, from);
    const placeOf: Candidates['placeOf'] = ({ groups, rows }) => [...(places[groups] ?? []), rows];
    const skip = from?.[3] ?? 0;
    return { ...newest, shown: limit + 1, skip, placeOf, shares: new Map(), isAnswered: true };
  }
  const [start = 0, skip = 0] = from ?? [];
  const isCut = isBrief && !showsEvery(filter);
  const { exactTotal, ranked, ...best } = await bestChains(tx, asked, filter, limit + 1, start, isCut);
  const matched = exactTotal ?? (terms.length > 0 ? await countChains(tx, terms, filter) : 0);
  return {
    ...best,
    skip,
    placeOf: ({ groups, rows }) => [start + groups, rows],
    // A chain that is found by its meaning alone has no word to be counted by.
    total: Math.max(matched, ranked),
  };
}

/** @param known shares of the ranking, by `seq`: they count the words of evidence, too */
async function hitsOf(tx: Tx, matches: Match[], asked: Question, known: Map<number, Shares>) {
  const ids = matches.map((match) => match.id);
  const rows = await findDecisionRows(tx, ids);
  const similarities = await similaritiesOf(
    tx,
    [...rows.values()].map((row) => row.seq).filter((seq) => !known.has(seq)),
    asked,
  );
  return ids.map((id) => {
    const { seq, decision } = rows.get(id) as { seq: number; decision: Decision };
    const { similarity = similarities.get(seq) ?? 0, nearness } = known.get(seq) ?? {};
    return { seq, decision, similarity, nearness };
  });
}

/** Later than every moment, and higher than the number of any record. */
const ANY = Number.MAX_SAFE_INTEGER;

/**
 * The newest chains, each with its newest version and those before it that failed; with `history` or an outcome, with
 * every version that passes the filter.
 *
 * A page that begins at a place goes on in the order that there was on the first page: a chain is where its versions
 * of then put it, so that a version saved meanwhile neither repeats nor hides it (W-6). It shows what is active now.
 * @param from the place of the first chain of the page; undefined for the newest
 * @returns also how many chains there are, or with `history` or an outcome how many versions; `places`, one for each chain
 */
async function newestChains(
  tx: Tx,
  filter: VersionFilter,
  limit: number,
  from?: Place,
): Promise<{ chains: Match[][]; places: Place[]; total: number }> {
  const [at = ANY, last = ANY, asOf = ANY] = from ?? [];
  const all = showsEvery(filter);
  // Materialized, so that SQLite reads by the filter's index: without it, it reads all versions in the order of chains.
  const rows = await query<{
    rootId: string;
    newest: number;
    last: number;
    chains: number;
    versions: number;
    asOf: number;
  }>(tx)`
    with matched as materialized (
      select d.seq, d.root_id, d.created_at from decisions as d where ${listed(filter, asOf)}
    )
    select *, (select max(seq) from decisions) as as_of from (
      select root_id, max(created_at) as newest, max(seq) as last, count(*) over () as chains,
        sum(count(*)) over () as versions
      from matched group by root_id
    ) as grouped where (newest, last) <= (${at}, ${last}) order by newest desc, last desc limit ${limit}`;
  const [first] = rows;
  if (first === undefined) {
    // The rows that were left were changed meanwhile: no row says how many there are.
    const total = from ? (await newestChains(tx, filter, 1)).total : 0;
    return { chains: [], places: [], total };
  }
  const rootIds = rows.map(({ rootId }) => rootId);
  const versions = await versionsOf(tx, rootIds, listed(filter, all ? asOf : ANY));
  return {
    chains: rootIds.map((rootId) => versions.filter((version) => version.rootId === rootId)),
    places: rows.map((row) => [row.newest, row.last, from ? asOf : row.asOf]),
    total: all ? first.versions : first.chains,
  };
}

/**
 * The versions that are listed, as a condition on `decisions as d`. The plus keeps SQLite from reading by number.
 * @param asOf the number of the last version that was there
 */
function listed(filter: VersionFilter, asOf: number): RawBuilder<unknown> {
  const passing = sql`${conditionOf(filter)} and +d.seq <= ${asOf}`;
  if (showsEvery(filter)) return passing;
  return sql`${passing} and (d.outcome = 'failed' or not exists (
    select 1 from decisions as newer
    where newer.root_id = d.root_id and newer.version = d.version + 1 and newer.seq <= ${asOf}))`;
}

/** The listed versions of these chains, the newest first. */
async function versionsOf(tx: Tx, rootIds: string[], isListed: RawBuilder<unknown>): Promise<Match[]> {
  // A cross join, so that SQLite starts from the chains and not from an index on outcome or scope.
  const rows = await query<Omit<Match, 'isHead' | 'score'> & { isHead: number }>(tx)`
    select d.id, d.root_id, d.version, d.text, d.outcome, case when d.version = ${newestVersion(sql`d.root_id`)} then 1 else 0 end as is_head
    from (${tx.lists.texts(rootIds)}) as wanted cross join decisions as d
    where d.root_id = wanted.id and ${isListed} order by d.version desc`;
  return rows.map((row) => ({ ...row, isHead: row.isHead === 1, score: 0 }));
}
