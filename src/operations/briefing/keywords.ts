import { knownKeywords, recordMessage } from '../../store/memos/conversation.ts';
import { wordsInTitles } from '../../store/search/hits.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * Records those words of a prompt that the memory knows already as a keyword, in a topic or in a title, and those that
 * the session repeats (M-11).
 * @param words those of the prompt that may be recorded
 * @returns those that were
 */
export async function recordPrompt(
  tx: Tx,
  conversation: string,
  words: string[],
  isRepeated: (word: string) => boolean,
): Promise<string[]> {
  const known = await knownKeywords(tx, words);
  const unknown = words.filter((word) => !known.has(word) && !isRepeated(word));
  const named = await wordsInTitles(tx, unknown);
  const names = words.filter((word) => known.has(word) || named.has(word) || isRepeated(word));
  if (names.length > 0) await recordMessage(tx, conversation, names);
  return names;
}
