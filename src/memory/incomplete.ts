import { type PrecedentError, unavailable } from '../domain/error.ts';

/** The remains of work that broke off. */
const STATES = {
  export: 'what was written is incomplete',
  import: 'nothing was imported',
  batch: 'nothing was saved',
  transaction: 'nothing was saved',
};

/** Work that cannot be done a second time, since what it reads or writes is half gone already. */
export function incomplete(what: keyof typeof STATES): PrecedentError {
  return unavailable.interrupted(
    `The connection was lost, or another process held the memory, during the ${what}: ${STATES[what]}. Run it again.`,
  );
}
