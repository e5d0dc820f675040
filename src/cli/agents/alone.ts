import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../agents/files.ts';
import { type PrecedentError, unavailable } from '../../domain/error.ts';
import { locked } from '../locked.ts';

/** Milliseconds. A process that was killed holds no lock. */
const PATIENCE = 60_000;

/**
 * Does what setup or unsetup does while no other one of them is at work: else one would take the copy of the program
 * away that the other enters.
 * @param isMade whether the data folder is made where it is missing; without it nothing was set up, and nobody waits
 * @throws PrecedentError `unavailable` where nothing can be written there: nothing was done; or while another one goes on
 */
export async function alone<Result>(
  dataFolder: string,
  isMade: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isMade) makeFolders(dataFolder);
  else if (!existsSync(dataFolder)) return work();
  const file = join(dataFolder, 'setup.lock');
  return locked(file, { patience: PATIENCE, refusal: (cause) => cannotLock(file, cause) }, work);
}

function cannotLock(file: string, cause: unknown): PrecedentError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
  const message =
    cause === undefined
      ? 'Another setup or unsetup is running. Try again when it has finished.'
      : `Nothing was changed: ${file}, in which setup lists what it writes, cannot be written (${code}). Check its permissions.`;
  return unavailable[cause === undefined ? 'busy' : 'no_access'](message, { cause });
}
