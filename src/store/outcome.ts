import { sql } from 'kysely';
import type { Outcome } from '../domain/outcome.ts';
import { insertRecord } from './record.ts';
import type { Unit } from './unit.ts';

/** One entry of a decision's outcome log. `createdAt` is in milliseconds UTC. */
export interface OutcomeEntry {
  decisionId: string;
  outcome: Outcome;
  reason: string | null;
  createdAt: number;
}

/** Adds to the log and mirrors it in the decision (O-7). */
export async function recordOutcome(
  unit: Unit,
  decisionId: string,
  outcome: Outcome,
  reason: string | null,
): Promise<void> {
  const seq = await insertRecord(unit, 'outcome');
  await unit.db
    .insertInto('outcomes')
    .values({ seq, decisionId, outcome, reason, createdAt: unit.now })
    .execute();
  await unit.db
    .updateTable('decisions')
    .set({ outcome, outcomeReason: reason, updatedAt: unit.now })
    .where('id', '=', decisionId)
    .execute();
}

/** Every outcome ever given to these decisions, oldest first. */
export function outcomesOf(unit: Unit, decisionIds: string[]): Promise<OutcomeEntry[]> {
  return unit.db
    .selectFrom('outcomes')
    .select(['decisionId', 'outcome', 'reason', 'createdAt'])
    .where('decisionId', 'in', sql<string>`(${unit.listOfTexts(decisionIds)})`)
    .orderBy('seq')
    .execute();
}
