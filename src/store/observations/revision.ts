import type { ObservationText } from '../../domain/observation.ts';
import { recordChange } from '../change.ts';
import type { Tx, Writer } from '../tx.ts';
import { WRITER, writerRow } from '../writer.ts';
import { hashOf, reindexObservation, type StoredObservation } from './observation.ts';

/**
 * The earlier texts of an observation, oldest first.
 * @param newest so many at most, the newest ones; default: all
 * @param before only those before this revision
 */
export async function revisionsOf(
  tx: Tx,
  observationId: number,
  { newest, before }: { newest?: number; before?: number | undefined } = {},
) {
  const rows = await tx.db
    .selectFrom('observationRevisions')
    .innerJoin('writers', 'writers.id', 'observationRevisions.writer')
    .select(['revision', 'title', 'content', 'type', 'replacedAt', ...WRITER])
    .where('observationId', '=', observationId)
    .$if(before !== undefined, (query) => query.where('revision', '<', before as number))
    .orderBy('revision', 'desc')
    .$if(newest !== undefined, (query) => query.limit(newest as number))
    .execute();
  return rows.toReversed();
}

/** An earlier text of an observation; undefined when there is none of this number. */
export async function findRevision(
  tx: Tx,
  observationId: number,
  revision: number,
): Promise<ObservationText | undefined> {
  return tx.db
    .selectFrom('observationRevisions')
    .select(['title', 'content', 'type'])
    .where('observationId', '=', observationId)
    .where('revision', '=', revision)
    .executeTakeFirst();
}

/** Replaces the text of an observation and keeps the present one as a revision. @param writer of the new text */
export async function replaceText(
  tx: Tx,
  standing: StoredObservation,
  { title, content, type }: ObservationText,
  writer: Writer,
): Promise<StoredObservation> {
  const revisionCount = standing.revisionCount + 1;
  const { id: number } = await writerRow(tx, writer.session);
  await tx.db
    .insertInto('observationRevisions')
    .values({
      observationId: standing.id,
      revision: revisionCount,
      title: standing.title,
      content: standing.content,
      type: standing.type,
      replacedAt: tx.now,
      writer: standing.writer,
    })
    .execute();
  await tx.db
    .updateTable('observations')
    .set({
      title,
      content,
      type,
      contentHash: hashOf(content),
      revisionCount,
      updatedAt: tx.now,
      lastSeenAt: tx.now,
      writer: number,
    })
    .where('id', '=', standing.id)
    .execute();
  await recordChange(tx, 'rewritten', standing.seq, { after: { revision: revisionCount } });
  const replaced = { title, content, type, revisionCount, updatedAt: tx.now };
  const present = { ...standing, ...writer, writer: number, ...replaced };
  await reindexObservation(tx, present);
  return present;
}
