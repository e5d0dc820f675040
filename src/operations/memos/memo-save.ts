import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { linksOfMessage } from '../../domain/keyword.ts';
import { keywordsIn } from '../../domain/language/keywords.ts';
import { summarize } from '../../domain/memo.ts';
import { LIMITS, quoted } from '../../domain/text/text.ts';
import { conversationOf, updateConversation } from '../../store/memos/conversation.ts';
import { ensureKeywords, recordLinks } from '../../store/memos/keyword.ts';
import { exploreMemo, insertMemo } from '../../store/memos/memo.ts';
import { savedDate, text, verbatim } from '../fields/basic.ts';
import { keywords, sessionId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { warnings } from '../results/fields.ts';
import { keywordSpans } from '../results/memo.ts';
import { dim, good, indented, line } from '../view.ts';

export const memoSave = defineOperation({
  name: 'memo_save',
  family: 'memos',
  title: 'Save a memo',
  summary: `When the user asks to note or remember something (메모, 기억해, remember, save): keep the answer as a memo of at most ${LIMITS.memoText} characters, found by its keywords; memo_expand finds more around it.`,
  access: 'write',
  createsMemory: true,
  exact: true,
  searchHint: 'remember, note, memo, 기억해, 메모',
  positional: ['fullText'],
  input: z.strictObject({
    fullText: verbatim(
      LIMITS.memoText,
      'What to remember; shorten a longer answer',
      'shorten it, or keep the whole text with mem_save',
    ),
    summary: text(
      LIMITS.memoSummary,
      'One sentence; made from the text when left out',
      'shorten it, or leave it out',
    ).optional(),
    keywords: keywords('What it is about; taken from the text when left out').optional(),
    sessionId: sessionId(),
    date: savedDate(),
  }),
  output: z.object({
    action: z.literal('memo_created'),
    infoId: z.string(),
    summary: z.string(),
    keywords: z.array(z.string()),
    relatedFound: z.object({ depth: z.int(), nodes: z.array(z.string()), count: z.int() }),
    session: z
      .object({
        lastMemoId: z.string(),
        lastMemoDepth: z.int(),
        lastMemoKeywords: z.array(z.string()),
      })
      .describe('This memo. With a date, the conversation keeps the one that it had'),
    warnings: warnings(),
  }),
  async run(tx, { fullText, summary = summarize(fullText), keywords: given, sessionId }) {
    const names = given?.length ? given : keywordsIn(fullText);
    if (names.length === 0)
      throw invalid.missing(
        'memo_save: Expected "keywords", or a text with keywords, found none in the text. Give "keywords": a memo is found by them.',
      );
    const nodes = await ensureKeywords(tx, names, { visited: false });
    const seqs = nodes.map(({ seq }) => seq);
    const memo = await insertMemo(tx, { summary, fullText }, seqs, sessionId);
    // Without a hook, nothing else would relate keywords (T-13).
    await recordLinks(tx, linksOfMessage([], seqs));
    const found = await exploreMemo(tx, memo);
    // A conversation goes on with what it said, not with history that was entered in it (U-7).
    const last = tx.now === tx.entered ? { lastMemoSeq: memo.seq } : {};
    await updateConversation(tx, sessionId ?? conversationOf(tx), last);
    const depth = memo.searchDepth + 1;
    return {
      action: 'memo_created' as const,
      infoId: memo.id,
      summary,
      keywords: names,
      relatedFound: { depth, nodes: found, count: found.length },
      session: { lastMemoId: memo.id, lastMemoDepth: depth, lastMemoKeywords: names },
      ...warned(given ?? []),
    };
  },
  view: ({ infoId, summary, keywords, relatedFound }) => [
    line(good('✔ noted '), summary, dim(`  ${infoId}`)),
    indented(dim('about    '), ...keywordSpans(keywords)),
    indented(dim('related  '), ...keywordSpans(relatedFound.nodes)),
  ],
});

/** That what looks like several keywords is one. */
function warned(names: string[]): { warnings?: string[] } {
  const listed = names.find((each) => each.includes(','));
  if (listed === undefined) return {};
  const remedy = 'If several were meant, give each by itself; on the command line, repeat --keywords';
  return { warnings: [`${quoted(listed)} is one keyword, with its commas. ${remedy}`] };
}
