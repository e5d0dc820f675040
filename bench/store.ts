import { openSqlite } from '../src/store/sqlite/engine.ts';
import { Store } from '../src/store/store.ts';

/** Who writes in a bench. */
export const WRITER = { author: '', host: '', client: 'bench', session: 's' };

/** A memory without what stands above its store: for parts of an operation. */
export async function openStore(file: string): Promise<Store> {
  return new Store({
    engine: await openSqlite(file, () => {}),
    workspace: 'bench',
    clock: Date.now,
    newId: () => crypto.randomUUID(),
    log: () => {},
  });
}
