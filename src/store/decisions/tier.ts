import { type Selectable, sql } from 'kysely';
import type { Decision, Strength } from '../../domain/decision.ts';
import { mergeTiers, type Tier, type TierQuery } from '../../domain/tier.ts';
import type { Schema } from '../schema.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { activeIn, toDecision } from './decision.ts';

/** The active decisions of these tiers, one tier after another (D-10). */
export async function decisionsIn(tx: Tx, tiers: TierQuery[]): Promise<(Decision & { tier: Tier })[]> {
  const loaded = await together(...tiers.map(({ scope, strength }) => activeIn(tx, scope, strength)));
  return mergeTiers(tiers.map(({ tier }, at) => ({ tier, items: loaded[at] ?? [] })));
}

/** A part of each of these tiers, the newest first, one tier after another: the rest is not read (W-6). */
export async function partsOf(
  tx: Tx,
  parts: (TierQuery & { from: number; limit: number })[],
): Promise<(Decision & { tier: Tier })[]> {
  const read = async ({ tier, scope, strength, from, limit }: (typeof parts)[number]) => {
    const { rows } = await sql<Selectable<Schema['decisions']>>`
      select * from decisions where is_active = 1 and scope = ${scope} and strength = ${strength}
      order by created_at desc, seq desc limit ${limit} offset ${from}`.execute(tx.db);
    return rows.map((row) => ({ ...toDecision(row), tier }));
  };
  const wanted = parts.filter(({ limit }) => limit > 0);
  return (await together(...wanted.map(read))).flat();
}

/**
 * How many active decisions these scopes have, by strength, and in all. Read from an index alone; the others are not kept
 * separately, which takes five times as long.
 */
export async function countStanding(
  tx: Tx,
  scopes: string[],
): Promise<{ all: number; of: (scope: string, strength: Strength) => number }> {
  const [counted, all] = await together(
    sql<{ scope: string; strength: Strength; count: number }>`
      select scope, strength, count(*) as count from decisions
      where is_active = 1 and scope in (${sql.join(scopes)}) group by scope, strength`.execute(tx.db),
    sql<{ count: number }>`select count(*) as count from decisions where is_active = 1`.execute(tx.db),
  );
  const of = new Map(counted.rows.map((row) => [`${row.strength} ${row.scope}`, row.count]));
  return {
    all: all.rows[0]?.count ?? 0,
    of: (scope, strength) => of.get(`${strength} ${scope}`) ?? 0,
  };
}
