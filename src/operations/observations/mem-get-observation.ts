import * as z from 'zod';
import { revisionsOf } from '../../store/observations/revision.ts';
import { together } from '../../store/statements.ts';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { observationId, relationLimit } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { iso, resultDate } from '../results/fields.ts';
import {
  earlierText,
  observationRecord,
  requireObservation,
  toObservationRecord,
} from '../results/observation.ts';
import { relationLists, relationsAround, relationTotals } from '../results/relations.ts';
import { toBy } from '../results/writer.ts';

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
  output: observationRecord.extend({
    relations: relationLists,
    relation_count: relationTotals,
    revisions: z
      .array(
        earlierText.omit({ until: true }).extend({
          replaced_at: resultDate(),
          session_id: z.string(),
          client: z.string(),
        }),
      )
      .optional(),
  }),
  async run(tx, { id, relation_limit, revisions, revision_limit }) {
    const [observation, { relations, total }] = await together(
      requireObservation(tx, id),
      relationsAround(tx, id, relation_limit),
    );
    const record = { ...toObservationRecord(observation), relations, relation_count: total };
    if (!revisions) return record;
    const earlier = await revisionsOf(tx, id, { newest: revision_limit });
    return {
      ...record,
      revisions: earlier.map(({ replacedAt, author, host: _, session, client, ...text }) => ({
        ...text,
        replaced_at: iso(replacedAt),
        ...toBy({ author, client }),
        session_id: session,
        client,
      })),
    };
  },
});
