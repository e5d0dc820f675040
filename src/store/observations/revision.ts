import type { ObservationText } from '../../domain/observation.ts';
import { putDocument, removeDocument } from '../document.ts';
import type { Author, Tx } from '../tx.ts';
import { hashOf, observationDocument, type StoredObservation } from './observation.ts';

/** The earlier texts of an observation, oldest first. */
export function revisionsOf(tx: Tx, observationId: number) {
  return tx.db
    .selectFrom('observationRevisions')
    .select(['revision', 'title', 'content', 'type', 'replacedAt', 'sessionId', 'client'])
    .where('observationId', '=', observationId)
    .orderBy('revision')
    .execute();
}

/** Replaces the text of an observation and keeps the present one as a revision. @param author of the new text */
export async function replaceText(
  tx: Tx,
  standing: StoredObservation,
  { title, content, type }: ObservationText,
  author: Author,
): Promise<StoredObservation> {
  const revisionCount = standing.revisionCount + 1;
  await tx.db
    .insertInto('observationRevisions')
    .values({
      observationId: standing.id,
      revision: revisionCount,
      title: standing.title,
      content: standing.content,
      type: standing.type,
      replacedAt: tx.now,
      sessionId: standing.session,
      client: standing.client,
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
      sessionId: author.session,
      client: author.client,
    })
    .where('id', '=', standing.id)
    .execute();
  await removeDocument(tx, standing.seq);
  await putDocument(tx, observationDocument({ seq: standing.seq, title, content }));
  return { ...standing, ...author, title, content, type, revisionCount, updatedAt: tx.now };
}
