import { numbersIn } from '../json-list.ts';
import type { Tx } from '../tx.ts';

/** The state of a session between its calls (M-6, M-9). */
export interface Conversation {
  /** Numbers of the keywords of its last message that had keywords. */
  previousKeywords: number[];
  lastMemoSeq: number | null;
}

/** The session of calls that name none (M-9). */
export const DEFAULT_SESSION = 'default';

export async function readConversation(tx: Tx, sessionId: string): Promise<Conversation> {
  const row = await tx.db
    .selectFrom('conversations')
    .select(['previousKeywords', 'lastMemoSeq'])
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  if (!row) return { previousKeywords: [], lastMemoSeq: null };
  return { ...row, previousKeywords: numbersIn(row.previousKeywords) };
}

/** Replaces the given fields; the others stay. */
export async function updateConversation(
  tx: Tx,
  sessionId: string,
  change: Partial<Conversation>,
): Promise<void> {
  const { previousKeywords, ...others } = change;
  const values = {
    ...others,
    ...(previousKeywords && { previousKeywords: JSON.stringify(previousKeywords) }),
    updatedAt: tx.now,
  };
  await tx.db
    .insertInto('conversations')
    .values({ sessionId, previousKeywords: '[]', lastMemoSeq: null, ...values })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(values))
    .execute();
}
