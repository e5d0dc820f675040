import * as z from 'zod';
import { asOf, cursor } from '../fields/basic.ts';
import { observationId, relationLimit } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { observationBrief, requireObservation } from '../results/observation.ts';
import { askedPage, nextCursor } from '../results/page.ts';
import { relationLists, relationsAround, relationTotals } from '../results/relations.ts';

export const memRelations = defineOperation({
  name: 'mem_relations',
  family: 'observations',
  title: 'List the relations of an observation',
  summary: 'The direct relations of one observation with their ids, without going further.',
  access: 'read',
  tool: 'optIn',
  positional: ['observation_id'],
  input: z.strictObject({
    observation_id: observationId(),
    limit: relationLimit('Maximum relations in each direction, newest first').default(100),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: relationLists.extend({
    observation: observationBrief,
    total: relationTotals,
    next_cursor: nextCursor(),
  }),
  async run(tx, input) {
    const { observation_id, limit } = input;
    const { from, cursorTo } = askedPage(tx, 'mem_relations', input);
    const { id, title, type, deletedAt } = await requireObservation(tx, observation_id);
    const { relations, total, next } = await relationsAround(tx, id, limit, from);
    return {
      ...relations,
      observation: { id, title, type, deleted: deletedAt !== null },
      total,
      ...(next && { next_cursor: cursorTo(next) }),
    };
  },
  toModel: ({ next_cursor: _, ...rest }) => rest,
});
