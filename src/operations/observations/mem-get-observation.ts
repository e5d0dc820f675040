import * as z from 'zod';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { observationId, relationLimit } from '../fields/observation.ts';
import { budgetGiven, fitted, itemsOf, tokenBudget } from '../fitted.ts';
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
    relation_limit: relationLimit('Maximum relations in each direction, newest first')
      .default(50)
      .meta({ model: false }),
    revisions: z.boolean().default(false).meta({ description: 'Also the earlier texts', model: false }),
    revision_limit: wholeNumber(1, 1_000, 'Maximum earlier texts, the newest ones')
      .default(50)
      .meta({ model: false }),
    token_budget: tokenBudget(),
    as_of: asOf(),
  }),
  output: wholeObservation.extend({ token_budget: budgetGiven() }),
  run: async (tx, { id, relation_limit, revisions, revision_limit, token_budget }) => ({
    ...(await readObservation(tx, id, {
      relations: relation_limit,
      revisions: revisions ? revision_limit : undefined,
    })),
    ...(token_budget !== undefined && { token_budget }),
  }),
  toModel({ token_budget: budget, ...whole }) {
    const { outgoing, incoming } = whole.relations;
    const parts = Object.entries({ outgoing, incoming }).map(([name, list]) => ({
      name: `${name} relations`,
      items: itemsOf(list),
    }));
    const frame = ([outgoing = [], incoming = []]: unknown[][]) => ({
      ...whole,
      relations: { outgoing, incoming },
    });
    return fitted(whole, parts, frame, { budget, field: 'token_budget' });
  },
});
