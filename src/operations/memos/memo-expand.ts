import * as z from 'zod';
import { PrecedentError } from '../../domain/error.ts';
import { DEFAULT_SESSION, readConversation } from '../../store/memos/conversation.ts';
import { exploreMemo } from '../../store/memos/exploration.ts';
import { findMemo, type StoredMemo } from '../../store/memos/memo.ts';
import { countRelated } from '../../store/memos/memo-link.ts';
import type { Tx } from '../../store/tx.ts';
import { infoId, sessionId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { warnings } from '../results/fields.ts';
import { keywordSpans, requireMemo } from '../results/memo.ts';
import { dim, good, indented, line } from '../view.ts';

export const memoExpand = defineOperation({
  name: 'memo_expand',
  family: 'memos',
  title: 'Find more around a memo',
  summary:
    "When the user asks for more (더 찾아, 관련된 거, expand, more): take one more step through the keyword graph from the conversation's last memo, or from the one given. At most 5 keywords a step; call it once for each request.",
  access: 'write',
  idempotent: false,
  exact: true,
  searchHint: 'find more, expand, 더 찾아',
  positional: ['infoId'],
  input: z.strictObject({
    infoId: infoId().optional(),
    sessionId: sessionId('The conversation whose last memo is meant, "default" when left out').optional(),
  }),
  output: z.object({
    action: z.literal('memo_expanded'),
    infoId: z.string(),
    previousDepth: z.int(),
    newDepth: z.int(),
    newlyFound: z.array(z.string()),
    totalRelated: z.int(),
    warnings: warnings(),
  }),
  async run(tx, { infoId, sessionId }) {
    if (infoId !== undefined && sessionId !== undefined) {
      throw new PrecedentError(
        'invalid',
        'memo_expand: Expected "infoId" or "sessionId", found both. Give one of them: a session stands for its last memo.',
      );
    }
    const memo =
      infoId === undefined ? await lastMemo(tx, sessionId ?? DEFAULT_SESSION) : await requireMemo(tx, infoId);
    const newlyFound = await exploreMemo(tx, memo);
    return {
      action: 'memo_expanded' as const,
      infoId: memo.id,
      previousDepth: memo.searchDepth,
      newDepth: memo.searchDepth + 1,
      newlyFound,
      totalRelated: await countRelated(tx, memo.seq),
    };
  },
  view: ({ infoId, newDepth, newlyFound, totalRelated }) => [
    newlyFound.length > 0
      ? line(good(`✔ depth ${newDepth} `), ...keywordSpans(newlyFound), dim(`  ${infoId}`))
      : line(dim(`nothing new at depth ${newDepth}  ${infoId}`)),
    indented(dim(`${totalRelated} related in all`)),
  ],
});

async function lastMemo(tx: Tx, sessionId: string): Promise<StoredMemo> {
  const { lastMemoSeq } = await readConversation(tx, sessionId);
  const memo = lastMemoSeq === null ? undefined : await findMemo(tx, { seq: lastMemoSeq });
  if (memo) return memo;
  throw new PrecedentError(
    'not_found',
    `memo_expand: Expected a memo in session "${sessionId}", found none. Save one with memo_save, or give the infoId of one that recall or memo_list shows.`,
  );
}
