import { type RawBuilder, sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { dateAfter } from '../columns.ts';
import { insertRecord, notRetracted } from '../record.ts';
import { insertRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query, together } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { requireFollows } from '../tx.ts';
import { type Recorded, recorded, WRITER, writerRow, writersOf } from '../writer.ts';
import { DECIDED, type DecisionRow, LAST_WORDING, reindexDecisions, toDecision } from './decision.ts';

/** One entry of a decision's outcome log, and who gave it. `createdAt` is in milliseconds UTC. */
export interface OutcomeEntry extends Writer, Recorded, Omit<Schema['outcomes'], 'seq'> {
  /** When it was retracted (K-6); null while it counts. */
  retractedAt: number | null;
}

/** Adds an outcome to the log of what was decided and mirrors it in each wording (O-7, TR-3). @returns the decision as it is now */
export async function recordOutcome(
  tx: Tx,
  decisionId: string,
  outcome: Outcome,
  reason: string | null,
): Promise<Decision> {
  const [{ of, createdAt }] = await together(dateOfNext(tx, decisionId), writerRow(tx));
  const seq = await insertRecord(tx, 'outcome');
  const [, rows] = await together(
    insertRows(tx, 'outcomes', [{ seq, decisionId: of, outcome, reason, createdAt }]),
    showOutcome(tx, of, outcome, reason, createdAt),
  );
  if (reason !== null) await reindexDecisions(tx, rows);
  return toDecision(rows.find(({ id }) => id === decisionId) as DecisionRow);
}

/** Shows an outcome with each wording of what was decided. */
const showOutcome = (tx: Tx, of: string, outcome: Outcome | null, reason: string | null, at: number) =>
  query<DecisionRow>(
    tx,
  )`update decisions set outcome = ${outcome}, outcome_reason = ${reason}, updated_at = ${at}
    where id = ${of} or tidies = ${of} returning *`;

/**
 * The newest outcome counts, and is given to the version that was decided, once that came (Y-1): one that is entered later with
 * a date is not older (U-7) than what was not retracted; another one is dated after that, whatever the clock of the machine
 * says that gave it (Y-6).
 */
async function dateOfNext(tx: Tx, decisionId: string): Promise<{ of: string; createdAt: number }> {
  const [{ of, created, last } = { of: decisionId, created: 0, last: null }] = await query<{
    of: string;
    created: number;
    last: number | null;
  }>(tx)`
    select max(coalesce((select t.id from decisions as t where t.id = d.tidies), d.id)) as "of", max(coalesce((select t.created_at from decisions as t where t.id = d.tidies), d.created_at)) as created, max(o.created_at) as last from decisions as d
    left join outcomes as o on o.decision_id = ${DECIDED} and ${notRetracted('o.seq')} where d.id = ${decisionId}`;
  requireFollows(tx, created, 'the decision');
  if (last !== null) requireFollows(tx, last, 'the outcome before it');
  return { of, createdAt: dateAfter(last, Math.max(tx.now, created)) };
}

/**
 * The newest outcome of a decision, as `outcomes as o` behind `from`: by date and id, since the order in which outcomes came is
 * another one on every machine (Y-6).
 * @param counts which of them count, by `records as r`; default: those that were not retracted (K-6)
 */
export const newestOfOutcomes = (
  decision: RawBuilder<unknown>,
  counts = sql`r.retracted_at is null`,
  [outcomes, records]: RawBuilder<unknown>[] = [sql`outcomes`, sql`records`],
) => sql`${outcomes} as o join ${records} as r on r.seq = o.seq where o.decision_id = ${decision} and ${counts}
  order by o.created_at desc, coalesce(r.uid, '') desc, o.seq desc limit 1`;

/** {@link newestOfOutcomes} by its number. */
const newestOutcome = (decision = DECIDED) => sql<number>`(select o.seq from ${newestOfOutcomes(decision)})`;

/** Shows with what was decided the newest outcome of its log that was not retracted (K-6). @param of its id, as the log has it */
export async function mirrorOutcome(tx: Tx, of: string): Promise<void> {
  const { outcome, outcomeReason } = await outcomeOf(tx, of);
  await reindexDecisions(tx, await showOutcome(tx, of, outcome, outcomeReason, tx.now));
}

/** The outcome of a decision by its log of outcomes. @param of its id, as the log has it */
export async function outcomeOf(tx: Tx, of: string): Promise<Pick<Decision, 'outcome' | 'outcomeReason'>> {
  const [newest] = await query<Pick<OutcomeEntry, 'outcome' | 'reason'>>(tx)`
    select o.outcome, o.reason from ${newestOfOutcomes(sql`${of}`)}`;
  return { outcome: newest?.outcome ?? null, outcomeReason: newest?.reason ?? null };
}

/** All outcomes that these decisions ever had, oldest first. */
export function outcomesOf(tx: Tx, decisionIds: string[]): Promise<OutcomeEntry[]> {
  return query<OutcomeEntry>(tx)`
    select d.id as decision_id, o.outcome, o.reason, o.created_at, r.retracted_at, ${WRITER},
      ${recorded(sql`o.seq`, sql`o.created_at`)} as recorded
    from (${tx.lists.texts(decisionIds)}) as wanted join decisions as d on d.id = wanted.id
    join outcomes as o on o.decision_id = ${DECIDED} ${writersOf('o')} order by o.created_at, coalesce(r.uid, ''), o.seq, d.version`;
}

/** Decisions whose outcome is not the newest entry of their log that was not retracted, with the outcome that they should have. */
export const WRONG_OUTCOMES = sql`
  select d.seq, d.id, o.outcome, o.reason from decisions as d
  left join outcomes as o on o.seq = ${newestOutcome()}
  where d.outcome is distinct from o.outcome or d.outcome_reason is distinct from o.reason
  order by d.seq`;

/** The decisions that are marked as failed since a moment and still are, the newest failure first (A-2). */
export async function failedSince(tx: Tx, since: number, limit: number) {
  const rows = await query<DecisionRow & { failedAt: number }>(tx)`
    select d.*, o.created_at as failed_at
    from (select distinct decision_id from outcomes where created_at >= ${since} and outcome = 'failed') as lately
    join decisions as d on (d.id = lately.decision_id or d.tidies = lately.decision_id) and ${LAST_WORDING}
    join outcomes as o on o.seq = ${newestOutcome()}
    where o.created_at >= ${since} and o.outcome = 'failed' and ${notRetracted('d.seq')}
    order by o.created_at desc, o.seq desc limit ${limit}`;
  return rows.map(({ failedAt, ...row }) => ({ decision: toDecision(row), at: failedAt }));
}
