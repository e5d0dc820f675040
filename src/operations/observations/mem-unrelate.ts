import * as z from 'zod';
import { notFound } from '../../domain/error.ts';
import { deleteRelation } from '../../store/observations/relation.ts';
import { relationId } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { dim, good, line } from '../view.ts';

export const memUnrelate = defineOperation({
  name: 'mem_unrelate',
  family: 'observations',
  title: 'Remove a relation',
  summary: 'Remove a relation for good, by its id.',
  access: 'write',
  destructive: true,
  positional: ['relation_id'],
  input: z.strictObject({ relation_id: relationId() }),
  output: z.object({
    relation_id: z.int(),
    from_id: z.int(),
    to_id: z.int(),
    type: z.string(),
    workspace: z.string(),
  }),
  async run(tx, { relation_id }) {
    const removed = await deleteRelation(tx, relation_id);
    if (!removed)
      throw notFound.no_record(
        `mem_unrelate: Expected the id of a relation, found ${relation_id}, which does not exist. mem_get_observation shows the ids of relations.`,
      );
    return {
      relation_id,
      from_id: removed.fromId,
      to_id: removed.toId,
      type: removed.type,
    };
  },
  view: ({ relation_id, from_id, to_id, type, workspace }) => [
    line(
      good('✔ removed'),
      ` relation ${relation_id}: #${from_id} ${type} #${to_id}`,
      dim(`  workspace ${workspace}`),
    ),
  ],
});
