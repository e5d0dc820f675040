import { sql } from 'kysely';
import { insertEdges } from '../decisions/edge.ts';
import type { Tx } from '../tx.ts';

/** A version where it belongs in its chain. */
export interface Placed {
  id: string;
  withdrawn: boolean;
  createdAt: number;
}

/**
 * Gives the versions of one chain their order anew (D-22): number, root, the version before and `supersedes` follow from
 * it; ids, texts, outcomes, evidence and anchors stay. The only function besides `append` that writes them, and the only
 * one that changes a root.
 *
 * Unique keys are checked row by row, so that no two may be exchanged: each version first becomes a root of its own, and
 * then takes its place behind the one before it.
 * @param versions all of the chain, oldest first; the first one is no withdrawal
 * @param topic what the chain is called
 * @param before what was in it until now, when that is more: versions that leave it
 */
export async function placeChain(
  tx: Tx,
  versions: Placed[],
  topic: string | null,
  before = versions,
): Promise<void> {
  const ids = tx.lists.texts(before.map(({ id }) => id));
  const names = await tx.db
    .selectFrom('topics')
    .select('name')
    .where('rootId', 'in', sql<string>`(${ids})`)
    .execute();
  await sql`update decisions set root_id = id, version = 1, previous_version = null, previous_version_id = null,
    is_active = 0, withdrawn = 0 where id in (${ids})`.execute(tx.db);
  await sql`delete from decision_edges where relationship = 'supersedes'
    and from_id in (${ids}) and to_id in (${ids})`.execute(tx.db);
  const [root, last] = [versions[0] as Placed, versions.at(-1) as Placed];
  for (const [index, { id, withdrawn, createdAt }] of versions.entries()) {
    const previous = versions[index - 1];
    await tx.db
      .updateTable('decisions')
      .set({
        rootId: root.id,
        version: index + 1,
        previousVersion: previous ? index : null,
        previousVersionId: previous?.id ?? null,
        topic,
        withdrawn: withdrawn ? 1 : 0,
        isActive: id === last.id && !withdrawn ? 1 : 0,
      })
      .where('id', '=', id)
      .execute();
    if (!previous) continue;
    await insertEdges(tx, [{ fromId: id, toId: previous.id, relationship: 'supersedes', createdAt }]);
  }
  for (const { name } of names) {
    await tx.db.updateTable('topics').set({ rootId: root.id }).where('name', '=', name).execute();
  }
  await tx.text.rechain(
    tx.db,
    before.map(({ id }) => id),
  );
}
