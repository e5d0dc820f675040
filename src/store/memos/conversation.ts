import { seqsOf } from '../../domain/id.ts';
import { linksOfMessage } from '../../domain/keyword.ts';
import { numbersIn } from '../json-list.ts';
import { findRow, insertRows, updateRows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import {
  ensureKeywords,
  findKeywords,
  keywordsAt,
  type RecordedLink,
  recordLinks,
  type StoredKeyword,
} from './keyword.ts';

/** The state of a conversation between its calls (M-6, M-9, M-12). */
export interface Conversation {
  /** Numbers of the keywords of its last message that had keywords. */
  previousKeywords: number[];
  lastMemoSeq: number | null;
}

/** The conversation of a call that names none (M-12). */
export function conversationOf({ writer }: Tx): string {
  return writer.conversation || writer.session;
}

export async function readConversation(tx: Tx, sessionId: string): Promise<Conversation> {
  const row = await findRow(tx, 'conversations', { sessionId });
  return { previousKeywords: numbersIn(row?.previousKeywords), lastMemoSeq: row?.lastMemoSeq ?? null };
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
    updatedAt: tx.entered,
  };
  if ((await updateRows(tx, 'conversations', { sessionId }, values)).length > 0) return;
  const first = { sessionId, previousKeywords: '[]', lastMemoSeq: null };
  await insertRows(tx, 'conversations', [{ ...first, ...values }]);
}

/**
 * Records what a message of a conversation is about (M-9): its keywords are visited, and linked to each other, to those of
 * the message before, and to the keyword that all belong to.
 * @param names distinct, as {@link keywordName} makes them; without one ("ok") the conversation stays where it was
 * @param belongsTo gets no visit, since the message does not hold it
 */
export async function recordMessage(
  tx: Tx,
  conversation: string,
  names: string[],
  belongsTo?: string,
): Promise<{ keywords: StoredKeyword[]; links: RecordedLink[] }> {
  // No key of the database holds a list in a text to keywords that are there.
  const previous = await keywordsAt(tx, (await readConversation(tx, conversation)).previousKeywords);
  const keywords = await ensureKeywords(tx, names, { visited: true });
  if (keywords.length === 0) return { keywords, links: [] };
  const seqs = keywords.map(({ seq }) => seq);
  const parents = belongsTo === undefined ? [] : await ensureKeywords(tx, [belongsTo], { visited: false });
  const links = await recordLinks(tx, linksOfMessage(seqsOf(previous), seqs, parents[0]?.seq));
  await updateConversation(tx, conversation, { previousKeywords: seqs });
  return { keywords, links };
}

/** Which of these names are keywords already. */
export async function knownKeywords(tx: Tx, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  return new Set((await findKeywords(tx, names)).map(({ name }) => name));
}
