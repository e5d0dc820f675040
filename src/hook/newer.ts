import { claimOnce } from '../cli/agents/last-briefing.ts';
import type { Place } from '../cli/place.ts';
import { PrecedentError } from '../domain/error.ts';
import { SETUP_OF_NEWEST } from '../domain/release.ts';
import { shortHash } from '../domain/text/short-hash.ts';

const NEWER = `The memory of this project (Precedent) was written by a newer version than the one that should tell of it here, so nothing is told. Ask the user to run ${SETUP_OF_NEWEST}.`;

/**
 * Says that a memory is newer than this program: once for each schema that this program does not know, which the
 * message names, then never again.
 * @param error what happened instead of an answer
 * @param tell gives the agent its context; whether it could
 */
export async function announceNewerMemory(
  error: unknown,
  dataFolder: string,
  place: Place,
  tell: (context: string) => Promise<boolean>,
): Promise<void> {
  if (!(error instanceof PrecedentError) || error.reason !== 'newer') return;
  const takeBack = claimOnce(dataFolder, place, `newer-${shortHash(error.message)}`);
  if (takeBack && !(await tell(NEWER))) takeBack();
}
