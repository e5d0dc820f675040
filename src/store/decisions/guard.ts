import type { Decision, Yielding } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { quoted } from '../../domain/text/text.ts';

const DOING: Record<Yielding, string> = {
  replace: 'Replacing',
  lower: 'Lowering',
  rescope: 'Moving',
  withdraw: 'Withdrawing',
};
const DONE: Record<Yielding, string> = {
  replace: 'replaced',
  lower: 'lowered',
  rescope: 'moved to another scope',
  withdraw: 'withdrawn',
};

/** Characters of a name that others gave. */
const NAMED = 60;

/** The refusal to let an axis or a lock give way without a reason (D-20). */
export function keptByGuard({ id, text, strength, topic }: Decision, how: Yielding): PrecedentError {
  return new PrecedentError(
    'conflict',
    `Expected reasoning for what changes ${withArticle(strength)}, found none. ${DOING[how]} ${topic === null ? id : quoted(topic, NAMED)} needs a reason given in the same call. It stands: ${quoted(text)} (${id}). Nothing was changed.`,
  );
}

/** The warning that an axis or a lock gave way (D-20). */
export function gaveWay({ id, text, strength, scope }: Decision, how: Yielding): string {
  return `⚠️ ${withArticle(strength)} of ${quoted(scope, NAMED)} that stood was ${DONE[how]}: ${quoted(text)} (${id})`;
}

function withArticle(strength: string): string {
  return strength === 'axis' ? 'an axis' : `a ${strength}`;
}
