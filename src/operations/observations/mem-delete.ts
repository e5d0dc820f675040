import * as z from 'zod';
import { conflict } from '../../domain/error.ts';
import { hardDelete, softDelete } from '../../store/observations/observation.ts';
import { countRelations } from '../../store/observations/relation.ts';
import { observationId } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { requireObservation } from '../results/observation.ts';
import { dim, good, line } from '../view.ts';

export const memDelete = defineOperation({
  name: 'mem_delete',
  family: 'observations',
  title: 'Delete an observation',
  summary:
    'Take an observation out of search; it stays readable by id, and its relations stay. With hard_delete: true it is gone for good, with its relations and earlier texts.',
  access: 'write',
  destructive: true,
  tool: 'optIn',
  positional: ['id'],
  input: z.strictObject({
    id: observationId(),
    hard_delete: z.boolean().default(false).describe('For good, with its relations; cannot be undone'),
  }),
  output: z.object({
    id: z.int(),
    deleted: z.literal(true),
    hard: z.boolean(),
    relations_removed: z.int(),
    workspace: z.string(),
  }),
  async run(tx, { id, hard_delete: hard }) {
    const observation = await requireObservation(tx, id);
    if (!hard && observation.deletedAt !== null)
      throw conflict.already_so(
        `mem_delete: Expected an observation that was not deleted, found ${id}, which was deleted already. hard_delete: true removes it for good.`,
      );
    const count = hard ? (await countRelations(tx, [id])).get(id) : undefined;
    if (hard) await hardDelete(tx, observation);
    else await softDelete(tx, observation);
    return {
      id,
      deleted: true as const,
      hard,
      relations_removed: (count?.outgoing ?? 0) + (count?.incoming ?? 0),
    };
  },
  view: ({ id, hard, relations_removed, workspace }) => [
    line(
      good('✔ deleted'),
      ` #${id}${hard ? ` for good, with ${relations_removed} relations` : ''}`,
      dim(`  workspace ${workspace}`),
    ),
  ],
});
