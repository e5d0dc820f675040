import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { invalid } from '../../domain/error.ts';
import { saveHints } from '../../store/decisions/anchor.ts';
import type { Tx } from '../../store/tx.ts';

/** What a save asks for, of the program that saved (RE-16). */
export const asks = () => z.string().optional().describe('What is worth adding now; it is asked for once');

const ASK =
  'No hints yet: nothing recalls this when somebody is about to do otherwise. Call mama_update(id, hints: […]) with up to 12 phrases of at most four words by which somebody would ask for what this rules out: other names, packages, calls, in each language of the team; no common words.';

/**
 * Gives a decision the hints that came with a save of it.
 * @param isAskedNow whether it binds or failed with this save, so that hints are worth asking for
 * @throws PrecedentError `invalid` for a hint of common words alone
 */
export async function givenHints(
  tx: Tx,
  decision: Decision,
  hints: readonly string[] | undefined,
  isAskedNow: boolean,
): Promise<{ ask?: string }> {
  if (hints?.length) {
    // Most saves have none, and need no list of common words.
    const { isTelling } = await import('../../domain/prompt/telling-hint.ts');
    const common = hints.find((hint) => !isTelling(hint));
    if (common !== undefined)
      throw invalid.wrong_form(
        `Expected hints that prompts about other things do not have, found "${common}": it is common or short. Add a word to it, or name a package or call.`,
      );
  }
  return (await saveHints(tx, decision, hints, isAskedNow)) ? { ask: ASK } : {};
}
