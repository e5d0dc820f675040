import * as z from 'zod';
import { conflict, invalid } from '../../domain/error.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { findRelation, insertRelation } from '../../store/observations/relation.ts';
import type { Tx } from '../../store/tx.ts';
import { name, savedDate, text } from '../fields/basic.ts';
import { observationId } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { warnedCopies } from '../results/copies.ts';
import { written } from '../results/fields.ts';
import { requireLiveObservation } from '../results/observation.ts';
import { dim, good, line } from '../view.ts';

export const memRelate = defineOperation({
  name: 'mem_relate',
  family: 'observations',
  title: 'Relate two observations',
  summary:
    'Link one observation to another with any type (relates_to, implements, depends_on, caused_by, supersedes, part_of, …). Read it as a sentence: from_id depends_on to_id.',
  access: 'write',
  positional: ['from_id', 'relation_type', 'to_id'],
  input: z.strictObject({
    from_id: observationId('The observation it starts from'),
    to_id: observationId('The observation it leads to'),
    relation_type: name(LIMITS.kind, 'Any word or phrase'),
    note: text(LIMITS.note, 'Why they are related').optional(),
    bidirectional: z
      .boolean()
      .default(false)
      .meta({ description: 'Also from to_id to from_id', cli: 'Also from the second to the first' }),
    date: savedDate(),
  }),
  output: written({
    relation_id: z.int(),
    relation_ids: z.array(z.int()),
  }),
  async run(tx, { from_id: from, to_id: to, relation_type: type, note = null, bidirectional }) {
    if (from === to)
      throw invalid.same_twice(`mem_relate: Expected two different observations, found ${from} for both.`);
    const [newer, older] = [await requireLiveObservation(tx, from), await requireLiveObservation(tx, to)];
    const first = await relate(tx, from, to, type, note);
    const ids = bidirectional ? [first, await relate(tx, to, from, type, note)] : [first];
    const isCorrection = type === 'supersedes' && newer.content !== older.content;
    const corrected = { observation: to, old: older.content, next: newer.content };
    return {
      ...{ relation_id: first, relation_ids: ids },
      ...(isCorrection && (await warnedCopies(tx, corrected))),
    };
  },
  view: ({ relation_ids, workspace }) => [
    line(good('✔ related'), ` relation ${relation_ids.join(', ')}`, dim(`  workspace ${workspace}`)),
  ],
});

/** Makes one relation. When it exists already, the error undoes the whole operation. */
async function relate(tx: Tx, fromId: number, toId: number, type: string, note: string | null) {
  const made = await insertRelation(tx, { fromId, toId, type, note });
  if (made) return made.id;
  const known = await findRelation(tx, fromId, toId, type);
  throw conflict.already_so(
    `mem_relate: Expected a new relation, found that ${fromId} "${type}" ${toId} exists already, as relation ${known?.id}. Nothing was changed.`,
  );
}
