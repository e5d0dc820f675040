import { sql } from 'kysely';
import { allOf, type Condition, holding } from '../kinds/condition.ts';
import { query, together } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** A decision or an observation with a word that is looked for. */
interface Holding {
  kind: 'decision' | 'observation';
  id: string | number;
  title: string | null;
  text: string;
  /** Milliseconds UTC. */
  at: number;
}

/** The newest active decisions and the newest observations with any of these words, so many of each (T-13). */
export async function newestHolding(tx: Tx, words: string[], limit: number): Promise<Holding[]> {
  if (words.length === 0) return [];
  const hasOne = (seq: Condition) =>
    sql`(${sql.join(
      words.map((word) => allOf([holding(tx, seq, word)])),
      sql` or `,
    )})`;
  const [decisions, observations] = await together(
    query<Omit<Holding, 'kind'>>(tx)`
      select d.id, d.topic as title, d.text, d.created_at as at from decisions as d
      where d.is_active = 1 and ${hasOne(sql`d.seq`)}
      order by d.created_at desc, d.seq desc limit ${limit}`,
    query<Omit<Holding, 'kind'>>(tx)`
      select o.id, o.title, o.content as text, o.updated_at as at from observations as o
      where o.deleted_at is null and ${hasOne(sql`o.seq`)}
      order by o.updated_at desc, o.seq desc limit ${limit}`,
  );
  return [
    ...decisions.map((row) => ({ kind: 'decision' as const, ...row })),
    ...observations.map((row) => ({ kind: 'observation' as const, ...row })),
  ];
}
