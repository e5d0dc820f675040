import * as z from 'zod';
import { quoted } from '../../domain/text/text.ts';
import { decidedSince } from '../../store/decisions/checkpoint.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';

/** Decisions and notes named at most, and characters of each. */
const NAMED = 6;
const QUOTED = 80;

/** With a checkpoint: what changed the ground under it. */
export const since = () =>
  z
    .array(z.string())
    .optional()
    .describe('What was decided, failed or was noted after it was saved: a step may be out of date');

/** What was decided, failed and was noted after a checkpoint, the newest first (T-18). @param id of the checkpoint */
export async function sinceThen(tx: Tx, id: string): Promise<{ since?: string[] }> {
  const { newest, total } = await decidedSince(tx, id, NAMED);
  if (total === 0) return {};
  const refOf = await shortIds(
    tx,
    'decisions',
    newest.flatMap(({ id, how }) => (how === 'noted' ? [] : [id])),
  );
  const since = newest.map(({ id, topic, text, how }) => {
    const name = topic === null ? '' : `${topic} `;
    return `${name}${how}: ${quoted(text, QUOTED)} (${how === 'noted' ? `#${id}` : refOf(id)})`;
  });
  return { since: [...since, ...(total > NAMED ? [`${total - NAMED} more`] : [])] };
}
