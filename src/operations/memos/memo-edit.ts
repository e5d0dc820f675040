import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { summarize } from '../../domain/memo.ts';
import { equalAfterNormalizing } from '../../domain/text/storable.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { memoRevisions, rewriteMemo } from '../../store/memos/memo.ts';
import { text, verbatim } from '../fields/basic.ts';
import { infoId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { warnedCopies } from '../results/copies.ts';
import { written } from '../results/fields.ts';
import { requireLiveMemo } from '../results/memo.ts';
import { dim, good, line, shortId } from '../view.ts';

export const memoEdit = defineOperation({
  name: 'memo_edit',
  family: 'memos',
  title: 'Edit a memo',
  summary:
    'Replaces the text or the summary of a memo; what it is about stays. The text that it had is kept.',
  access: 'write',
  idempotent: true,
  tool: false,
  positional: ['infoId', 'fullText'],
  input: z.strictObject({
    infoId: infoId(),
    fullText: verbatim(LIMITS.memoText, 'What to remember instead').optional(),
    summary: text(
      LIMITS.memoSummary,
      'One sentence; made from the new text when the current one was made from the old',
    ).optional(),
  }),
  output: written({
    infoId: z.string(),
    summary: z.string(),
    fullText: z.string(),
    revision: z.int().describe('How many texts it has had'),
    unchanged: z.boolean().optional().describe('It says so already'),
  }),
  async run(tx, { infoId, fullText, summary }) {
    if (fullText === undefined && summary === undefined)
      throw invalid.missing('memo_edit: Expected at least one of fullText, summary, found none.');
    const memo = await requireLiveMemo(tx, infoId);
    const wasMade = memo.summary === summarize(memo.fullText);
    const next = {
      fullText: fullText ?? memo.fullText,
      summary: summary ?? (fullText !== undefined && wasMade ? summarize(fullText) : memo.summary),
    };
    const isSame =
      equalAfterNormalizing(next.fullText, memo.fullText) &&
      equalAfterNormalizing(next.summary, memo.summary);
    if (!isSame) await rewriteMemo(tx, memo, next);
    return {
      infoId: memo.id,
      ...next,
      revision: (await memoRevisions(tx, memo)).length + 1,
      ...(isSame && { unchanged: true }),
      ...(fullText !== undefined &&
        !isSame &&
        (await warnedCopies(tx, { memo: memo.id, old: memo.fullText, next: fullText }))),
    };
  },
  view: ({ infoId, summary, revision, unchanged, workspace }) => [
    line(
      good(unchanged ? '= says so already ' : '✔ edited '),
      summary,
      dim(`  ${shortId(infoId)} · text ${revision} · workspace ${workspace}`),
    ),
  ],
});
