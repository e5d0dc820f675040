import { valuesIn } from '../json-list.ts';
import {
  findByTopicKey,
  findObservations,
  findObservationsAt,
  restoreObservation,
  type StoredObservation,
  softDelete,
} from '../observations/observation.ts';
import { deleteRelation, findRelation, findRelations, insertRelation } from '../observations/relation.ts';
import { findRevision, replaceText } from '../observations/revision.ts';
import { updateObservation } from '../observations/save.ts';
import type { Tx } from '../tx.ts';
import { changedByOthers, dependentsOfObservation } from './dependents.ts';
import type { Dependent, Effect, Part, SavedChange } from './part.ts';
import type { UndoTx } from './saves.ts';

/** An observation that was saved is deleted softly (K-6). Undefined where it is gone for good, or was deleted. */
export async function observationPart(tx: UndoTx, seq: number): Promise<Part | undefined> {
  const found = await at(tx, seq);
  if (!found || found.deletedAt !== null) return undefined;
  return {
    effect: effectOf(found, 'deleted'),
    dependents: [...(await changedByOthers(tx, seq)), ...(await dependentsOfObservation(tx, found.id))],
    undo: () => softDelete(tx, found),
  };
}

/** Changes of an observation are changed back. */
export async function changedObservation(
  tx: UndoTx,
  recordSeq: number,
  change: SavedChange,
): Promise<Part | undefined> {
  const found = await at(tx, recordSeq);
  const [how] = found ? [await back(tx, found, change)] : [];
  if (!found || !how) return undefined;
  return {
    effect: effectOf(found, how.becomes),
    dependents: [...(await changedByOthers(tx, recordSeq, change.seq)), ...(how.dependents ?? [])],
    // Several parts of one save may be of the same observation: each is read again.
    undo: async () => how.run((await at(tx, recordSeq)) as StoredObservation),
  };
}

interface Back {
  becomes: string;
  dependents?: Dependent[];
  run(current: StoredObservation): Promise<unknown>;
}

async function back(
  tx: UndoTx,
  found: StoredObservation,
  { kind, before, after, createdAt }: SavedChange,
): Promise<Back | undefined> {
  switch (kind) {
    case 'deleted':
      return {
        becomes: 'restored',
        dependents: await holders(tx, found),
        run: (current) => restoreObservation(tx, current),
      };
    case 'restored':
      return { becomes: 'deleted', run: (current) => softDelete(tx, current) };
    case 'moved': {
      const { project, scope, topicKey } = valuesIn(before) as {
        project: string | null;
        scope: string;
        topicKey: string | null;
      };
      const place = { project, scope, topicKey };
      return {
        becomes: 'moved back',
        dependents: await holders(tx, { ...found, ...place }),
        run: (current) => updateObservation(tx, current, { ...current, ...place }),
      };
    }
    case 'rewritten': {
      const text = await findRevision(tx, found.id, Number(valuesIn(after).revision));
      return (
        text && {
          becomes: `rewritten as before: ${text.title}`,
          dependents: await dependentsOfObservation(tx, found.id, createdAt),
          run: (current) => replaceText(tx, current, text, tx.writer),
        }
      );
    }
    default:
      return undefined;
  }
}

/** Another observation that has the topic key by now. */
async function holders(tx: Tx, wanted: StoredObservation): Promise<Dependent[]> {
  const holder = wanted.topicKey === null ? undefined : await findByTopicKey(tx, wanted);
  return holder
    ? [{ line: `observation #${holder.id}, which has the topic key "${wanted.topicKey}" now` }]
    : [];
}

async function at(tx: Tx, seq: number): Promise<StoredObservation | undefined> {
  return (await findObservationsAt(tx, [seq]))[0];
}

function effectOf({ id, title, content }: StoredObservation, becomes: string): Effect {
  return { kind: 'observation', id: `#${id}`, name: title, text: content, becomes };
}

type Values = { relation: number; from: number; to: number; type: string; notes?: number };

/** A relation that was made is removed; with a note it is not, since the note would be lost (D-13). */
export async function relatedPart(tx: Tx, { after }: SavedChange): Promise<Part | undefined> {
  const values = valuesIn(after) as Values;
  const [relation] = await findRelations(tx, [values.relation]);
  if (!relation) return undefined;
  const line = `its note, which would be lost: "precedent unrelate ${relation.id}" removes both for good`;
  return {
    effect: relationEffect(values, 'removed'),
    dependents: relation.note === null ? [] : [{ line }],
    undo: () => deleteRelation(tx, relation.id),
  };
}

/** A relation that was removed is made again, where it had no note and both ends are there. */
export async function unrelatedPart(tx: Tx, { before }: SavedChange): Promise<Part | undefined> {
  const values = valuesIn(before) as Values;
  const { from, to, type, notes } = values;
  if (notes !== undefined || (await findRelation(tx, from, to, type))) return undefined;
  const ends = await findObservations(tx, [from, to]);
  if (ends.length < 2 || ends.some(({ deletedAt }) => deletedAt !== null)) return undefined;
  return {
    effect: relationEffect(values, 'related again'),

    undo: () => insertRelation(tx, { fromId: from, toId: to, type, note: null }),
  };
}

function relationEffect({ from, to, type, relation }: Values, becomes: string): Effect {
  return { kind: 'relation', id: String(relation), name: '', text: `#${from} ${type} #${to}`, becomes };
}
