import type { Place } from '../../domain/cursor.ts';
import type { Decision } from '../../domain/decision.ts';
import { pageOf } from '../../domain/ranking/page.ts';
import { arrange, type Match } from '../../domain/ranking/similarity.ts';
import { findDecisionRows } from '../decisions/decision.ts';
import type { Tx } from '../tx.ts';
import { bestChains, countChains, eligibleVersions } from './chains.ts';
import { newestChains } from './newest.ts';
import { batchesOf, type Question, readQuestion, similaritiesOf } from './question.ts';
import { showsEvery, type VersionFilter } from './version-filter.ts';

export interface SearchQuestion extends VersionFilter {
  /** Without one, or with a blank one, the newest are listed. Text without a letter or digit finds nothing. */
  query?: string | undefined;
  limit: number;
  /** Where the page begins, as the page before said in `next` (W-6). */
  from?: Place | undefined;
}

export interface SearchAnswer {
  /** `seq`: the number of the version in the list of records. */
  hits: { seq: number; decision: Decision; similarity: number }[];
  /** Chains that matched; with `history` or an outcome filter, versions. */
  total: number;
  /** Where the next page begins; undefined on the last. */
  next?: Place | undefined;
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
  if (read.findsNothing && !tx.meaning) return { hits: [], total: 0, asked: read };
  const all = showsEvery(question);
  for await (const asked of batchesOf(tx, read, eligibleVersions(question))) {
    const { chains, skip, placeOf, total, similarities } = await chainsFor(tx, asked, question);
    if (total === 0) continue;
    const groups = chains.map((chain) => arrange([chain], all, Number.POSITIVE_INFINITY));
    const { rows, next } = pageOf(groups, skip, question.limit, all);
    const hits = await hitsOf(tx, rows, asked, similarities);
    return { hits, total, next: next && placeOf(next), asked };
  }
  return { hits: [], total: 0, asked: read };
}

/** Chains to make a page of, one more than it can hold. */
interface Candidates {
  chains: Match[][];
  /** Versions of the first chain that were shown already. */
  skip: number;
  /** The place at which a page begins, so many chains further on. */
  placeOf(next: { groups: number; rows: number }): Place;
  total: number;
  similarities: Map<number, number>;
}

/** The chains to show: those that answer best, or the newest when the question has no text. */
async function chainsFor(
  tx: Tx,
  asked: Question,
  { from, limit, ...filter }: Omit<SearchQuestion, 'query'>,
): Promise<Candidates> {
  const { found: terms } = asked;
  if (terms.length === 0 && !tx.meaning) {
    const { places, ...newest } = await newestChains(tx, filter, limit + 1, from);
    const placeOf: Candidates['placeOf'] = ({ groups, rows }) => [...(places[groups] ?? []), rows];
    return { ...newest, skip: from?.[3] ?? 0, placeOf, similarities: new Map() };
  }
  const [shown = 0, skip = 0] = from ?? [];
  const { exactTotal, ranked, ...best } = await bestChains(tx, asked, filter, limit + 1, shown);
  const matched = exactTotal ?? (terms.length > 0 ? await countChains(tx, terms, filter) : 0);
  return {
    ...best,
    skip,
    placeOf: ({ groups, rows }) => [shown + groups, rows],
    // A chain that is found by its meaning alone has no word to be counted by.
    total: Math.max(matched, ranked),
  };
}

/** @param known similarities of the ranking, by `seq`: they count the words of evidence, too */
async function hitsOf(
  tx: Tx,
  matches: Match[],
  asked: Question,
  known: Map<number, number>,
): Promise<SearchAnswer['hits']> {
  const ids = matches.map((match) => match.id);
  const rows = await findDecisionRows(tx, ids);
  const similarities = await similaritiesOf(
    tx,
    [...rows.values()].map((row) => row.seq).filter((seq) => !known.has(seq)),
    asked,
  );
  return ids.map((id) => {
    const { seq, decision } = rows.get(id) as { seq: number; decision: Decision };
    return { seq, decision, similarity: known.get(seq) ?? similarities.get(seq) ?? 0 };
  });
}
