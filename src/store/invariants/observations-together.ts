import { sql } from 'kysely';
import { hashOf } from '../observations/observation.ts';
import { rowsOf } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { type Finding, findingOf } from './finding.ts';
import type { Row } from './rule.ts';

/** Observations whose earlier texts are not numbered from 1 to the number that they say they have. */
export async function observationsTogether(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select o.id, o.revision_count, count(r.revision) as texts, coalesce(max(r.revision), 0) as newest
    from observations as o left join observation_revisions as r on r.observation_id = o.id
    group by o.id, o.revision_count
    having count(r.revision) <> o.revision_count or coalesce(max(r.revision), 0) <> o.revision_count
    order by o.id limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('observations', row, {
      expected: `revisions 1 to ${row.revisionCount}, as its revisionCount says`,
      found: `${row.texts}, and the last is ${row.newest}`,
      ...(row.texts === row.newest && { mended: true }),
    }),
  );
}

/** Computes hashes and counts anew where they are wrong. */
export async function repairObservations(tx: Tx): Promise<void> {
  for await (const { id, content, contentHash } of rowsOf(tx, 'observations', [
    'id',
    'content',
    'contentHash',
  ])) {
    const hash = hashOf(String(content));
    if (hash === contentHash) continue;
    await sql`update observations set content_hash = ${hash} where id = ${id}`.execute(tx.db);
  }
  // A text that is missing in between is not invented; the next revision takes a number that is free.
  const newest = sql`(select coalesce(max(revision), 0) from observation_revisions as r where r.observation_id = observations.id)`;
  await sql`update observations set revision_count = ${newest} where revision_count <> ${newest}`.execute(
    tx.db,
  );
}
