import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { newestVersion } from '../decisions/decision.ts';
import { WRONG_OUTCOMES } from '../decisions/outcome.ts';
import { checkRow } from '../invariants/finding.ts';
import {
  repairConversations,
  repairKinds,
  repairNumbering,
  repairObservations,
  repairSupersedes,
} from '../invariants/together.ts';
import { rebuildConnections } from '../memos/keyword.ts';
import { nameEverything } from '../names.ts';
import { rowsOf, updateRows } from '../rows.ts';
import { rebuildIndex } from '../search/reindex.ts';
import { forgetTrial } from '../search/trial.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/**
 * Rebuilds everything derived from the records: the database's own indexes, the text index, the kinds of records, which
 * version of a chain is active, the links between versions, the outcome shown with a decision, hashes and counts of
 * observations, what conversations go on from, the numbering, the names of topics
 * and scopes, and the connections of keywords. A vector that is not valid is
 * removed, and how the model did is forgotten: `MemoryCore.embed` makes both anew. Texts are never touched.
 */
export async function repairDerived(tx: Tx): Promise<void> {
  await tx.upkeep.reindex(tx.db);
  await repairKinds(tx);
  await repairChains(tx);
  await repairSupersedes(tx);
  await repairOutcomes(tx);
  await repairObservations(tx);
  await repairConversations(tx);
  await repairNumbering(tx);
  await removeBrokenVectors(tx);
  await forgetTrial(tx);
  await nameEverything(tx);
  await rebuildConnections(tx);
  await rebuildIndex(tx);
}

/** Only the newest version of a chain is active, and not even that one when it withdraws the decision (D-3, D-15). */
async function repairChains(tx: Tx): Promise<void> {
  const newest = newestVersion(sql`decisions.root_id`);
  // Deactivated first: an index refuses a second active version of a chain.
  await query(tx)`update decisions set is_active = 0
    where is_active = 1 and (withdrawn = 1 or version <> ${newest})`;
  await query(tx)`update decisions set is_active = 1
    where is_active = 0 and withdrawn = 0 and version = ${newest}`;
}

/** A decision shows the newest entry of its log (O-7). */
async function repairOutcomes(tx: Tx): Promise<void> {
  const wrong = await query<Pick<Decision, 'id' | 'outcome'> & { reason: string | null }>(
    tx,
  )`${WRONG_OUTCOMES}`;
  for (const { id, outcome, reason } of wrong) {
    await updateRows(tx, 'decisions', { id }, { outcome, outcomeReason: reason });
  }
}

/** Vectors with other bytes than their dimensions say. */
async function removeBrokenVectors(tx: Tx): Promise<void> {
  for await (const row of rowsOf(tx, 'vectors')) {
    if (checkRow('vectors', row).length === 0) continue;
    await query(tx)`delete from vectors where seq = ${row.seq}`;
  }
}
