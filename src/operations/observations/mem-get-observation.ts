import * as z from 'zod';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { observationId, relationLimit } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { readObservation, wholeObservation } from '../results/relations.ts';

export const memGetObservation = defineOperation({
  name: 'mem_get_observation',
  family: 'observations',
  title: 'Read one observation whole',
  summary:
    'Read one remembered observation whole, with its direct relations in both directions, even when it is deleted.',
  access: 'read',
  positional: ['id'],
  input: z.strictObject({
    id: observationId(),
    relation_limit: relationLimit('Relations at most in each direction, newest first')
      .default(50)
      .meta({ model: false }),
    revisions: z.boolean().default(false).meta({ description: 'Also the earlier texts', model: false }),
    revision_limit: wholeNumber(1, 1_000, 'Earlier texts at most, the newest ones')
      .default(50)
      .meta({ model: false }),
    as_of: asOf(),
  }),
  output: wholeObservation,
  run: (tx, { id, relation_limit, revisions, revision_limit }) =>
    readObservation(tx, id, {
      relations: relation_limit,
      revisions: revisions ? revision_limit : undefined,
    }),
});
