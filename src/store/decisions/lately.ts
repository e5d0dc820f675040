import { type Selectable, sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { notRetracted } from '../record.ts';
import type { Schema } from '../schema.ts';
import type { Tx } from '../tx.ts';
import { toDecision } from './decision.ts';

/** A decision and when its outcome was recorded, in milliseconds UTC. */
export interface Failed {
  decision: Decision;
  at: number;
}

/** The decisions that are marked as failed since a moment and still are, the newest failure first. */
export async function failedSince(tx: Tx, since: number, limit: number): Promise<Failed[]> {
  const { rows } = await sql<Selectable<Schema['decisions']> & { failedAt: number }>`
    select d.*, o.created_at as failed_at from outcomes as o join decisions as d on d.id = o.decision_id
    where o.created_at >= ${since} and o.outcome = 'failed' and d.outcome = 'failed'
      and o.seq = (select max(other.seq) from outcomes as other where other.decision_id = d.id and ${notRetracted('other.seq')})
      and ${notRetracted('d.seq')}
    order by o.seq desc limit ${limit}`.execute(tx.db);
  return rows.map(({ failedAt, ...row }) => ({ decision: toDecision(row), at: failedAt }));
}

/** Whether anything was decided in this memory. */
export async function hasDecisions(tx: Tx): Promise<boolean> {
  return (await tx.db.selectFrom('decisions').select('seq').limit(1).executeTakeFirst()) !== undefined;
}
