import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { subjectTerms } from '../../domain/language/subject.ts';
import { closeness, tellingTerms, type Weights, weigh } from '../../domain/ranking/closeness.ts';
import { suspects } from '../../domain/ranking/contradiction.ts';
import type { Frequencies } from '../../domain/ranking/similarity.ts';
import {
  COMMON,
  REASONING_READ,
  SAME_AGAIN,
  SIMILAR_COMPARED,
  SIMILAR_COUNT,
  SIMILAR_FLOOR,
} from '../../domain/ranking/weights.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { toDecision } from '../decisions/decision.ts';
import type { Schema } from '../schema.ts';
import { query, together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { type Counting, counting } from './counting.ts';

/** A decision of another chain that is about the same matter. */
interface Similar {
  decision: Decision;
  /** {@link closeness} of everything that both say. */
  similarity: number;
  /** Whether its rule says the same, whatever topic and reasons are. */
  isSame: boolean;
}

/** Decisions of other chains that are close to a saved one. */
export interface Close {
  /** Decisions about the same matter, the closest first. */
  similar: Similar[];
  /** The active ones that it may contradict, the most suspicious first (T-6). */
  suspected: Decision[];
  /** How many share a word that tells them apart from others. */
  compared: number;
}

/**
 * Decisions of other chains that are about the same matter as a saved one, the closest first: the active ones, and
 * those that failed even when they were replaced (W-5, O-8).
 * @param chain the numbers of the newest versions of its own chain
 */
export async function similarDecisions(
  tx: Tx,
  saved: Decision,
  chain: number[],
  count: Counting = counting(tx),
): Promise<Close> {
  const one = wordsOf(saved);
  const { inAll, elsewhere } = await countIn(tx, chain, [...one.keys()], count);
  const found = await decisionsWith(tx, tellingTerms(one.keys(), elsewhere), saved.rootId);
  const rule = subjectTerms(saved.text);
  const chains = new Set<string>();
  const compared = found.map((decision) => ({
    decision,
    similarity: closeness(one, wordsOf(decision), inAll),
  }));
  const suspected = suspects(
    compared
      .filter(({ decision }) => decision.isActive)
      .map(({ decision, similarity }) => ({
        decision,
        closeness: similarity,
        isBinding: decision.strength !== 'normal',
      })),
  );
  const similar = compared
    .filter(({ similarity }) => similarity >= SIMILAR_FLOOR)
    .sort((a, b) => b.similarity - a.similarity)
    .filter(({ decision: { rootId, isActive } }) => {
      // Of a chain, the active version and the closest that failed.
      const key = `${rootId} ${isActive}`;
      return !chains.has(key) && chains.add(key);
    })
    .slice(0, SIMILAR_COUNT)
    .map(({ decision, similarity }) => {
      const isSame = closeness(rule, subjectTerms(decision.text), inAll) >= SAME_AGAIN;
      return { decision, similarity, isSame };
    });
  return { similar, suspected: suspected.map(({ decision }) => decision), compared: found.length };
}

function wordsOf({ topic, text, reasoning }: Decision): Weights {
  const parts = (topic ?? '').split(/[:/]/);
  return weigh({
    name: subjectTerms(parts.pop() ?? ''),
    area: subjectTerms(parts.join(' ')),
    text: subjectTerms(text),
    reasoning: subjectTerms(parseReasoning(reasoning ?? '').prose.slice(0, REASONING_READ)),
  });
}

/**
 * How many documents have each of these terms, up to `COMMON`: `elsewhere` without the versions of the chain itself,
 * `inAll` with one of them, as if the decision had been saved only once.
 */
async function countIn(tx: Tx, chain: number[], terms: string[], count: Counting) {
  const [{ documents, of }, versions] = await together(count(terms), tx.text.termsIn(tx.db, chain, terms));
  const own = (term: string) => [...versions.values()].filter((found) => found.has(term)).length;
  const others = terms.map((term) => [term, (of.get(term) ?? 0) - own(term)] as const);
  const isCommon = (term: string) => (of.get(term) ?? 0) >= COMMON;
  const counted = (more: number): Frequencies => ({
    documents: documents - versions.size + more,
    of: new Map(others.map(([term, count]) => [term, isCommon(term) ? COMMON : count + more])),
  });
  return { inAll: counted(1), elsewhere: counted(0) };
}

/** The decisions of other chains that these terms fit best, and as many of those that bind, the best first. */
async function decisionsWith(tx: Tx, terms: string[], rootId: string): Promise<Decision[]> {
  if (terms.length === 0) return [];
  const best = (condition: RawBuilder<unknown>) => sql`select * from (
      select found.seq, found.score from found join decisions as d on d.seq = found.seq
      where d.root_id <> ${rootId} and ${condition}
      order by found.score desc, found.seq desc limit ${SIMILAR_COMPARED}
    ) as best`;
  const rows = await query<Selectable<Schema['decisions']>>(tx)`
    with found as materialized (select hits.seq, hits.score from (${tx.text.hits(terms)}) as hits)
    select d.* from (
      ${best(sql`(d.is_active = 1 or d.outcome = 'failed')`)}
      union ${best(sql`d.is_active = 1 and d.strength <> 'normal'`)}
    ) as close join decisions as d on d.seq = close.seq
    order by close.score desc, close.seq desc`;
  return rows.map(toDecision);
}
