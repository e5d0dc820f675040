import { valuesIn } from '../json-list.ts';
import {
  findByTopicKey,
  findObservations,
  restoreObservation,
  type StoredObservation,
  softDelete,
} from '../observations/observation.ts';
import { findRevision, replaceText } from '../observations/revision.ts';
import { updateObservation } from '../observations/save.ts';
import type { Tx } from '../tx.ts';
import { changedByOthers, dependentsOfObservation } from './dependents.ts';
import type { Effect, Part, SavedChange } from './part.ts';

/** An observation that was saved is deleted softly (K-6). Undefined where it is gone for good, or was deleted. */
export async function observationPart(tx: Tx, seq: number): Promise<Part | undefined> {
  const found = await at(tx, seq);
  if (!found || found.deletedAt !== null) return undefined;
  return {
    effect: effectOf(found, 'deleted'),
    rests: [...(await changedByOthers(tx, seq)), ...(await dependentsOfObservation(tx, found.id))],
    takeBack: () => softDelete(tx, found),
  };
}

/** What was changed of an observation is changed back. */
export async function changedObservation(
  tx: Tx,
  recordSeq: number,
  change: SavedChange,
): Promise<Part | undefined> {
  const found = await at(tx, recordSeq);
  const [how] = found ? [await back(tx, found, change)] : [];
  if (!found || !how) return undefined;
  return {
    effect: effectOf(found, how.becomes),
    rests: [...(await changedByOthers(tx, recordSeq, change.seq)), ...how.rests],
    // Several parts of one save may be of the same observation: each is read again.
    takeBack: async () => how.run((await at(tx, recordSeq)) as StoredObservation),
  };
}

interface Back {
  becomes: string;
  rests: string[];
  run(standing: StoredObservation): Promise<unknown>;
}

async function back(
  tx: Tx,
  found: StoredObservation,
  { kind, before, after, createdAt }: SavedChange,
): Promise<Back | undefined> {
  switch (kind) {
    case 'deleted':
      return {
        becomes: 'restored',
        rests: await holders(tx, found),
        run: (standing) => restoreObservation(tx, standing),
      };
    case 'restored':
      return { becomes: 'deleted', rests: [], run: (standing) => softDelete(tx, standing) };
    case 'moved': {
      const { project, scope, topicKey } = valuesIn(before) as {
        project: string | null;
        scope: string;
        topicKey: string | null;
      };
      const place = { project, scope, topicKey };
      return {
        becomes: 'moved back',
        rests: await holders(tx, { ...found, ...place }),
        run: (standing) => updateObservation(tx, standing, { ...standing, ...place }),
      };
    }
    case 'rewritten': {
      const text = await findRevision(tx, found.id, Number(valuesIn(after).revision));
      return (
        text && {
          becomes: `rewritten as before: ${text.title}`,
          rests: await dependentsOfObservation(tx, found.id, createdAt),
          run: (standing) => replaceText(tx, standing, text, tx.writer),
        }
      );
    }
    default:
      return undefined;
  }
}

/** Another observation that has the topic key by now. */
async function holders(tx: Tx, wanted: StoredObservation): Promise<string[]> {
  const holder = wanted.topicKey === null ? undefined : await findByTopicKey(tx, wanted);
  return holder && holder.id !== wanted.id
    ? [`observation #${holder.id}, which has the topic key "${wanted.topicKey}" now`]
    : [];
}

async function at(tx: Tx, seq: number): Promise<StoredObservation | undefined> {
  const row = await tx.db.selectFrom('observations').select('id').where('seq', '=', seq).executeTakeFirst();
  return row && (await findObservations(tx, [row.id]))[0];
}

function effectOf({ id, title, content }: StoredObservation, becomes: string): Effect {
  return { kind: 'observation', id: `#${id}`, name: title, text: content, becomes };
}
