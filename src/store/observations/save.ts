import { isSameText, USUAL_TYPE } from '../../domain/observation.ts';
import { type ChangedValues, recordChange } from '../change.ts';
import type { Tx, Writer } from '../tx.ts';
import { requireFollows } from '../tx.ts';
import { lastStanding } from './last-standing.ts';
import {
  findByTopicKey,
  findRepeat,
  insertObservation,
  type NewObservation,
  reindexObservation,
  type StoredObservation,
} from './observation.ts';
import { replaceText } from './revision.ts';

/** What saving did: made a new observation, replaced a text (kept as a revision), or counted a repeat. */
export interface SavedObservation {
  observation: StoredObservation;
  action: 'created' | 'revised' | 'repeated';
}

/**
 * Saves an observation. The same topic key in project and scope replaces its text; the same content again within
 * 15 minutes is counted.
 */
export async function saveObservation(
  tx: Tx,
  draft: Omit<NewObservation, 'type'> & { type: string | undefined },
  session: string | undefined,
): Promise<SavedObservation> {
  const keyed = draft.topicKey === null ? undefined : await findByTopicKey(tx, draft);
  if (keyed && tx.now !== tx.entered)
    requireFollows(tx, await lastStanding(tx, keyed), 'the text that it replaces');
  const given = { ...draft, type: draft.type ?? keyed?.type ?? USUAL_TYPE };
  if (keyed && isSameText(keyed, given))
    return { observation: await countRepeat(tx, keyed), action: 'repeated' };
  const writer: Writer = { ...tx.writer, session: session ?? tx.writer.session };
  if (keyed) return { observation: await replaceText(tx, keyed, given, writer), action: 'revised' };
  const repeated = given.topicKey === null ? await findRepeat(tx, given) : undefined;
  if (repeated) return { observation: await countRepeat(tx, repeated), action: 'repeated' };
  return { observation: await insertObservation(tx, given, writer), action: 'created' };
}

/**
 * Changes text, project, scope and topic key of an observation; an earlier text becomes a revision. What says the same
 * again changes nothing, not even the date.
 */
export async function updateObservation(
  tx: Tx,
  standing: StoredObservation,
  changes: NewObservation,
): Promise<StoredObservation> {
  const { project, scope, topicKey } = changes;
  const place = placeOf(changes);
  const isMoved = JSON.stringify(place) !== JSON.stringify(placeOf(standing));
  if (!isMoved && isSameText(standing, changes)) return standing;
  await tx.db
    .updateTable('observations')
    .set({ project: project ?? '', scope, topicKey, updatedAt: tx.now })
    .where('id', '=', standing.id)
    .execute();
  if (isMoved) await recordChange(tx, 'moved', standing.seq, { before: placeOf(standing), after: place });
  const moved = { ...standing, project, scope, topicKey, updatedAt: tx.now };
  if (!isSameText(standing, changes)) return replaceText(tx, moved, changes, tx.writer);
  if (topicKey !== standing.topicKey) await reindexObservation(tx, moved);
  return moved;
}

/** Where an observation is, which its revisions do not tell. */
function placeOf({ project, scope, topicKey }: Pick<NewObservation, 'project' | 'scope' | 'topicKey'>) {
  return { project, scope, topicKey } satisfies ChangedValues;
}

async function countRepeat(tx: Tx, standing: StoredObservation): Promise<StoredObservation> {
  const duplicateCount = standing.duplicateCount + 1;
  await tx.db
    .updateTable('observations')
    .set({ duplicateCount, lastSeenAt: tx.now })
    .where('id', '=', standing.id)
    .execute();
  await recordChange(tx, 'repeated', standing.seq, { after: { duplicateCount } });
  return { ...standing, duplicateCount };
}
