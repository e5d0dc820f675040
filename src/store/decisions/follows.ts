import type { Decision } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { requireFollows, type Tx } from '../tx.ts';
import { isMistake } from './decision.ts';

/**
 * A version that is entered with a date is not before the one that it follows (U-7). Where that one only undoes what
 * was saved without a date, it says what to do: versions are never moved.
 * @throws PrecedentError `invalid`
 */
export async function requireFollowsVersion(tx: Tx, { id, version, createdAt }: Decision): Promise<void> {
  try {
    requireFollows(tx, createdAt, `version ${version}, which it follows`);
  } catch (error) {
    if (!(error instanceof PrecedentError) || !(await isMistake(tx, id))) throw error;
    throw new PrecedentError(
      'invalid',
      `${error.message} All that this topic has was retracted, and stays in its chain: enter the decision under another topic, and lead this one there with "topic join".`,
    );
  }
}
