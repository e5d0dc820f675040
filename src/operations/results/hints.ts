import * as z from 'zod';
import { HINTS } from '../../domain/anchor.ts';
import type { Decision } from '../../domain/decision.ts';
import { isStorable } from '../../domain/text/storable.ts';
import { countCharacters, isBlank, quoted } from '../../domain/text/text.ts';
import { normalized } from '../../domain/text/text-pieces.ts';
import { saveHints } from '../../store/decisions/anchor.ts';
import type { Tx } from '../../store/tx.ts';

/** What a save asks for, of the program that saved (RE-16). */
export const asks = () => z.string().optional().describe('What is worth adding now; it is asked for once');

const ASK =
  'No hints yet: only its own words recall this. Call mama_update(id, hints: […]) with up to 12 phrases of at most four words by which somebody would ask for what this rules out: other names, packages, calls, in each language of the team; no common words.';

/**
 * Gives a decision the hints that came with a save of it. What cannot be a hint is left out: nothing else of the save depends on it.
 * @param isAskedNow whether it binds or failed with this save, so that hints are worth asking for
 */
export async function givenHints(
  tx: Tx,
  decision: Decision,
  hints: readonly string[] | undefined,
  isAskedNow: boolean,
): Promise<{ ask?: string; warnings: string[] }> {
  const { kept, warnings } = hints ? await hintsAmong(hints) : { kept: undefined, warnings: [] };
  return { ...((await saveHints(tx, decision, kept, isAskedNow)) && { ask: ASK }), warnings };
}

/** Those of these phrases that can be hints, and why the others cannot. */
async function hintsAmong(phrases: readonly string[]): Promise<{ kept: string[]; warnings: string[] }> {
  // Most saves have none, and need no list of common words.
  const { isTelling } = await import('../../domain/prompt/telling-hint.ts');
  const read = phrases.map((phrase) => {
    const hint = normalized(phrase.replace(/\s+/g, ' ').trim(), 'NFC');
    return { hint, wrong: wrongWith(hint, isTelling) };
  });
  const right = read.filter(({ wrong }) => wrong === undefined).map(({ hint }) => hint);
  const kept = right.slice(0, HINTS.most);
  const wrong = read.flatMap((each) => each.wrong ?? []);
  const over = wrong.length - MOST_WRONG;
  const left = [
    ...wrong.slice(0, MOST_WRONG),
    ...(over > 0 ? [`${over} more`] : []),
    ...(right.length > kept.length
      ? [`${right.length - kept.length} beyond the limit of ${HINTS.most}`]
      : []),
  ];
  const warnings =
    left.length > 0
      ? [
          `Left out of the hints: ${left.join('; ')}. The rest was saved; to change it, give the whole list again.`,
        ]
      : [];
  return { kept, warnings };
}

/** What is wrong with a hint, for a warning. */
function wrongWith(hint: string, isTelling: (hint: string) => boolean): string | undefined {
  const shown = quoted(hint, LONGEST_HINT);
  const words = hint.split(' ').length;
  if (isBlank(hint)) return 'an empty one';
  if (!isStorable(hint)) return `${shown} has characters that no memory stores`;
  if (words > HINTS.words) return `${shown} has ${words} words, more than ${HINTS.words}`;
  if (countCharacters(hint) > HINTS.characters)
    return `${shown} has more than ${HINTS.characters} characters`;
  return isTelling(hint) ? undefined : `${shown} is common or short: add a word, or name a package or call`;
}
/** Hints left out that are named, and characters of one. */
const MOST_WRONG = 12;
const LONGEST_HINT = 60;
