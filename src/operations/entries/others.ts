import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { estimateTokens } from '../../domain/text/tokens.ts';
import { bindingAnywhere } from '../../store/decisions/decision.ts';
import { importedAmong, NOT_REVIEWED } from '../../store/decisions/imported.ts';
import { failedSince } from '../../store/decisions/outcome.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import type { Entry } from './entry.ts';

export const others = () =>
  z
    .object({
      rules: z.array(z.string()).describe('Topics of axes and locks'),
      failures: z.array(z.string()).describe('Topics of what failed'),
      more: z.int().describe('How many are not named: decision_retrieve'),
    })
    .describe('What no entry shows: it binds elsewhere, or is in other words or another language');
type Others = z.infer<ReturnType<typeof others>>;

/** Rules and failures that are read at most for their names, and the shares of the budget that these may take. */
const MOST = 100;
const SHARES = { rules: 0.1, failures: 0.05 };

/** The rules of the memory, those of everywhere first, and what failed, the newest first. */
export async function othersIn(
  tx: Tx,
): Promise<{ rules: Decision[]; failed: Decision[]; imported: Set<string> }> {
  const [rules, failures] = await together(bindingAnywhere(tx, MOST), failedSince(tx, 0, MOST));
  const imported = await importedAmong(
    tx,
    rules.map(({ id }) => id),
  );
  return { rules, failed: failures.map(({ decision }) => decision), imported };
}

/**
 * The names of the rules and failures that no entry shows: whoever reads them sees which ones the task touches in other words,
 * which no search does (T-9). Those in another language come first: their words could not be compared.
 * @param budget of the whole answer, in tokens
 */
export function othersNamed(
  { rules, failed, imported }: Awaited<ReturnType<typeof othersIn>>,
  shown: Entry[],
  task: string,
  budget: number,
): { others?: Others } {
  const isShown = new Set(shown.flatMap(({ id, title }) => [id, title]));
  const isOther = ({ text }: Decision) => HANGUL.test(text) !== HANGUL.test(task);
  const nameOf = ({ topic, id }: Decision) => topic ?? id;
  const namesOf = (decisions: Decision[]) => {
    const left = decisions.filter((each) => !isShown.has(nameOf(each)) && !isShown.has(each.id));
    const ordered = [...left.filter(isOther), ...left.filter((each) => !isOther(each))];
    return [
      ...new Set(ordered.map((each) => nameOf(each) + (imported.has(each.id) ? ` (${NOT_REVIEWED})` : ''))),
    ];
  };
  const all = { rules: namesOf(rules), failures: namesOf(failed) };
  const count = all.rules.length + all.failures.length;
  if (count === 0) return {};
  for (const part of ['rules', 'failures'] as const)
    while (estimateTokens(all[part].join(', ')) > budget * SHARES[part]) all[part].pop();
  return { others: { ...all, more: count - all.rules.length - all.failures.length } };
}
const HANGUL = /\p{Script=Hangul}/u;

export function inWords({ rules, failures, more }: Others): string {
  const parts = [
    ...(rules.length > 0 ? [`axes and locks ${rules.join(', ')}`] : []),
    ...(failures.length > 0 ? [`failed ${failures.join(', ')}`] : []),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  return parts.join('; ');
}
