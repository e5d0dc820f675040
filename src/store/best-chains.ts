import { sql } from 'kysely';
import type { Match } from '../domain/ranking.ts';
import type { Unit } from './unit.ts';

/** Hits looked at first; eight times as many when they turn out not to be enough. */
const WINDOW = 400;
const GROWTH = 8;

/** One version of a chain, as little of it as grouping needs. */
interface Version {
  seq: number;
  id: string;
  rootId: string;
  version: number;
  outcome: Match['outcome'];
  scope: string;
  createdAt: number;
}

/**
 * The chains that match best, each with the versions that matter: its newest, those among the best hits, and those
 * that failed and match at all. Reading only the best hits spares a look at each of the thousands that common words
 * have; chains are exact all the same, since more hits are read until the last chain shown beats the last hit read.
 * @param domain only versions of this scope
 */
export async function bestChains(
  unit: Unit,
  terms: string[],
  domain: string | undefined,
  limit: number,
): Promise<{ chains: Match[][]; exactTotal: number | undefined }> {
  for (let size = WINDOW; ; size *= GROWTH) {
    const scores = await bestHits(unit, terms, size);
    // The hits come best first. (A spread into Math.min would fill the stack with a hundred thousand of them.)
    const lowest = [...scores.values()].at(-1) ?? 0;
    const isAll = scores.size < size;
    const versions = (await versionsAt(unit, [...scores.keys()])).filter((each) => isIn(each, domain));
    const ranked = rank(versions, scores);
    const isEnough = ranked.filter((chain) => chain.score > lowest).length >= limit;
    if (!isAll && !isEnough) continue;
    const best = ranked.slice(0, limit).map((chain) => chain.rootId);
    const chains = await withWhatMatters(unit, best, scores, terms, domain);
    return { chains, exactTotal: isAll ? ranked.length : undefined };
  }
}

/** How many chains match at all. */
export async function countChains(unit: Unit, terms: string[], domain: string | undefined): Promise<number> {
  const inDomain = domain === undefined ? sql`1 = 1` : sql`d.scope = ${domain}`;
  const counted = await sql<{ count: number }>`
    with found as materialized (${unit.text.found(terms)})
    select count(distinct d.root_id) as count from found join decisions as d on d.seq = found.seq
    where ${inDomain}
  `.execute(unit.db);
  return counted.rows[0]?.count ?? 0;
}

/** The best hits of any kind of record: score by `seq`. */
async function bestHits(unit: Unit, terms: string[], size: number): Promise<Map<number, number>> {
  const hits = await sql<{ seq: number; score: number }>`
    select seq, score from (${unit.text.hits(terms)}) as hits order by score desc, seq desc limit ${size}
  `.execute(unit.db);
  return new Map(hits.rows.map(({ seq, score }) => [seq, score]));
}

async function versionsAt(unit: Unit, seqs: number[]): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select d.seq, d.id, d.root_id, d.version, d.outcome, d.scope, d.created_at
    from (${unit.list(seqs)}) as wanted join decisions as d on d.seq = wanted.id
  `.execute(unit.db);
  return rows;
}

/** Chains by their best hit, then the newest, then the one written last. */
function rank(versions: Version[], scores: Map<number, number>): { rootId: string; score: number }[] {
  const chains = new Map<string, { rootId: string; score: number; newest: number; last: number }>();
  for (const { rootId, seq, createdAt } of versions) {
    const known = chains.get(rootId);
    chains.set(rootId, {
      rootId,
      score: Math.max(known?.score ?? Number.NEGATIVE_INFINITY, scores.get(seq) ?? 0),
      newest: Math.max(known?.newest ?? 0, createdAt),
      last: Math.max(known?.last ?? 0, seq),
    });
  }
  return [...chains.values()].sort((a, b) => b.score - a.score || b.newest - a.newest || b.last - a.last);
}

async function withWhatMatters(
  unit: Unit,
  rootIds: string[],
  scores: Map<number, number>,
  terms: string[],
  domain: string | undefined,
): Promise<Match[][]> {
  const { rows } = await sql<Version>`
    select d.seq, d.id, d.root_id, d.version, d.outcome, d.scope, d.created_at
    from (${unit.list(rootIds)}) as wanted join decisions as d on d.root_id = wanted.id
    order by d.version desc
  `.execute(unit.db);
  const unread = rows.filter((each) => each.outcome === 'failed' && !scores.has(each.seq));
  const seqs = unread.map((each) => each.seq);
  const matched = await unit.text.matched(unit.db, seqs, terms);
  return rootIds.map((rootId) => {
    const [head, ...earlier] = rows.filter((each) => each.rootId === rootId);
    const shown = earlier.filter((each) => scores.has(each.seq) || (matched.get(each.seq)?.size ?? 0) > 0);
    return [head as Version, ...shown]
      .filter((each) => isIn(each, domain))
      .map((each) => ({
        id: each.id,
        rootId,
        version: each.version,
        isHead: each === head,
        outcome: each.outcome,
        score: scores.get(each.seq) ?? 0,
      }));
  });
}

function isIn(version: Version, domain: string | undefined): boolean {
  return domain === undefined || version.scope === domain;
}
