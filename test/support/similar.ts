import { readFileSync } from 'node:fs';
import { PrecedentError } from '../../src/domain/error.ts';
import { operations } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';

interface Saved {
  topic: string;
  decision: string;
  reasoning: string;
}

/** Written pairs: a memory, and what is saved in it next, with the topic that is about the same matter, if any is. */
export interface WrittenPairs {
  memory: (Saved & { strength?: string; scope?: string })[];
  pairs: { new: Saved; neighbour: string | null }[];
}

export function writtenPairs(name: 'tune' | 'held'): WrittenPairs {
  return JSON.parse(readFileSync(`bench/data/similar/${name}.json`, 'utf8'));
}

/** What one save names, the closest first. */
export interface Named {
  neighbour: string | null;
  similar: { topic: string; similarity: number }[];
}

/**
 * Saves the memory, then each new decision by itself: what one leaves behind is rolled back before the next.
 * @param store of an empty memory
 */
export async function namedIn(store: Store, set: WrittenPairs): Promise<Named[]> {
  const save = operations.find(({ name }) => name === 'mama_save') as unknown as Save;
  const writer = { author: '', host: '', client: 'test', session: 'test' };
  for (const decision of set.memory) {
    await store.write(writer, (tx) => save.run(tx, { type: 'decision', ...decision }));
  }
  const named: Named[] = [];
  for (const pair of set.pairs) {
    await store
      .write(writer, async (tx) => {
        const saved = await save.run(tx, { type: 'decision', ...pair.new });
        const { similar = [] } = await save.afterCommit(tx, saved);
        named.push({
          neighbour: pair.neighbour,
          similar: similar.map(({ topic, similarity }) => ({ topic, similarity })),
        });
        throw UNDO;
      })
      .catch((error: unknown) => {
        if (error !== UNDO) throw error;
      });
  }
  return named;
}

/** The parts of `mama_save`, without its types. */
interface Save {
  run(tx: unknown, input: object): Promise<object>;
  afterCommit(tx: unknown, result: object): Promise<{ similar?: Named['similar'] }>;
}

const UNDO = new PrecedentError('conflict', 'not_confirmed', 'rolled back on purpose');

/** W-5: the share of the neighbours that are named first, and of the decisions without one that name anything. */
export function shares(named: Named[]): { first: number; unrelated: number } {
  const close = named.filter(({ neighbour }) => neighbour !== null);
  const alone = named.filter(({ neighbour }) => neighbour === null);
  return {
    first: close.filter(({ neighbour, similar }) => similar[0]?.topic === neighbour).length / close.length,
    unrelated: alone.filter(({ similar }) => similar.length > 0).length / alone.length,
  };
}
