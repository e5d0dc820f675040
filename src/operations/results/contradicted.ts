import { invalid } from '../../domain/error.ts';
import { idsOf } from '../../domain/id.ts';
import { failedBefore } from '../../domain/outcome.ts';
import type { Meant } from '../../store/kinds/condition.ts';
import { listDecisions } from '../../store/lists/records.ts';
import { shortIds } from '../../store/prefix.ts';
import { giveWay } from '../../store/turns.ts';
import type { Tx } from '../../store/tx.ts';
import { toOutdated } from './copies.ts';
import { againstOf, closeTo } from './similar-decisions.ts';

/** Decisions that are compared with all others. */
const MOST = 2_000;

/**
 * Which of these decisions may contradict a lock, an axis or a failure, as a save would warn (T-6): until one links the other,
 * or is overridden.
 * @returns warnings by the decision's id, only those that may contradict something
 */
async function contradictionsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const id of ids) {
    // Others get their turn in between (Z-5).
    await giveWay();
    const { contradicted, failed } = await againstOf(tx, id);
    const rules = contradicted.filter(({ strength }) => strength !== 'normal');
    const refOf = await shortIds(tx, 'decisions', idsOf(rules));
    const said = [
      ...rules.map((rule) => closeTo(rule, refOf(rule.id))),
      ...failed.map(({ id, text, outcomeReason }) => failedBefore({ id, decision: text, outcomeReason })),
    ];
    if (said.length > 0) found.set(id, said);
  }
  return found;
}

/** {@link contradictionsOf} the decisions that pass a filter. @throws PrecedentError `invalid` when they are too many to be compared */
export async function contradictionsAmong(tx: Tx, filter: Meant): Promise<Map<string, string[]>> {
  return contradictionsOf(tx, idsOf(await requireFew(tx, 'is:contradicted', filter)));
}

/** The decisions that pass a filter, for a flag that compares each with others. @throws PrecedentError `invalid` when they are too many */
async function requireFew(tx: Tx, flag: string, filter: Meant) {
  const { rows, total } = await listDecisions(tx, filter, MOST);
  if (total > MOST)
    throw invalid.too_many(
      `${flag} compares each decision with all others: expected a filter that at most ${MOST} pass, found ${total}. Add scope:, since: or by:.`,
    );
  return rows;
}

/** {@link toOutdated} of the active decisions that pass a filter, by id. @throws PrecedentError `invalid` when they are too many */
export async function outdatedAmong(tx: Tx, filter: Meant): Promise<Map<string, string[]>> {
  const rows = await requireFew(tx, 'is:outdated', filter);
  const found = new Map<string, string[]>();
  for (const row of rows) {
    // Others get their turn in between (Z-5).
    await giveWay();
    if (!row.isActive || row.withdrawn) continue;
    const { outdated } = await toOutdated(tx, { ...row, title: row.topic });
    if (outdated) found.set(row.id, outdated);
  }
  return found;
}
