import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { type Edge, REFERENCES, type Reference } from '../../domain/edge.ts';
import type { Link } from '../../domain/walk.ts';
import { notRetracted } from '../record.ts';
import { insertRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { type Recorded, recorded, writersOf } from '../writer.ts';

/** A decision that another one links, and by what link. */
export type Linked = Pick<Edge, 'fromId' | 'relationship'> &
  Pick<Decision, 'id' | 'rootId' | 'version' | 'topic'> & { isActive: 0 | 1 };

/** Whether a link says what a decision depends on. */
const IS_GROUND: Record<Reference, boolean> = { builds_on: true, debates: false, synthesizes: true };
export const GROUNDS = REFERENCES.filter((kind) => IS_GROUND[kind]);
/** {@link GROUNDS}, for statements. */
export const OF_GROUND = sql.join(GROUNDS.map((each) => sql.lit(each)));

/** Writes edges; one that exists already stays as it is. */
export async function insertEdges(tx: Tx, edges: Edge[]): Promise<void> {
  const behind = sql`on conflict (from_id, to_id, relationship) do nothing`;
  await insertRows(tx, 'decisionEdges', edges, behind);
}

/** The links of these decisions, in the order in which they were saved. */
export async function linkedFrom(tx: Tx, ids: string[]): Promise<Linked[]> {
  if (ids.length === 0) return [];
  return query<Linked>(tx)`
    select e.from_id, e.relationship, other.id, other.root_id, other.version, other.topic, other.is_active
    from (${tx.lists.texts(ids)}) as wanted join decision_edges as e on e.from_id = wanted.id
    join decisions as other on other.id = e.to_id
    order by other.seq`;
}

/**
 * The edges that start at any of these decisions, without those of undone versions: oldest first, then in the order in which
 * the targets were saved.
 */
export const edgesFrom = (tx: Tx, ids: string[]) => edgesAt(tx, 'from_id', 'to_id', ids);

/**
 * The edges that end at any of these decisions, without those of undone versions: oldest first, then in the order in which the
 * sources were saved.
 */
export const edgesTo = (tx: Tx, ids: string[]) => edgesAt(tx, 'to_id', 'from_id', ids);

/** The first versions of the chains that any version of this chain links, or that link it. */
export async function chainsLinked(tx: Tx, rootId: string): Promise<string[]> {
  const linked = (own: string, other: string) => sql`select other.root_id from decisions as own
    join decision_edges as e on ${sql.ref(`e.${own}`)} = own.id
    join decisions as other on other.id = ${sql.ref(`e.${other}`)}
    where own.root_id = ${rootId} and e.relationship <> 'supersedes'`;
  const rows = await query<Pick<Decision, 'rootId'>>(
    tx,
  )`${linked('from_id', 'to_id')} union ${linked('to_id', 'from_id')}`;
  return rows.map((row) => row.rootId);
}

/** The active decisions that build on a decision or synthesize it, in the order in which they were saved. */
export async function dependentsOf(tx: Tx, id: string): Promise<Pick<Decision, 'id' | 'topic' | 'text'>[]> {
  return query<Pick<Decision, 'id' | 'topic' | 'text'>>(tx)`
    select distinct other.id, other.topic, other.text, other.seq from decision_edges as e
    join decisions as other on other.id = e.from_id
    where e.to_id = ${id} and e.relationship in (${OF_GROUND}) and other.is_active = 1
    order by other.seq`;
}

/** The notes next to a decision: its writer and program (V-1), and what others say about it (T-15). */
export interface Aside extends Pick<Writer, 'author' | 'client'>, Recorded {
  /** Pieces of evidence of all its versions. */
  evidence: number;
  /** The active decisions that debate it, in the order in which they were saved. */
  debatedBy: Pick<Decision, 'id' | 'topic'>[];
}

/** The notes next to each of these decisions, with one statement. */
export async function asidesOf(tx: Tx, ids: string[]): Promise<(id: string) => Aside> {
  if (ids.length === 0) return () => ({ evidence: 0, debatedBy: [], author: '', client: '' });
  const wanted = sql`(${tx.lists.texts(ids)}) as wanted`;
  const rows = await query<
    { about: string; id: string | null; topic: string | null } & Omit<Aside, 'debatedBy'>
  >(tx)`
    select own.id as about, null as id, null as topic, 0 as seq, w.author, w.client, coalesce(counted.evidence, 0) as evidence,
      ${recorded(sql`coalesce(decided.seq, own.seq)`, sql`coalesce(decided.created_at, own.created_at)`)} as recorded
    from ${wanted} join decisions as own on own.id = wanted.id
    left join decisions as decided on decided.id = own.tidies ${writersOf('own')}
    left join (select d.root_id, count(*) as evidence from decisions as d join evidence as e on e.decision_ref = d.id
      where d.root_id in (select own.root_id from ${wanted} join decisions as own on own.id = wanted.id)
        and ${notRetracted('e.seq')} group by d.root_id) as counted on counted.root_id = own.root_id
    union all
    select e.to_id, other.id, other.topic, other.seq, '', '', 0, null
    from ${wanted} join decision_edges as e on e.to_id = wanted.id join decisions as other on other.id = e.from_id
    where e.relationship = 'debates' and other.is_active = 1
    order by 4`;
  const byDecision = Map.groupBy(rows, ({ about }) => about);
  return (about) => {
    const [first, ...debaters] = byDecision.get(about) ?? [];
    const debatedBy = debaters.flatMap(({ id, topic }) => (id === null ? [] : [{ id, topic }]));
    const { evidence = 0, author = '', client = '', recorded = null } = first ?? {};
    return { evidence, author, client, recorded, debatedBy };
  };
}

/** Every edge that starts or ends at one of these decisions: one level of a walk. */
export async function edgeLinks(tx: Tx, ids: string[]): Promise<Link<string>[]> {
  const wanted = tx.lists.texts(ids);
  const { rows } = await sql<Link<string>>`
    select e.relationship as id, e.created_at as "order", wanted.id as at, e.to_id as other, 0 as incoming
      from (${wanted}) as wanted join decision_edges as e on e.from_id = wanted.id
    union all
    select e.relationship, e.created_at, wanted.id, e.from_id, 1
      from (${wanted}) as wanted join decision_edges as e on e.to_id = wanted.id
  `.execute(tx.db.withoutPlugins());
  return rows;
}

type End = 'from_id' | 'to_id';

async function edgesAt(tx: Tx, end: End, otherEnd: End, ids: string[]): Promise<Edge[]> {
  if (ids.length === 0) return [];
  return query<Edge>(tx)`
    select e.* from (${tx.lists.texts(ids)}) as wanted
    join decision_edges as e on ${sql.ref(`e.${end}`)} = wanted.id
    join decisions as other on other.id = ${sql.ref(`e.${otherEnd}`)}
    where e.relationship = 'supersedes' or not exists (select 1 from decisions as d
      where d.id = e.from_id and not ${notRetracted('d.seq')})
    order by e.created_at, other.seq, e.relationship, wanted.id`;
}
