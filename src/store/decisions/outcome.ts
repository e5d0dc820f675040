import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { insertRecord, notRetracted } from '../record.ts';
import { insertRows, updateRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { together } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { requireFollows } from '../tx.ts';
import { WRITER, writerRow } from '../writer.ts';
import { type DecisionRow, reindexDecision, toDecision } from './decision.ts';

/** One entry of a decision's outcome log, and who gave it. `createdAt` is in milliseconds UTC. */
export interface OutcomeEntry extends Writer, Omit<Schema['outcomes'], 'seq'> {
  /** When it was retracted (K-6); null while it counts. */
  retractedAt: number | null;
}

/** Adds an outcome to the log and mirrors it in the decision (O-7). @returns the decision as it is now */
export async function recordOutcome(
  tx: Tx,
  decisionId: string,
  outcome: Outcome,
  reason: string | null,
): Promise<Decision> {
  await together(requireLast(tx, decisionId), writerRow(tx));
  const seq = await insertRecord(tx, 'outcome');
  const shown = { outcome, outcomeReason: reason, updatedAt: tx.now };
  const [, [updated]] = await together(
    insertRows(tx, 'outcomes', [{ seq, decisionId, outcome, reason, createdAt: tx.now }]),
    updateRows(tx, 'decisions', { id: decisionId }, shown),
  );
  const row = updated as DecisionRow;
  if (reason !== null) await reindexDecision(tx, row.seq);
  return toDecision(row);
}

/** The newest outcome counts: one that is entered later with a date is not older (U-7) than what was not retracted. */
async function requireLast(tx: Tx, decisionId: string): Promise<void> {
  if (tx.now === tx.entered) return;
  const { created, last } = await tx.db
    .selectFrom('decisions')
    .leftJoin('outcomes', (join) =>
      join
        .onRef('outcomes.decisionId', '=', 'decisions.id')
        .on(sql<boolean>`${notRetracted('outcomes.seq')}`),
    )
    .select((eb) => [
      eb.fn.max('decisions.createdAt').as('created'),
      eb.fn.max('outcomes.createdAt').as('last'),
    ])
    .where('decisions.id', '=', decisionId)
    .executeTakeFirstOrThrow();
  requireFollows(tx, Number(created), 'the decision');
  if (last !== null) requireFollows(tx, Number(last), 'the outcome before it');
}

/** Shows with a decision the newest outcome of its log that was not retracted (K-6). */
export async function mirrorOutcome(tx: Tx, decisionId: string): Promise<void> {
  const newest = await tx.db
    .selectFrom('outcomes')
    .select(['outcome', 'reason'])
    .where('decisionId', '=', decisionId)
    .where(sql<boolean>`${notRetracted('outcomes.seq')}`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { outcome, reason } = newest ?? { outcome: null, reason: null };
  const shown = { outcome, outcomeReason: reason, updatedAt: tx.now };
  for (const { seq } of await updateRows(tx, 'decisions', { id: decisionId }, shown))
    await reindexDecision(tx, seq);
}

/** All outcomes that these decisions ever had, oldest first. */
export function outcomesOf(tx: Tx, decisionIds: string[]): Promise<OutcomeEntry[]> {
  return tx.db
    .selectFrom('outcomes')
    .innerJoin('records', 'records.seq', 'outcomes.seq')
    .innerJoin('writers', 'writers.id', 'records.writer')
    .select(['decisionId', 'outcome', 'reason', 'createdAt', 'retractedAt', ...WRITER])
    .where('decisionId', 'in', sql<string>`(${tx.lists.texts(decisionIds)})`)
    .orderBy('outcomes.seq')
    .execute();
}

/** Decisions whose outcome is not the newest entry of their log that notRetracted, with the outcome that they should have. */
export async function wrongOutcomes(tx: Tx) {
  const { rows } = await sql<{ seq: number; id: string; outcome: Outcome | null; reason: string | null }>`
    select d.seq, d.id, o.outcome, o.reason from decisions as d
    left join outcomes as o on o.seq = (
      select max(given.seq) from outcomes as given where given.decision_id = d.id and ${notRetracted('given.seq')})
    where d.outcome is distinct from o.outcome or d.outcome_reason is distinct from o.reason
    order by d.seq
  `.execute(tx.db);
  return rows;
}
