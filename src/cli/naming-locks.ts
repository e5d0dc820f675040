import { conflict, PrecedentError } from '../domain/error.ts';
import { shownBy } from '../domain/via.ts';
import { here } from '../files/surroundings.ts';
import type { MemoryCore } from '../memory/core.ts';
import type { Keeping } from '../memory/receive.ts';
import type { Given } from './command.ts';
import { log } from './output/print.ts';
import type { Result } from './result.ts';

/**
 * Calls an operation. Where it overrides a lock, a person at a terminal is shown the lock and asked, instead of naming it
 * (T-6); without a terminal it is named by --replaces.
 * @throws PrecedentError also `conflict` when the answer is no
 */
export async function callNaming(
  memory: MemoryCore,
  name: string,
  input: Given,
  how: Keeping = {},
): Promise<Record<string, unknown>> {
  try {
    return await memory.call(name, input, undefined, log, how);
  } catch (error) {
    const { stdin, stderr } = here();
    if (!(error instanceof PrecedentError) || error.lock === undefined || !stdin.isTTY || !stderr.isTTY)
      throw error;
    const { lock } = error;
    const { confirm } = await import('./output/destroy.ts');
    if (!(await confirm('Override this lock?', await shown(memory, lock))))
      throw conflict('The lock stays. Nothing was changed.');
    // Joining a scope and undoing may override several: each is asked about.
    const replaces = name === 'scope_join' || name === 'undo' ? [input.replaces ?? [], lock].flat() : lock;
    return callNaming(memory, name, { ...input, replaces }, how);
  }
}

/** A lock as whoever overrides it must know it. */
async function shown(memory: MemoryCore, id: string): Promise<string[]> {
  const { decision } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  const { topic, scope, createdAt, text, reasoning } = decision;
  const facts = ['lock', scope, createdAt.slice(0, 10), shownBy(decision)];
  return [
    `${topic ?? id}  ${facts.filter(Boolean).join(' · ')}`,
    ...text.split('\n'),
    ...(reasoning === null ? [] : `why: ${reasoning}`.split('\n')),
  ];
}
