import { linksOfMessage } from '../../domain/keyword.ts';
import type { Tx } from '../tx.ts';
import { readConversation, updateConversation } from './conversation.ts';
import {
  ensureKeywords,
  findKeywords,
  type RecordedLink,
  recordLinks,
  type StoredKeyword,
} from './keyword.ts';

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
  const { previousKeywords } = await readConversation(tx, conversation);
  const keywords = await ensureKeywords(tx, names, { visited: true });
  if (keywords.length === 0) return { keywords, links: [] };
  const seqs = keywords.map(({ seq }) => seq);
  const parents = belongsTo === undefined ? [] : await ensureKeywords(tx, [belongsTo], { visited: false });
  const links = await recordLinks(tx, linksOfMessage(previousKeywords, seqs, parents[0]?.seq));
  await updateConversation(tx, conversation, { previousKeywords: seqs });
  return { keywords, links };
}

/** Those of these names that are keywords already. */
export async function knownKeywords(tx: Tx, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  return new Set((await findKeywords(tx, names)).map(({ name }) => name));
}
