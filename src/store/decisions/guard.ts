import type { Decision, Override } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { quoted } from '../../domain/text/text.ts';

const DOING: Record<Override, string> = {
  replace: 'Replacing',
  lower: 'Lowering',
  rescope: 'Moving',
  withdraw: 'Withdrawing',
};
const DONE: Record<Override, string> = {
  replace: 'replaced',
  lower: 'lowered',
  rescope: 'moved to another scope',
  withdraw: 'withdrawn',
};

/** Characters of a name that others gave. */
const NAMED = 60;

/** The refusal to override an axis or a lock without a reason (D-20). */
export function protectedError({ id, text, strength, topic }: Decision, how: Override): PrecedentError {
  return new PrecedentError(
    'conflict',
    `Expected reasoning for what changes ${withArticle(strength)}, found none. ${DOING[how]} ${topic === null ? id : quoted(topic, NAMED)} needs a reason given in the same call. It says: ${quoted(text)} (${id}). Nothing was changed.`,
  );
}

/** The warning that an axis or a lock was overridden (D-20). */
export function overriddenWarning({ id, text, strength, scope }: Decision, how: Override): string {
  return `⚠️ ${withArticle(strength)} of ${quoted(scope, NAMED)} was ${DONE[how]}: ${quoted(text)} (${id})`;
}

function withArticle(strength: string): string {
  return strength === 'axis' ? 'an axis' : `a ${strength}`;
}
