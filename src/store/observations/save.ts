import { isSameText, USUAL_TYPE } from '../../domain/observation.ts';
import { type ChangedValues, isUndoing, recordChange } from '../record.ts';
import { updateRows } from '../rows.ts';
import { query } from '../statements.ts';
import { requireFollows, type Tx, type Writer } from '../tx.ts';
import {
  findByTopicKey,
  findRepeat,
  insertObservation,
  type NewObservation,
  reindexObservation,
  type StoredObservation,
} from './observation.ts';
import { replaceText } from './revision.ts';

/** The effect of saving: a new observation, a replaced text (kept as a revision), or a counted repeat. */
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
    requireFollows(tx, await lastChanged(tx, keyed), 'the text that it replaces');
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
 * Changes text, project, scope and topic key of an observation; an earlier text becomes a revision. A text that says the same
 * again changes nothing, not even the date.
 */
export async function updateObservation(
  tx: Tx,
  current: StoredObservation,
  changes: NewObservation,
): Promise<StoredObservation> {
  const { project, scope, topicKey } = changes;
  const place = placeOf(changes);
  const isMoved = JSON.stringify(place) !== JSON.stringify(placeOf(current));
  if (!isMoved && isSameText(current, changes)) return current;
  const updatedAt = Math.max(tx.now, current.updatedAt);
  const row = { project: project ?? '', scope, topicKey, updatedAt };
  await updateRows(tx, 'observations', { id: current.id }, row);
  if (isMoved) await recordChange(tx, 'moved', current.seq, { before: placeOf(current), after: place });
  const moved = { ...current, project, scope, topicKey };
  if (!isSameText(current, changes)) return replaceText(tx, moved, changes, tx.writer);
  if (topicKey !== current.topicKey) await reindexObservation(tx, moved);
  return { ...moved, updatedAt };
}

/** Where an observation is, which its revisions do not tell. */
function placeOf({ project, scope, topicKey }: Pick<NewObservation, 'project' | 'scope' | 'topicKey'>) {
  return { project, scope, topicKey } satisfies ChangedValues;
}

async function countRepeat(tx: Tx, current: StoredObservation): Promise<StoredObservation> {
  const duplicateCount = current.duplicateCount + 1;
  await updateRows(tx, 'observations', { id: current.id }, { duplicateCount, lastSeenAt: tx.now });
  await recordChange(tx, 'repeated', current.seq, { after: { duplicateCount } });
  return { ...current, duplicateCount };
}

/**
 * When an observation was last changed by what still counts: neither what was undone nor what undid it bars a date
 * (U-7, K-6). Milliseconds UTC.
 */
async function lastChanged(tx: Tx, { seq, createdAt, updatedAt }: StoredObservation): Promise<number> {
  const rows = await query<{ at: number; save: number | null; undoes: number | null; undone: number }>(tx)`
    select c.created_at as at, s.id as save, s.undoes,
      case when exists (select 1 from saves as u where u.undoes = s.id) then 1 else 0 end as undone
    from changes as c left join saves as s on c.seq between s.first_change and s.last_change
    where c.record_seq = ${seq} and c.kind in ('rewritten', 'moved', 'deleted', 'restored')
    order by c.seq desc`;
  const [newest] = rows;
  // Most have never been undone; what an earlier version changed is in no list.
  if (!newest || newest.save === null || newest.undoes === null) return updatedAt;
  for (const { at, save, undoes, undone } of rows) {
    const isCurrent = undone === 0 && (save === null || !(await isUndoing(tx, undoes)));
    if (isCurrent) return at;
  }
  return createdAt;
}
