import { newId } from '../domain/id.ts';
import { type Beginnings, beginningWith } from '../store/lists/names.ts';
import { Store } from '../store/store.ts';
import { openEngine } from './engines.ts';

export type { Beginnings } from '../store/lists/names.ts';

/**
 * What is called so in a memory, for the completion of a shell (U-8): opened for a moment, without the operations.
 * Nothing is created, upgraded or copied, and no lock is waited for.
 * @throws PrecedentError `not_found` when there is no memory, `unavailable` when it cannot be used as it is
 */
export async function readBeginnings(
  { db, workspace }: { db: string; workspace: string },
  typed: string,
): Promise<Beginnings> {
  const silent = () => {};
  const engine = await openEngine(db, workspace, silent, { create: false, isHurried: true });
  const store = new Store({ engine, workspace, clock: Date.now, newId, log: silent });
  const nobody = { author: '', host: '', client: 'completion', session: '' };
  return store.read(nobody, (tx) => beginningWith(tx, typed)).finally(() => store.close());
}
