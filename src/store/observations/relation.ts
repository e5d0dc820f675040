import { type Selectable, sql } from 'kysely';
import type { ObservationBrief } from '../../domain/observation.ts';
import type { Relation } from '../../domain/relation.ts';
import { type Link, nest, walk } from '../../domain/walk.ts';
import { recordChange } from '../record.ts';
import { findRow, requireRow } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';
import { briefsOf } from './observation.ts';

/** A relation of one observation and the observation at its other end. */
export interface RelationOf {
  relation: Relation;
  observation: ObservationBrief;
}

export type Direction = 'outgoing' | 'incoming';

/** Writes a relation. @returns undefined when the same relation exists already (R-10) */
export async function insertRelation(
  tx: Tx,
  relation: Omit<Relation, 'id' | 'createdAt'>,
): Promise<Relation | undefined> {
  const { fromId, toId, type, note } = relation;
  const [row] = await query<Selectable<Schema['relations']>>(tx)`
    insert into relations (from_id, to_id, type, note, created_at, writer)
    values (${fromId}, ${toId}, ${type}, ${note}, ${tx.now}, ${(await writerRow(tx)).id})
    on conflict (from_id, to_id, type) do nothing returning *`;
  if (row) await recordRelation(tx, 'related', row);
  return row;
}

export function findRelation(
  tx: Tx,
  fromId: number,
  toId: number,
  type: string,
): Promise<Relation | undefined> {
  return findRow(tx, 'relations', { fromId, toId, type });
}

/** Removes a relation for good (R-4). @returns the removed relation; undefined when there was none */
export async function deleteRelation(tx: Tx, id: number): Promise<Relation | undefined> {
  const [row] = await query<Selectable<Schema['relations']>>(
    tx,
  )`delete from relations where id = ${id} returning *`;
  if (row) await recordRelation(tx, 'unrelated', row);
  return row;
}

/** A removed relation is logged with who made it and when, for views of the past; of the note only that there was one. */
async function recordRelation(
  tx: Tx,
  kind: 'related' | 'unrelated',
  { id, fromId, toId, type, note, createdAt, writer, uid }: Selectable<Schema['relations']>,
) {
  const from = await requireRow(tx, 'observations', { id: fromId });
  const values = { relation: id, from: fromId, to: toId, type };
  const gone = {
    ...values,
    createdAt,
    writer,
    ...(note !== null && { notes: 1 }),
    ...(uid !== null && { uid }),
  };
  await recordChange(tx, kind, from.seq, kind === 'related' ? { after: values } : { before: gone });
}

/**
 * The newest relations of one observation in one direction (R-6, R-14).
 * @param before when given, only those made before this one, by id (W-6)
 */
export async function relationsOf(
  tx: Tx,
  observationId: number,
  direction: Direction,
  limit: number,
  before?: number,
): Promise<RelationOf[]> {
  const [own, other] = direction === 'outgoing' ? ['r.from_id', 'r.to_id'] : ['r.to_id', 'r.from_id'];
  const rows = await query<
    Relation & { observationId: number; title: string; observationType: string; deletedAt: number | null }
  >(tx)`
    select r.*, o.id as observation_id, o.title, o.type as observation_type, o.deleted_at
    from relations as r join observations as o on o.id = ${sql.ref(other)}
    where ${sql.ref(own)} = ${observationId} and ${before === undefined ? sql`1 = 1` : sql`r.id < ${before}`}
    order by r.id desc limit ${limit}`;
  return rows.map(({ observationId: id, title, observationType, deletedAt, ...relation }) => ({
    relation,
    observation: { id, title, type: observationType, deleted: deletedAt !== null },
  }));
}

/** How many relations start and end at each of these observations; relations to deleted ones count, too (R-11). */
export async function countRelations(tx: Tx, ids: number[]): Promise<Map<number, Record<Direction, number>>> {
  const counts = new Map(ids.map((id) => [id, { outgoing: 0, incoming: 0 }]));
  if (ids.length === 0) return counts;
  const wanted = tx.lists.numbers(ids);
  const rows = await query<{ id: number; direction: Direction; count: number }>(tx)`
    select relations.from_id as id, 'outgoing' as direction, count(*) as count
      from (${wanted}) as wanted join relations on relations.from_id = wanted.id group by relations.from_id
    union all
    select relations.to_id, 'incoming', count(*)
      from (${wanted}) as wanted join relations on relations.to_id = wanted.id group by relations.to_id`;
  for (const { id, direction, count } of rows) {
    const found = counts.get(id);
    if (found) found[direction] = count;
  }
  return counts;
}

/**
 * Every relation that starts or ends at one of these observations: one level of a walk, read from indexes alone. A
 * level may have a hundred thousand links, so the query runs without plugins: none of its columns needs another name.
 */
async function relationLinks(tx: Tx, ids: number[]): Promise<Link<number>[]> {
  const wanted = tx.lists.numbers(ids);
  const links = await sql<Link<number>>`
    select relations.id as id, wanted.id as at, relations.to_id as other, 0 as incoming
      from (${wanted}) as wanted join relations on relations.from_id = wanted.id
    union all
    select relations.id, wanted.id, relations.from_id, 1
      from (${wanted}) as wanted join relations on relations.to_id = wanted.id
  `.execute(tx.db.withoutPlugins());
  return links.rows;
}

/** The relations with these ids. */
export async function findRelations(tx: Tx, ids: number[]): Promise<Relation[]> {
  return query<Relation>(tx)`
    select relations.* from (${tx.lists.numbers(ids)}) as wanted join relations on relations.id = wanted.id`;
}

/**
 * The newest relations that have both ends among these observations, and how many there are. The plus keeps the planner
 * from probing every pair in the index: it looks up the relations that start here and filters them by their end.
 */
const relationsAmong = (tx: Tx, ids: number[], limit: number) =>
  query<Relation & { total: number }>(tx)`
    select *, count(*) over () as total from relations
    where from_id in (${tx.lists.numbers(ids)}) and +to_id in (${tx.lists.numbers(ids)})
    order by id desc limit ${limit}`;

/** One observation in a context, the relation that leads to it, and the observations behind it. */
export interface ContextNode {
  observation: ObservationBrief;
  depth: number;
  relation: { id: number; type: string; direction: 'outgoing' | 'incoming'; note: string | null } | undefined;
  children: ContextNode[];
}

/**
 * The observations around one that exists, as a tree (R-5).
 * @returns `otherRelations`: at most `limit` relations among the shown observations that the tree does not use, the newest
 *   first; `otherTotal`: all such; `total`: observations within the depth, the start included, shown or not
 */
export async function buildContext(tx: Tx, start: number, depth: number, limit: number) {
  const { steps, total } = await walk(start, depth, limit, (ids) => relationLinks(tx, ids));
  const ids = steps.map((step) => step.node);
  const briefs = await briefsOf(tx, ids);
  const used = new Set(steps.flatMap((step) => (step.by ? [step.by.link as number] : [])));
  const relations = new Map((await findRelations(tx, [...used])).map((each) => [each.id, each]));
  const among = await relationsAmong(tx, ids, limit + used.size);
  return {
    root: nest<number, ContextNode>(steps, ({ node, depth, by }) => ({
      observation: briefs.get(node) as ObservationBrief,
      depth,
      relation: by && toRelation(relations.get(by.link as number) as Relation, by.incoming),
      children: [],
    })),
    otherRelations: among.filter((relation) => !used.has(relation.id)).slice(0, limit),
    otherTotal: (among[0]?.total ?? 0) - used.size,
    total,
    shown: steps.length,
  };
}

function toRelation({ id, type, note }: Relation, incoming: boolean): ContextNode['relation'] {
  return { id, type, direction: incoming ? 'incoming' : 'outgoing', note };
}
