import { sql } from 'kysely';
import type { Edge } from '../domain/edge.ts';
import type { Link } from './graph.ts';
import type { Unit } from './unit.ts';

/** Writes edges; one that is there already stays as it is. @returns the edges that were new */
export async function insertEdges(unit: Unit, edges: Edge[]): Promise<Edge[]> {
  if (edges.length === 0) return [];
  return unit.db
    .insertInto('decisionEdges')
    .values(edges)
    .onConflict((conflict) => conflict.columns(['fromId', 'toId', 'relationship']).doNothing())
    .returningAll()
    .execute();
}

/** The edges that start at any of these decisions: oldest first, then as the decisions they speak of were saved. */
export function edgesFrom(unit: Unit, ids: string[]): Promise<Edge[]> {
  return edgesAt(unit, 'fromId', 'toId', ids);
}

/** The edges that end at any of these decisions: oldest first, then as the decisions they come from were saved. */
export function edgesTo(unit: Unit, ids: string[]): Promise<Edge[]> {
  return edgesAt(unit, 'toId', 'fromId', ids);
}

/** Every edge that starts or ends at one of these decisions: one level of a walk. */
export async function edgeLinks(unit: Unit, ids: string[]): Promise<Link<string>[]> {
  const wanted = unit.listOfTexts(ids);
  const { rows } = await sql<Link<string>>`
    select e.relationship as id, e.created_at as "order", wanted.id as at, e.to_id as other, 0 as incoming
      from (${wanted}) as wanted join decision_edges as e on e.from_id = wanted.id
    union all
    select e.relationship, e.created_at, wanted.id, e.from_id, 1
      from (${wanted}) as wanted join decision_edges as e on e.to_id = wanted.id
  `.execute(unit.db.withoutPlugins());
  return rows;
}

type End = 'fromId' | 'toId';

async function edgesAt(unit: Unit, end: End, otherEnd: End, ids: string[]): Promise<Edge[]> {
  if (ids.length === 0) return [];
  return unit.db
    .selectFrom('decisionEdges')
    .innerJoin('decisions as other', 'other.id', `decisionEdges.${otherEnd}`)
    .selectAll('decisionEdges')
    .where(`decisionEdges.${end}`, 'in', sql<string>`(${unit.listOfTexts(ids)})`)
    .orderBy('decisionEdges.createdAt')
    .orderBy('other.seq')
    .orderBy('decisionEdges.relationship')
    .execute();
}
