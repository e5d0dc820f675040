import type { Decision } from '../../domain/decision.ts';
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
}

export interface SearchAnswer {
  /** `seq`: the number of the version in the list of records. */
  hits: { seq: number; decision: Decision; similarity: number }[];
  /** Chains that matched; with `history` or an outcome filter, versions. */
  total: number;
  /** The question as it was read. */
  asked: Question;
}

/**
 * Finds decisions, the chain that answers best first; in a chain the newest version comes first. Filters apply before
 * the limit (G-5, O-5, O-6, O-8). Ties go to the newest chain, then to the one written last.
 */
export async function searchDecisions(tx: Tx, question: SearchQuestion): Promise<SearchAnswer> {
  const asked = await readQuestion(tx, question.query);
  if (asked.findsNothing && !tx.meaning) return { hits: [], total: 0, asked };
  for await (const terms of batchesOf(tx, asked, eligibleVersions(question))) {
    const { chains, total, similarities } = await chainsFor(tx, asked, terms, question);
    if (total === 0) continue;
    const matches = arrange(chains, showsEvery(question), question.limit);
    return { hits: await hitsOf(tx, matches, asked, similarities), total, asked };
  }
  return { hits: [], total: 0, asked };
}

/** The chains to show: those that answer best, or the newest when the question has no text. */
async function chainsFor(tx: Tx, asked: Question, terms: string[], question: Omit<SearchQuestion, 'query'>) {
  if (terms.length === 0 && !tx.meaning)
    return { ...(await newestChains(tx, question, question.limit)), similarities: new Map() };
  const { exactTotal, ...best } = await bestChains(tx, asked, terms, question, question.limit);
  const matched = exactTotal ?? (terms.length > 0 ? await countChains(tx, terms, question) : 0);
  // A chain that is found by its meaning alone has no word to be counted by.
  return { ...best, total: Math.max(matched, best.chains.length) };
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
