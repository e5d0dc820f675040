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
import { type DecisionRow, reindexDecisions, toDecision } from './decision.ts';

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
  const [createdAt] = await together(dateOfNext(tx, decisionId), writerRow(tx));
  const seq = await insertRecord(tx, 'outcome');
  const shown = { outcome, outcomeReason: reason, updatedAt: createdAt };
  const [, [updated]] = await together(
    insertRows(tx, 'outcomes', [{ seq, decisionId, outcome, reason, createdAt }]),
    updateRows(tx, 'decisions', { id: decisionId }, shown),
  );
  const row = updated as DecisionRow;
  if (reason !== null) await reindexDecisions(tx, [row]);
  return toDecision(row);
}

/**
 * The newest outcome counts: one that is entered later with a date is not older (U-7) than what was not retracted; another one
 * is dated behind that, whatever the clock of the machine says that gave it (Y-6).
 */
async function dateOfNext(tx: Tx, decisionId: string): Promise<number> {
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
  return Math.max(tx.now, Number(created), Number(last ?? 0) + 1);
}

/**
 * The newest outcome of a decision that was not retracted (K-6), as a subquery of its number: by date and id, since the order
 * in which outcomes came is another one on every machine (Y-6).
 */
const newestOutcome = (decision = sql`d.id`) => sql<number>`(select o.seq from outcomes as o
  join records as r on r.seq = o.seq where o.decision_id = ${decision} and r.retracted_at is null
  order by o.created_at desc, coalesce(r.uid, '') desc, o.seq desc limit 1)`;

/** Shows with a decision the newest outcome of its log that was not retracted (K-6). */
export async function mirrorOutcome(tx: Tx, decisionId: string): Promise<void> {
  const newest = await tx.db
    .selectFrom('outcomes')
    .select(['outcome', 'reason'])
    .where('seq', '=', newestOutcome(sql`${decisionId}`))
    .executeTakeFirst();
  const { outcome, reason } = newest ?? { outcome: null, reason: null };
  const shown = { outcome, outcomeReason: reason, updatedAt: tx.now };
  await reindexDecisions(tx, await updateRows(tx, 'decisions', { id: decisionId }, shown));
}

/** All outcomes that these decisions ever had, oldest first. */
export function outcomesOf(tx: Tx, decisionIds: string[]): Promise<OutcomeEntry[]> {
  return tx.db
    .selectFrom('outcomes')
    .innerJoin('records', 'records.seq', 'outcomes.seq')
    .innerJoin('writers', 'writers.id', 'records.writer')
    .select(['decisionId', 'outcome', 'reason', 'createdAt', 'retractedAt', ...WRITER])
    .where('decisionId', 'in', sql<string>`(${tx.lists.texts(decisionIds)})`)
    .orderBy('createdAt')
    .orderBy(sql`coalesce(uid, '')`)
    .orderBy('outcomes.seq')
    .execute();
}

/** Decisions whose outcome is not the newest entry of their log that was not retracted, with the outcome that they should have. */
export async function wrongOutcomes(tx: Tx) {
  const { rows } = await sql<{ seq: number; id: string; outcome: Outcome | null; reason: string | null }>`
    select d.seq, d.id, o.outcome, o.reason from decisions as d
    left join outcomes as o on o.seq = ${newestOutcome()}
    where d.outcome is distinct from o.outcome or d.outcome_reason is distinct from o.reason
    order by d.seq
  `.execute(tx.db);
  return rows;
}

/** The decisions that are marked as failed since a moment and still are, the newest failure first. */
export async function failedSince(tx: Tx, since: number, limit: number) {
  const { rows } = await sql<DecisionRow & { failedAt: number }>`
    select d.*, o.created_at as failed_at from outcomes as o join decisions as d on d.id = o.decision_id
    where o.created_at >= ${since} and o.outcome = 'failed' and d.outcome = 'failed'
      and o.seq = ${newestOutcome()} and ${notRetracted('d.seq')}
    order by o.created_at desc, o.seq desc limit ${limit}`.execute(tx.db);
  return rows.map(({ failedAt, ...row }) => ({ decision: toDecision(row), at: failedAt }));
}
