import * as z from 'zod';
import type { Place } from '../../domain/cursor.ts';
import { countRelations, type RelationOf, relationsOf } from '../../store/observations/relation.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { dim, good, type Span } from '../view.ts';
import { iso, resultDate } from './fields.ts';
import {
  briefSpans,
  earlierText,
  earlierTexts,
  observationBrief,
  observationRecord,
  requireObservation,
  toObservationRecord,
} from './observation.ts';

const relationEnd = z.object({
  id: z.int().describe('Id of the relation, for mem_unrelate'),
  type: z.string(),
  note: z.string().nullable(),
  created_at: resultDate(),
  observation: observationBrief,
});
type RelationEnd = z.infer<typeof relationEnd>;

/** The direct relations of an observation in each direction, newest first. */
export const relationLists = z.object({
  outgoing: z.array(relationEnd),
  incoming: z.array(relationEnd),
});
/** How many there are in each direction. */
export const relationTotals = z
  .object({ outgoing: z.int(), incoming: z.int() })
  .describe('All relations, shown or not; mem_relations lists them');

/**
 * The relations of an observation with their totals.
 * @param limit relations in each direction at most
 * @param from where a page begins, as `next` of the page before (W-6)
 * @returns `next`: where the next page begins, the last relation shown in each direction; undefined on the last page
 */
export async function relationsAround(tx: Tx, id: number, limit: number, from: Place = []) {
  const [beforeOutgoing, beforeIncoming] = from;
  const outgoing = await relationsOf(tx, id, 'outgoing', limit + 1, beforeOutgoing);
  const incoming = await relationsOf(tx, id, 'incoming', limit + 1, beforeIncoming);
  const hasMore = outgoing.length > limit || incoming.length > limit;
  const lists = { outgoing: outgoing.slice(0, limit), incoming: incoming.slice(0, limit) };
  const shown = { outgoing: lists.outgoing.length, incoming: lists.incoming.length };
  // Counting is needed only when a list was cut.
  const counted = hasMore || from.length > 0 ? (await countRelations(tx, [id])).get(id) : shown;
  const next: Place = [endOf(lists.outgoing, beforeOutgoing), endOf(lists.incoming, beforeIncoming)];
  return {
    relations: {
      outgoing: lists.outgoing.map(toRelationEnd),
      incoming: lists.incoming.map(toRelationEnd),
    },
    total: counted ?? shown,
    next: hasMore ? next : undefined,
  };
}

/** The last relation that was shown, by id; in a direction without any, one that comes before every other. */
const endOf = (list: RelationOf[], before = 0): number => list.at(-1)?.relation.id ?? before;

function toRelationEnd({ relation, observation }: RelationOf): RelationEnd {
  return {
    ...pick(relation, 'id', 'type', 'note'),
    created_at: iso(relation.createdAt),
    observation,
  };
}

/** An observation whole: with its relations and its earlier texts. */
export const wholeObservation = observationRecord.extend({
  relations: relationLists,
  relation_count: relationTotals,
  revisions: z.array(earlierText).optional().describe('The newest of its earlier texts, oldest first'),
});

/** @param most relations in each direction, and earlier texts; undefined for none of these */
export async function readObservation(
  tx: Tx,
  id: number,
  most: { relations: number; revisions: number | undefined },
): Promise<z.infer<typeof wholeObservation>> {
  const [observation, { relations, total }, revisions] = await together(
    requireObservation(tx, id),
    relationsAround(tx, id, most.relations),
    most.revisions === undefined ? undefined : earlierTexts(tx, id, { newest: most.revisions }),
  );
  return {
    ...toObservationRecord(observation),
    relations,
    relation_count: total,
    ...(revisions && { revisions }),
  };
}

/** A relation as a person reads it: how it leads where, and its id, by which it is removed. */
export const relationSpans = (
  direction: 'outgoing' | 'incoming',
  { id, type, note }: Pick<RelationEnd, 'id' | 'type' | 'note'>,
  observation: RelationEnd['observation'],
): Span[] => [
  good(`${direction === 'outgoing' ? '→' : '←'} ${type} `),
  ...briefSpans(observation),
  dim(`  relation ${id}${note ? ` · ${note}` : ''}`),
];
