import { valuesIn } from '../json-list.ts';
import { findObservations } from '../observations/observation.ts';
import { deleteRelation, findRelation, findRelations, insertRelation } from '../observations/relation.ts';
import type { Tx } from '../tx.ts';
import type { Effect, Part, SavedChange } from './part.ts';

type Values = { relation: number; from: number; to: number; type: string; notes?: number };

/** A relation that was made is removed; with a note it is not, since the note would be lost (D-13). */
export async function relatedPart(tx: Tx, { after }: SavedChange): Promise<Part | undefined> {
  const values = valuesIn(after) as Values;
  const [relation] = await findRelations(tx, [values.relation]);
  if (!relation) return undefined;
  const lost = `its note, which would be lost: "precedent delete relation ${relation.id}" removes both for good`;
  return {
    effect: effectOf(values, 'removed'),
    rests: relation.note === null ? [] : [lost],
    takeBack: () => deleteRelation(tx, relation.id),
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
    effect: effectOf(values, 'related again'),
    rests: [],
    takeBack: () => insertRelation(tx, { fromId: from, toId: to, type, note: null }),
  };
}

function effectOf({ from, to, type, relation }: Values, becomes: string): Effect {
  return { kind: 'relation', id: String(relation), name: '', text: `#${from} ${type} #${to}`, becomes };
}
