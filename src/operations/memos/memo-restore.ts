import * as z from 'zod';
import { conflict } from '../../domain/error.ts';
import { restoreMemo } from '../../store/memos/memo.ts';
import { infoId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';
import { isDeletedMemo, requireMemo } from '../results/memo.ts';
import { dim, good, line, shortId } from '../view.ts';

export const memoRestore = defineOperation({
  name: 'memo_restore',
  family: 'memos',
  title: 'Bring a deleted memo back',
  summary: 'Brings a deleted memo back: it is listed and found again.',
  access: 'write',
  tool: false,
  positional: ['infoId'],
  input: z.strictObject({ infoId: infoId() }),
  output: written({
    infoId: z.string(),
    summary: z.string(),
    deleted: z.literal(false),
  }),
  async run(tx, { infoId }) {
    const memo = await requireMemo(tx, infoId);
    if (!(await isDeletedMemo(tx, memo)))
      throw conflict.already_so(
        `memo_restore: Expected a memo that was deleted, found ${memo.id} ("${memo.summary}"), which was not.`,
      );
    await restoreMemo(tx, memo);
    return { infoId: memo.id, summary: memo.summary, deleted: false as const };
  },
  view: ({ infoId, summary, workspace }) => [
    line(good('✔ restored '), summary, dim(`  ${shortId(infoId)} · workspace ${workspace}`)),
  ],
});
