import * as z from 'zod';
import { idsOf } from '../../domain/id.ts';
import { quoted } from '../../domain/text/text.ts';
import { decidedSince } from '../../store/decisions/checkpoint.ts';
import { forksOf } from '../../store/decisions/fork.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';

/** Decisions and notes named at most, and characters of each. */
const MOST_SINCE = 6;
const LONGEST_TEXT = 80;

/** With a checkpoint: what changed the ground under it. */
export const since = () =>
  z
    .array(z.string())
    .optional()
    .describe('Decisions, failures and notes that are newer than the checkpoint: a step may be out of date');

/** What was decided, failed and was noted after a checkpoint, the newest first (T-18). @param id of the checkpoint */
export async function sinceThen(tx: Tx, id: string): Promise<{ since?: string[] }> {
  const { newest, total } = await decidedSince(tx, id, MOST_SINCE);
  if (total === 0) return {};
  const decisions = newest.filter(({ how }) => how !== 'noted');
  const roots = decisions.flatMap(({ rootId }) => rootId ?? []);
  const [refOf, forks] = await together(shortIds(tx, 'decisions', idsOf(decisions)), forksOf(tx, roots));
  const since = newest.map(({ id, rootId, topic, text, how }) => {
    const name = topic === null ? '' : `${topic} `;
    // Y-2: what one side decided is not settled.
    const twice = rootId !== null && forks.has(rootId) ? ' twice, one side' : '';
    return `${name}${how}${twice}: ${quoted(text, LONGEST_TEXT)} (${how === 'noted' ? `#${id}` : refOf(id)})`;
  });
  return { since: [...since, ...(total > MOST_SINCE ? [`${total - MOST_SINCE} more`] : [])] };
}
