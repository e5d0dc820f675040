import * as z from 'zod';
import { conflict, invalid } from '../domain/error.ts';
import { deleteMemo } from '../store/memos/memo.ts';
import { hardDelete, softDelete } from '../store/observations/observation.ts';
import { countRelations } from '../store/observations/relation.ts';
import { noteOrMemo } from './fields/basic.ts';
import { requireMeant } from './lists/meant-record.ts';
import { defineOperation } from './operation.ts';
import { written } from './results/fields.ts';
import { requireLiveMemo } from './results/memo.ts';
import { requireObservation } from './results/observation.ts';
import { counted, dim, good, line, shortId } from './view.ts';

export const deleteRecord = defineOperation({
  name: 'delete',
  family: 'observations',
  title: 'Delete a note or a memo',
  summary:
    'End an observation or a memo that no longer holds. Searches leave it out; it stays readable by id, and relations stay.',
  access: 'write',
  destructive: true,
  positional: ['ref'],
  input: z.strictObject({
    ref: noteOrMemo(),
    hard_delete: z.boolean().default(false).meta({
      description: 'An observation for good, with its relations and earlier texts; cannot be undone',
      model: false,
    }),
  }),
  output: written({
    kind: z.enum(['observation', 'memo']),
    ref: z.string(),
    title: z.string(),
    deleted: z.literal(true),
    hard: z.boolean().describe('Whether it is gone for good'),
    relations_removed: z.int(),
  }),
  async run(tx, { ref, hard_delete: hard }) {
    const found = await requireMeant(tx, ref, ['memo', 'observation']);
    const { kind } = found;
    const deleted = { kind, deleted: true as const, hard, relations_removed: 0 };
    if (found.kind === 'memo') {
      if (hard)
        throw invalid.not_applicable(
          `delete: Expected hard_delete only for an observation, found memo ${found.id}. Nothing was changed.`,
        );
      const memo = await requireLiveMemo(tx, found.id);
      await deleteMemo(tx, memo);
      return { ...deleted, ref: memo.id, title: memo.summary };
    }
    const { id } = found;
    const observation = await requireObservation(tx, id);
    const { title } = observation;
    if (hard) {
      const relations = (await countRelations(tx, [id])).get(id);
      await hardDelete(tx, observation);
      const removed = (relations?.outgoing ?? 0) + (relations?.incoming ?? 0);
      return { ...deleted, ref: `#${id}`, title, relations_removed: removed };
    }
    if (observation.deletedAt !== null)
      throw conflict.already_so(
        `delete: Expected an observation that was not deleted, found ${id} ("${title}"), which was deleted already.`,
      );
    await softDelete(tx, observation);
    return { ...deleted, ref: `#${id}`, title };
  },
  view: ({ ref, title, hard, relations_removed, workspace }) => [
    line(
      good('✔ deleted'),
      ` ${shortId(ref)} ${title}${hard ? ` for good, with ${counted(relations_removed, 'relation')}` : ''}`,
      dim(`  workspace ${workspace}`),
    ),
  ],
});
