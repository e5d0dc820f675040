import * as z from 'zod';
import { observationId, relationLimit } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { briefSpans, observationBrief, requireObservation } from '../results/observation.ts';
import { relationBranches, relationLists, relationsAround, relationTotals } from '../results/relations.ts';
import { tree } from '../view.ts';

export const memRelations = defineOperation({
  name: 'mem_relations',
  family: 'observations',
  title: 'List the relations of an observation',
  summary: 'The direct relations of one observation with their ids, without going further.',
  access: 'read',
  idempotent: true,
  tool: 'asked',
  positional: ['observation_id'],
  input: z.strictObject({
    observation_id: observationId(),
    limit: relationLimit('Relations at most in each direction, newest first').default(100),
  }),
  output: relationLists.extend({
    observation: observationBrief,
    total: relationTotals,
  }),
  async run(tx, { observation_id, limit }) {
    const { id, title, type, deletedAt } = await requireObservation(tx, observation_id);
    const { relations, total } = await relationsAround(tx, id, limit);
    return {
      ...relations,
      observation: { id, title, type, deleted: deletedAt !== null },
      total,
    };
  },
  view: ({ observation, outgoing, incoming, total }) => [
    tree({ label: briefSpans(observation), children: relationBranches({ outgoing, incoming }, total) }),
  ],
});
