import type { Memory } from '../../src/index.ts';

/** What names the active version of a topic to a save that may override a lock (T-6); nothing where there is none yet. */
export async function named(memory: Pick<Memory, 'call'>, topic: string): Promise<{ replaces?: string }> {
  const found = await memory.call('decision_get', { id: topic }).catch(() => undefined);
  return found ? { replaces: (found.decision as { id: string }).id } : {};
}
