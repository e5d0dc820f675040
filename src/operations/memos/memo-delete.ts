import * as z from 'zod';
import { deleteMemo } from '../../store/memos/memo.ts';
import { infoId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';
import { requireLiveMemo } from '../results/memo.ts';
import { dim, good, line, shortId } from '../view.ts';

export const memoDelete = defineOperation({
  name: 'memo_delete',
  family: 'memos',
  title: 'Delete a memo',
  summary: 'End a memo that no longer holds; it stays readable by its id.',
  access: 'write',
  destructive: true,
  positional: ['infoId'],
  input: z.strictObject({ infoId: infoId() }),
  output: written({
    infoId: z.string(),
    summary: z.string(),
    deleted: z.literal(true),
  }),
  async run(tx, { infoId }) {
    const memo = await requireLiveMemo(tx, infoId);
    await deleteMemo(tx, memo);
    return { infoId: memo.id, summary: memo.summary, deleted: true as const };
  },
  view: ({ infoId, summary, workspace }) => [
    line(good('✔ deleted '), summary, dim(`  ${shortId(infoId)} · workspace ${workspace}`)),
  ],
});
