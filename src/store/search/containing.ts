import type { Decision } from '../../domain/decision.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { type DecisionRow, toDecision } from '../decisions/decision.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** Terms that are looked up at most, and records that may have them: a hook reads each of these. */
const TERMS = 400;
const MOST = 50;

/**
 * The active decisions, and the versions that failed, that hold one of these names: all of those with the rarest names, since
 * what a few more records have is named daily.
 */
export async function decisionsContaining(tx: Tx, names: string[]): Promise<Decision[]> {
  const asked = names.map(queryTerms);
  const terms = [...new Set(asked.flat())].slice(0, TERMS);
  const { of } = await tx.text.frequencies(tx.db, terms, MOST + 1);
  const frequency = (term: string) => of.get(term) ?? 0;
  // Of several words the rarest that any record has: a record need not have the others as they are ("never updated").
  const rarest = asked.flatMap(
    (each) => each.filter((term) => frequency(term) > 0).sort((a, b) => frequency(a) - frequency(b))[0] ?? [],
  );
  let left = MOST;
  const chosen = [...new Set(rarest)]
    .sort((a, b) => frequency(a) - frequency(b))
    .filter((term) => {
      left -= frequency(term);
      return left >= 0;
    });
  if (chosen.length === 0) return [];
  const rows = await query<DecisionRow>(tx)`
    select d.* from (${tx.text.matching(chosen)}) as found join decisions as d on d.seq = found.seq
    where d.is_active = 1 or d.outcome = 'failed' order by d.seq desc`;
  return rows.map(toDecision);
}
