import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { OutcomeFilter } from '../../domain/outcome.ts';
import { arrange, type Match, rarestTerms } from '../../domain/ranking/similarity.ts';
import { SIMILAR_COUNT, SIMILAR_FLOOR, SIMILAR_TERMS } from '../../domain/ranking/weights.ts';
import { chainSeqs, findDecisionRows } from '../decisions/decision.ts';
import type { Tx } from '../tx.ts';
import { bestChains, countChains, filters, showsEvery } from './chains.ts';
import { type Question, readQuestion, similaritiesOf } from './question.ts';

export interface SearchQuestion {
  /** None, or blank, lists the newest. Text without a letter or digit finds nothing. */
  query?: string | undefined;
  domain?: string | undefined;
  outcome?: OutcomeFilter | undefined;
  /** Every matching version, instead of a chain's newest and at most one before it. */
  history: boolean;
  limit: number;
}

export interface SearchAnswer {
  hits: { decision: Decision; similarity: number }[];
  /** Chains that matched; with `history` or an outcome filter, versions. */
  total: number;
}

/**
 * Finds decisions: BM25 over their text, current before superseded, filters before the limit (G-5, O-5, O-6,
 * O-8). Ties go to the newest, then to the one written last.
 */
export async function searchDecisions(tx: Tx, question: SearchQuestion): Promise<SearchAnswer> {
  const asked = await readQuestion(tx, question.query);
  if (asked.findsNothing && !tx.meaning) return { hits: [], total: 0 };
  for (const terms of asked.batches) {
    const { chains, total, similarities } = await chainsFor(tx, asked, terms, question);
    if (total === 0) continue;
    const matches = arrange(chains, showsEvery(question), question.limit);
    return { hits: await hitsOf(tx, matches, asked, similarities), total };
  }
  return { hits: [], total: 0 };
}

/**
 * Decisions of other chains that say something close, closest first, for whoever saves one: those that stand, and
 * those that failed, also when they were replaced.
 */
export async function similarDecisions(tx: Tx, saved: Decision): Promise<SearchAnswer['hits']> {
  const asked = await readQuestion(tx, `${saved.topic ?? ''} ${saved.text}`);
  const own = await chainSeqs(tx, saved.rootId);
  const inChain = [...(await tx.text.termsIn(tx.db, own, asked.terms)).values()];
  // A term that stands in this chain alone finds nothing else.
  const elsewhere = asked.terms.filter(
    (term) => (asked.frequencies.of.get(term) ?? 0) > inChain.filter((found) => found.has(term)).length,
  );
  const terms = rarestTerms(elsewhere, asked.frequencies, SIMILAR_TERMS);
  if (terms.length === 0) return [];
  const { chains } = await bestChains(tx, asked, terms, {}, 4 * SIMILAR_COUNT);
  const others = chains.filter(([first]) => first?.rootId !== saved.rootId);
  const hits = await hitsOf(tx, arrange(others, false, Number.POSITIVE_INFINITY), asked, new Map());
  return hits
    .filter(({ decision }) => decision.isActive || decision.outcome === 'failed')
    .filter((hit) => hit.similarity >= SIMILAR_FLOOR)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, SIMILAR_COUNT);
}

/** The chains to show: the best for the terms, the newest without any. */
async function chainsFor(tx: Tx, asked: Question, terms: string[], question: Omit<SearchQuestion, 'query'>) {
  if (terms.length === 0 && !tx.meaning)
    return { ...(await newestChains(tx, question)), similarities: new Map() };
  const { exactTotal, ...best } = await bestChains(tx, asked, terms, question, question.limit);
  const matched = exactTotal ?? (terms.length > 0 ? await countChains(tx, terms, question) : 0);
  // What only means something close has no word to be counted by.
  return { ...best, total: Math.max(matched, best.chains.length) };
}

/** The newest chains with what stands and what failed; with `history` or an outcome, with every version. */
async function newestChains(
  tx: Tx,
  question: Omit<SearchQuestion, 'query'>,
): Promise<{ chains: Match[][]; total: number }> {
  const all = showsEvery(question);
  const head = sql`(select max(version) from decisions as newer where newer.root_id = d.root_id)`;
  // A listing shows what stands: of the versions before it only one that failed.
  const listed = all ? sql`1 = 1` : sql`(d.outcome = 'failed' or d.version = ${head})`;
  const rows = await sql<Match & { total: number }>`
    with matched as materialized (
      select d.seq, d.root_id, d.created_at from decisions as d where ${filters(question)} and ${listed}
    ),
    ranked as materialized (
      select root_id, max(created_at) as newest, max(seq) as last, count(*) as versions from matched group by root_id
    ),
    best as materialized (
      select ranked.*, (select count(*) from ranked) as chains, (select sum(versions) from ranked) as total_versions
      from ranked order by newest desc, last desc limit ${question.limit}
    ),
    shown as (
      select d.id, d.root_id, d.version, d.outcome
      from best join matched on matched.root_id = best.root_id join decisions as d on d.seq = matched.seq
    )
    select d.id, d.root_id, d.version, d.outcome, 0 as score, ${all ? sql`best.total_versions` : sql`best.chains`} as total,
      case when d.version = ${head} then 1 else 0 end as is_head
    from shown as d join best on best.root_id = d.root_id
    order by best.newest desc, best.last desc, d.version desc
  `.execute(tx.db);
  const chains = new Map<string, Match[]>();
  for (const { total: _, ...row } of rows.rows) {
    const chain = chains.get(row.rootId) ?? [];
    chain.push({ ...row, isHead: Boolean(row.isHead) });
    chains.set(row.rootId, chain);
  }
  return { chains: [...chains.values()], total: rows.rows[0]?.total ?? 0 };
}

/** @param known similarities that the ranking found, which counts the words of evidence too */
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
    return { decision, similarity: known.get(seq) ?? similarities.get(seq) ?? 0 };
  });
}
