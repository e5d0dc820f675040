import { sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import type { Meant } from '../kinds/condition.ts';
import { allOf, holding, is, within, writerOf, writtenBy } from '../kinds/condition.ts';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import type { Tx } from '../tx.ts';
import type { Listed } from './decisions.ts';
import { readInPieces } from './whole.ts';

/**
 * The observations that pass a filter, those that were saved last first (W-6). When one was saved never changes, so a page
 * goes on after the last one shown, whatever is saved or changed meanwhile.
 * @param deleted also those that were deleted
 * @param full whether their texts are shown whole: a page of long ones has fewer than `limit` (Z-5)
 */
export async function listObservations(
  tx: Tx,
  filter: Meant,
  { deleted, full }: { deleted: boolean; full: boolean },
  limit: number,
  from?: Place,
): Promise<Listed<StoredObservation>> {
  const passing = allOf([
    deleted ? undefined : sql`o.deleted_at is null`,
    is(sql`o.topic_key`, filter.topic),
    is(sql`o.project`, filter.project),
    is(sql`o.type`, filter.type),
    within(sql`o.created_at`, filter),
    writtenBy(tx, writerOf(sql`o.seq`), filter.authors),
    holding(tx, sql`o.seq`, filter.words),
  ]);
  const [at = 0, seq = 0] = from ?? [];
  const { rows } = await sql<{ id: number; seq: number; createdAt: number }>`
    select o.id, o.seq, o.created_at from observations as o
    where ${passing} ${from ? sql`and (o.created_at, o.seq) < (${at}, ${seq})` : sql``}
    order by o.created_at desc, o.seq desc limit ${limit + 1}`.execute(tx.db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from observations as o where ${passing}`.execute(tx.db);
  const shown = rows.slice(0, limit);
  const found = await readInPieces(
    shown,
    async (piece) => {
      const ids = piece.map(({ id }) => id);
      const byId = new Map((await findObservations(tx, ids)).map((each) => [each.id, each]));
      return ids.map((id) => byId.get(id) as StoredObservation);
    },
    ({ content }) => (full ? content.length : 0),
  );
  const last = rows.length > found.length ? found.at(-1) : undefined;
  return {
    rows: found,
    total: counted.rows[0]?.total ?? 0,
    next: last && [last.createdAt, last.seq],
  };
}
