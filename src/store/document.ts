import type { Document } from './engine.ts';
import type { Tx } from './tx.ts';

/** Makes a record findable: by its text at once, by its meaning after a model has embedded it. */
export async function putDocument(tx: Tx, document: Document): Promise<void> {
  await tx.text.put(tx.db, [document]);
  tx.written.push(document);
}

/** Removes a record from every search. */
export async function removeDocument(tx: Tx, seq: number): Promise<void> {
  await tx.text.remove(tx.db, seq);
  await tx.db.deleteFrom('vectors').where('seq', '=', seq).execute();
}
