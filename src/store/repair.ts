import { sql } from 'kysely';
import { rebuildConnections } from './keyword.ts';
import { wrongOutcomes } from './outcome.ts';
import { rebuildIndex } from './reindex.ts';
import type { Unit } from './unit.ts';

/**
 * Makes everything anew that follows from something else: the database's own indexes, the text index, which version of
 * a chain is active, the outcome shown with a decision, and the connections of keywords. Texts are never touched.
 */
export async function repairDerived(unit: Unit): Promise<void> {
  await unit.reindex(unit.db);
  await repairChains(unit);
  await repairOutcomes(unit);
  await rebuildConnections(unit);
  await rebuildIndex(unit);
}

/** The newest version of a chain is active unless it withdrew the decision, and no other is (D-3, D-15). */
async function repairChains(unit: Unit): Promise<void> {
  const newest = sql`(select max(version) from decisions as other where other.root_id = decisions.root_id)`;
  // First those that end: there is never a second active one.
  await sql`update decisions set is_active = 0
    where is_active = 1 and (withdrawn = 1 or version <> ${newest})`.execute(unit.db);
  await sql`update decisions set is_active = 1
    where is_active = 0 and withdrawn = 0 and version = ${newest}`.execute(unit.db);
}

/** A decision shows the newest entry of its log (O-7). */
async function repairOutcomes(unit: Unit): Promise<void> {
  for (const { id, outcome, reason } of await wrongOutcomes(unit)) {
    await unit.db
      .updateTable('decisions')
      .set({ outcome, outcomeReason: reason })
      .where('id', '=', id)
      .execute();
  }
}
