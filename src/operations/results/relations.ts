import * as z from 'zod';
import {
  countRelations,
  type Direction,
  type RelationOf,
  relationsOf,
} from '../../store/observations/relation.ts';
import type { Tx } from '../../store/tx.ts';
import { type Branch, dim, good } from '../view.ts';
import { iso, resultDate } from './fields.ts';
import { briefSpans, observationBrief } from './observation.ts';

const relationEnd = z.object({
  id: z.int().meta({ description: 'Id of the relation, for mem_unrelate' }),
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
  .meta({ description: 'All relations, shown or not' });

/** The relations of an observation with their totals. @param limit relations in each direction at most */
export async function relationsAround(tx: Tx, id: number, limit: number) {
  const ends = async (direction: Direction) =>
    (await relationsOf(tx, id, direction, limit)).map(toRelationEnd);
  const relations = { outgoing: await ends('outgoing'), incoming: await ends('incoming') };
  const shown = { outgoing: relations.outgoing.length, incoming: relations.incoming.length };
  // Counting is needed only when a list was cut.
  const isCut = shown.outgoing === limit || shown.incoming === limit;
  const counted = isCut ? (await countRelations(tx, [id])).get(id) : shown;
  return { relations, total: counted ?? shown };
}

/** Relations as branches of a tree: the outgoing ones, the incoming ones, and how many are not shown. */
export function relationBranches(
  lists: z.infer<typeof relationLists>,
  totals: z.infer<typeof relationTotals>,
): Branch[] {
  const left = totals.outgoing + totals.incoming - lists.outgoing.length - lists.incoming.length;
  return [
    ...lists.outgoing.map((end) => branch('→', end)),
    ...lists.incoming.map((end) => branch('←', end)),
    ...(left > 0 ? [{ label: [dim(`${left} more relations are not shown`)], children: [] }] : []),
  ];
}

function toRelationEnd({ relation, observation }: RelationOf): RelationEnd {
  return {
    id: relation.id,
    type: relation.type,
    note: relation.note,
    created_at: iso(relation.createdAt),
    observation,
  };
}

function branch(arrow: string, end: RelationEnd): Branch {
  return {
    label: [
      good(`${arrow} ${end.type} `),
      ...briefSpans(end.observation),
      dim(`  relation ${end.id}${end.note ? ` · ${end.note}` : ''}`),
    ],
    children: [],
  };
}
