import { sql } from 'kysely';
import { GLOBAL_SCOPE, type Strength } from '../../domain/decision.ts';
import { isProgram } from '../../domain/via.ts';
import { reviewedRecords } from '../reviewed.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writersOf } from '../writer.ts';
import { isWaiting, withMarks } from './imported.ts';

/** An axis or a lock, as far as a start chooses among all of them. */
export interface Rule {
  id: string;
  scope: string;
  strength: Exclude<Strength, 'normal'>;
  files: string | null;
  topic: string | null;
  text: string;
  createdAt: number;
  /** Whether an import brought it, and nobody has reviewed it (Z-14). */
  imported: boolean;
  /** Whether neither a person wrote it nor one reviewed it. */
  unreviewed: boolean;
}

/** Rules that are read at most. */
const MOST = 5_000;

/**
 * The active axes and locks in the order of retrieval (D-10): global axes, global locks, axes of scopes, locks of scopes, of each
 * the newest first. Without a topic, what was saved twice in the same words is one rule.
 */
export async function rulesHere(tx: Tx): Promise<Rule[]> {
  const rows = await query<
    Omit<Rule, 'unreviewed' | 'imported'> & { seq: number; client: string; isImported: 0 | 1 }
  >(tx)`
    select d.id, d.seq, d.scope, d.strength, d.files, d.topic, d.text, d.created_at, w.client,
      case when ${isWaiting} then 1 else 0 end as is_imported
    from ${withMarks(sql`decisions as d`)}
    where d.is_active = 1 and d.strength in ('axis', 'lock')
    order by case when d.scope = ${GLOBAL_SCOPE} then 0 else 1 end, d.strength, d.created_at desc, d.seq desc
    limit ${MOST}`;
  const isReviewed = rows.some(({ client }) => isProgram(client)) ? await reviewedRecords(tx) : () => true;
  const said = new Set<string>();
  return rows.flatMap(({ seq, client, isImported, ...rule }) => {
    const words = rule.topic === null ? `${rule.scope} ${rule.strength} ${rule.text}` : rule.id;
    if (said.has(words)) return [];
    said.add(words);
    const imported = isImported === 1;
    return { ...rule, imported, unreviewed: imported || (isProgram(client) && !isReviewed(seq)) };
  });
}

/** Those of these decisions that neither a person nor an import saved, and that no person has looked at (V-3). */
export async function unreviewedAmong(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string; seq: number; client: string }>(tx)`
    select d.id, d.seq, w.client from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id
    ${writersOf('d')}`;
  const saved = rows.filter(({ client }) => isProgram(client));
  const isReviewed = saved.length > 0 ? await reviewedRecords(tx) : () => true;
  return new Set(saved.filter(({ seq }) => !isReviewed(seq)).map(({ id }) => id));
}

/** The topics of other active decisions, the newest first, and how many there are. */
export async function topicsDecided(tx: Tx, limit: number): Promise<{ topics: string[]; count: number }> {
  const rows = await query<{ topic: string; count: number }>(tx)`
    select d.topic, count(*) over () as count from decisions as d
    where d.is_active = 1 and d.strength = 'normal' and d.topic is not null
      and coalesce(d.outcome, '') <> 'failed'
    order by d.created_at desc, d.seq desc limit ${limit}`;
  return { topics: rows.map(({ topic }) => topic), count: rows[0]?.count ?? 0 };
}
