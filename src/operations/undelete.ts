import * as z from 'zod';
import { conflict } from '../domain/error.ts';
import { restoreMemo } from '../store/memos/memo.ts';
import { restoreObservation } from '../store/observations/observation.ts';
import { noteOrMemo } from './fields/basic.ts';
import { requireMeant } from './lists/meant-record.ts';
import { defineOperation } from './operation.ts';
import { written } from './results/fields.ts';
import { isDeletedMemo, requireMemo } from './results/memo.ts';
import { requireObservation } from './results/observation.ts';
import { dim, good, line, shortId } from './view.ts';

export const undelete = defineOperation({
  name: 'undelete',
  family: 'observations',
  title: 'Bring a deleted note or memo back',
  summary:
    'Brings a deleted note or memo back: it is listed and found again, with its relations and earlier texts. What was deleted for good is gone.',
  access: 'write',
  tool: false,
  positional: ['ref'],
  input: z.strictObject({ ref: noteOrMemo() }),
  output: written({
    kind: z.enum(['observation', 'memo']),
    ref: z.string(),
    title: z.string(),
    deleted: z.literal(false),
  }),
  async run(tx, { ref }) {
    const found = await requireMeant(tx, ref, ['memo', 'observation']);
    if (found.kind === 'memo') {
      const memo = await requireMemo(tx, found.id);
      if (!(await isDeletedMemo(tx, memo))) throw isThere('a memo', memo.id, memo.summary);
      await restoreMemo(tx, memo);
      return { kind: found.kind, ref: memo.id, title: memo.summary, deleted: false as const };
    }
    const observation = await requireObservation(tx, found.id);
    const { id, title, deletedAt } = observation;
    if (deletedAt === null) throw isThere('an observation', String(id), title);
    await restoreObservation(tx, observation);
    return { kind: found.kind, ref: `#${id}`, title, deleted: false as const };
  },
  view: ({ ref, title, workspace }) => [
    line(good('✔ restored'), ` ${shortId(ref)} ${title}`, dim(`  workspace ${workspace}`)),
  ],
});

const isThere = (what: string, id: string, title: string) =>
  conflict.already_so(
    `undelete: Expected ${what} that was deleted, found ${id} ("${title}"), which was not.`,
  );
