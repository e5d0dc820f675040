import type { Document } from './engine.ts';
import type { Unit } from './unit.ts';

/** Makes a record findable by its text at once; by its meaning when a model has looked at it. */
export async function putDocument(unit: Unit, document: Document): Promise<void> {
  await unit.text.put(unit.db, [document]);
  unit.written.push(document);
}

/** Takes a record out of every search. */
export async function removeDocument(unit: Unit, seq: number): Promise<void> {
  await unit.text.remove(unit.db, seq);
  await unit.db.deleteFrom('vectors').where('seq', '=', seq).execute();
}
