import { type RawBuilder, sql } from 'kysely';
import { seqsOf } from '../../domain/id.ts';
import type { OutcomeFilter } from '../../domain/outcome.ts';
import type { Match } from '../../domain/ranking/similarity.ts';
import { WITHDRAWN } from '../../domain/ranking/weights.ts';
import { newestStanding } from '../decisions/decision.ts';
import { EVIDENCE, notRetracted, passing } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import type { Eligible, Relevant, Shares } from './hits.ts';
import type { Question } from './question.ts';
import { rankAnswers } from './rank.ts';

/** The fields of a version that grouping needs. */
interface Version {
  seq: number;
  id: string;
  rootId: string;
  version: number;
  outcome: Match['outcome'];
  createdAt: number;
  /** {@link KEPT}. */
  kept: number;
  /** 1 if it passes the filter, else 0. */
  passes: number;
}

/** A chain that answers the question. */
interface Answer {
  /** Its `rootId`. */
  key: string;
  score: number;
  /** The greatest similarity of its versions that were found. */
  similarity: number;
  /** The records that were ranked when it was found. */
  found: Map<number, Relevant>;
}

/**
 * The chains that answer best, each with the versions that matter: its newest, those among the best hits, and those that
 * failed and have a word of the question. With an outcome: every version that matches; with `history` the newest, too.
 * @param from how many of them were shown already
 * @param isBrief whether the first page ends early, with the last chain that is worth reading (T-9)
 * @returns also `shown`, how many of the chains are for this page; `shares`, by the versions' `seq`; `ranked`, how many chains
 *   were ranked: more than were shown up to here if there are more; and `exactTotal` as {@link countChains}, if it is known
 */
export async function bestChains(
  tx: Tx,
  asked: Question,
  filter: VersionFilter,
  limit: number,
  from = 0,
  isBrief = false,
): Promise<{
  chains: Match[][];
  shown: number;
  shares: Map<number, Shares>;
  isAnswered: boolean;
  ranked: number;
  exactTotal: number | undefined;
}> {
  const search = { asked, eligible: eligibleVersions(filter), wanted: from + limit };
  let versions: Version[] = [];
  const { answers, isAll, isAnswered, worth } = await rankAnswers(
    tx,
    search,
    async (records): Promise<Answer[]> => {
      const found = new Map(records.map((record) => [record.seq, record]));
      versions = (await versionsAt(tx, [...found.keys()], filter)).filter(({ passes }) => passes === 1);
      return rankChains(versions, found).map((chain) => ({ ...chain, found }));
    },
  );
  const best = answers.slice(from, from + limit);
  const all = showsEvery(filter) ? versions : answers;
  const records = [...new Set(best.map(({ found }) => found))].flatMap((found) => [...found.values()]);
  return {
    chains: await versionsToShow(tx, best, asked.found, filter),
    shown: isBrief && from === 0 ? Math.min(best.length, worth) : best.length,
    isAnswered,
    shares: new Map(records.map((record) => [record.seq, record])),
    ranked: answers.length,
    exactTotal: isAll && !filter.history ? all.length : undefined,
  };
}

/** Versions that pass, and the evidence of such versions. */
export function eligibleVersions(filter: VersionFilter): Eligible {
  const where = conditionOf(filter);
  const areFew = filter.outcome !== undefined && filter.outcome !== 'pending';
  return sql`(${passing({ kind: 'decision', from: sql`decisions as d`, seq: sql`d.seq`, where }, areFew)}
    or ${passing({ kind: 'evidence', from: EVIDENCE, seq: sql`e.seq`, where }, areFew)})`;
}

/** How many chains have a word of the question; with an outcome or `history`, how many of the versions of {@link bestChains}. */
export async function countChains(tx: Tx, terms: string[], filter: VersionFilter): Promise<number> {
  const all = showsEvery(filter);
  const passing = conditionOf(filter);
  // The index has no undone records: without a filter, hits need no condition.
  const own = all || filter.domain !== undefined ? passing : sql`1 = 1`;
  const heads = sql`union all select d.seq, d.root_id from decisions as d where d.root_id in (select root_id from found)
    and ${passing} and d.seq = ${newestStanding(sql`d.root_id`)}`;
  const [counted] = await query<{ count: number }>(tx)`
    with found as (
      select d.seq, d.root_id from (${tx.text.matching(terms)}) as hits
        cross join decisions as d where d.seq = hits.seq and ${own}
      union all select d.seq, d.root_id from (${tx.text.matching(terms)}) as hits
        cross join evidence as e join decisions as d on d.id = e.decision_ref
        where e.seq = hits.seq and ${passing}
    ) select count(distinct ${all ? sql`seq` : sql`root_id`}) as count
      from (select * from found ${filter.history ? heads : sql``}) as counted`;
  return counted?.count ?? 0;
}

/** The part of its score that a chain keeps, unless the score is negative. @param kept {@link KEPT} */
export const ofState = (score: number, kept: number): number => Math.min(score, (score * kept) / 100);

/**
 * Percent of its score that the chain of `decisions as d` keeps: less when it has no active version, since it was withdrawn
 * (Q-7).
 */
export const KEPT = sql`case when exists (select 1 from decisions as current
  where current.root_id = d.root_id and current.is_active = 1) then 100 else ${sql.lit(100 * WITHDRAWN)} end`;

async function versionsAt(tx: Tx, seqs: number[], filter: VersionFilter): Promise<Version[]> {
  return query<Version>(tx)`
    select d.seq, d.id, d.root_id, d.version, d.outcome, d.created_at, ${KEPT} as kept, ${passesOf(filter)} as passes
    from (${tx.lists.numbers(seqs)}) as wanted join decisions as d on d.seq = wanted.id`;
}

/** The order of chains: by their best version, then the newest first, then the one written last. */
function rankChains(versions: Version[], found: Map<number, Relevant>) {
  const chains = new Map<
    string,
    { key: string; score: number; similarity: number; newest: number; last: number }
  >();
  for (const { rootId, seq, createdAt, kept } of versions) {
    const known = chains.get(rootId);
    const score = ofState(found.get(seq)?.score ?? 0, kept);
    chains.set(rootId, {
      key: rootId,
      score: Math.max(known?.score ?? Number.NEGATIVE_INFINITY, score),
      similarity: Math.max(known?.similarity ?? 0, found.get(seq)?.similarity ?? 0),
      newest: Math.max(known?.newest ?? 0, createdAt),
      last: Math.max(known?.last ?? 0, seq),
    });
  }
  return [...chains.values()].sort((a, b) => b.score - a.score || b.newest - a.newest || b.last - a.last);
}

/** These chains in their order, each with the versions that {@link bestChains} shows, the newest first. */
async function versionsToShow(tx: Tx, best: Answer[], terms: string[], filter: VersionFilter) {
  const rows = await query<Omit<Version, 'kept'> & Pick<Match, 'text'>>(tx)`
    select d.seq, d.id, d.root_id, d.version, d.text, d.outcome, d.created_at, ${passesOf(filter)} as passes
    from (${tx.lists.texts(best.map(({ key }) => key))}) as wanted join decisions as d on d.root_id = wanted.id
    where ${notRetracted('d.seq')} order by d.version desc`;
  const all = showsEvery(filter);
  const foundOf = new Map(best.map(({ key, found }) => [key, found]));
  const isFound = ({ rootId, seq }: Pick<Version, 'rootId' | 'seq'>) =>
    foundOf.get(rootId)?.has(seq) === true;
  const unread = rows.filter((each) => (all || each.outcome === 'failed') && !isFound(each));
  const answering = await withAnyTerm(tx, seqsOf(unread), terms);
  const matches = (each: Pick<Version, 'rootId' | 'seq'>) => isFound(each) || answering.has(each.seq);
  return best.map(({ key: rootId, found }) => {
    const own = rows.filter((each) => each.rootId === rootId);
    const [head] = own;
    return own
      .filter((each) => (each === head && (!all || filter.history)) || matches(each))
      .filter(({ passes }) => passes === 1)
      .map((each) => ({
        id: each.id,
        rootId,
        version: each.version,
        text: each.text,
        isHead: each === head,
        outcome: each.outcome,
        score: found.get(each.seq)?.score ?? 0,
      }));
  });
}

/** Which of these versions have a word of the question, in their own text or in their evidence. */
async function withAnyTerm(tx: Tx, seqs: number[], terms: string[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set();
  const rows = await query<{ seq: number; version: number }>(tx)`
    select e.seq, d.seq as version from (${tx.lists.numbers(seqs)}) as wanted
    join decisions as d on d.seq = wanted.id join evidence as e on e.decision_ref = d.id`;
  const versionOf = new Map([
    ...seqs.map((seq) => [seq, seq] as const),
    ...rows.map((row) => [row.seq, row.version] as const),
  ]);
  const matched = await tx.text.termsIn(tx.db, [...versionOf.keys()], terms);
  return new Set(
    [...versionOf].flatMap(([seq, version]) => ((matched.get(seq)?.size ?? 0) > 0 ? [version] : [])),
  );
}

/** Which versions of decisions may be an answer. */
export interface VersionFilter {
  domain?: string | undefined;
  outcome?: OutcomeFilter | undefined;
  /** A further condition on `decisions as d`. */
  only?: RawBuilder<unknown> | undefined;
  /** Show every version that matches, and the newest, not only the versions of each chain that matter. */
  history?: boolean;
}

/** Whether a search shows every version that matches, not only those of each chain that matter. */
export function showsEvery({ history, outcome, only }: VersionFilter): boolean {
  return history === true || outcome !== undefined || only !== undefined;
}

/** A filter as a condition on `decisions as d`. An undone version never passes, whatever depends on it (K-6). */
export function conditionOf({ domain, outcome, only }: VersionFilter): RawBuilder<unknown> {
  const counting = only === undefined ? notRetracted('d.seq') : sql`${notRetracted('d.seq')} and ${only}`;
  const inDomain = domain === undefined ? counting : sql`d.scope = ${domain} and ${counting}`;
  if (outcome === undefined) return inDomain;
  const withOutcome = outcome === 'pending' ? sql`d.outcome is null` : sql`d.outcome = ${outcome}`;
  return sql`${inDomain} and ${withOutcome}`;
}

/** {@link conditionOf} as a column: 1 where it holds. */
const passesOf = (filter: VersionFilter) => sql`case when ${conditionOf(filter)} then 1 else 0 end`;
