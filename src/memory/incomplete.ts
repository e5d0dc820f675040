import { PrecedentError } from '../domain/error.ts';

/** What cannot be done a second time, since what it reads or writes is half gone already. */
export function incomplete(what: 'export' | 'import'): PrecedentError {
  const state = what === 'export' ? 'what was written is not whole' : 'nothing was imported';
  return new PrecedentError(
    'unavailable',
    `The connection was lost, or another process held the memory, in the middle of the ${what}: ${state}. Run it again.`,
  );
}
