import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Relationship } from '../../domain/edge.ts';
import { type Link, walk } from '../../domain/walk.ts';
import { newestVersion } from '../decisions/decision.ts';
import { allOf } from '../kinds/condition.ts';
import type { StoredKeyword } from '../memos/keyword.ts';
import { eachOf } from '../memos/memo.ts';
import { notRetracted } from '../record.ts';
import { countOf } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** A chain of decisions as a picture shows it: its newest version. */
export interface ChainNode
  extends Pick<Decision, 'rootId' | 'id' | 'topic' | 'text' | 'scope' | 'strength' | 'version' | 'outcome'> {
  isActive: 0 | 1;
  withdrawn: 0 | 1;
  /** Milliseconds UTC: of the first version, and of this one. */
  since: number;
  createdAt: number;
}

/** A link between two chains, whichever of their versions it starts and ends at. */
export interface ChainLink {
  from: string;
  to: string;
  relationship: Exclude<Relationship, 'supersedes'>;
  /** The newest version of `from` that has it. */
  version: number;
}

/** Characters of a text in a picture. */
export const SHOWN = 120;

/**
 * The chains of one scope or of all, those that changed last first.
 * @returns at most `limit`, and how many there are
 */
export async function chainsOfScope(
  tx: Tx,
  scope: string | undefined,
  limit: number,
): Promise<{ nodes: ChainNode[]; total: number }> {
  const passing = allOf([
    sql`d.version = ${newestVersion(sql`d.root_id`)}`,
    notRetracted('d.seq'),
    scope === undefined ? undefined : sql`d.scope = ${scope}`,
  ]);
  const rows = await query<ChainNode>(tx)`
    select ${NODE} from decisions as d join decisions as first on first.id = d.root_id
    where ${passing} order by d.created_at desc, d.seq desc limit ${limit}`;
  const total = await countOf(tx, sql`decisions as d where ${passing}`);
  return { nodes: rows, total };
}

/** The chains around one, nearest first. @returns at most `limit`, and how many there are within the depth */
export async function chainsAround(
  tx: Tx,
  rootId: string,
  depth: number,
  limit: number,
): Promise<{ nodes: ChainNode[]; total: number }> {
  const { steps, total } = await walk(rootId, depth, limit, (roots) => chainLinks(tx, roots));
  const roots = steps.map(({ node }) => node);
  const rows = await query<ChainNode>(tx)`
    select ${NODE} from (${tx.lists.texts(roots)}) as wanted join decisions as first on first.id = wanted.id
    join decisions as d on d.root_id = wanted.id
      and d.version = ${newestVersion(sql`wanted.id`)}`;
  const byRoot = new Map(rows.map((row) => [row.rootId, row]));
  return { nodes: roots.map((root) => byRoot.get(root) as ChainNode), total };
}

/** The links among these chains, each once, in the order in which they were made. */
export async function linksAmong(tx: Tx, rootIds: string[]): Promise<ChainLink[]> {
  const wanted = tx.lists.texts(rootIds);
  return query<ChainLink>(tx)`
    select one.root_id as "from", other.root_id as "to", e.relationship, max(one.version) as version
    from (${wanted}) as wanted join decisions as one on one.root_id = wanted.id
    join decision_edges as e on e.from_id = one.id join decisions as other on other.id = e.to_id
    where ${notRetracted('one.seq')} and other.root_id <> one.root_id and other.root_id in (${wanted})
    group by one.root_id, other.root_id, e.relationship
    order by min(e.created_at), min(one.seq), min(other.seq), e.relationship`;
}

const NODE = sql`d.root_id, d.id, d.topic, substr(d.text, 1, ${sql.lit(SHOWN + 1)}) as text, d.scope, d.strength, d.version, d.is_active,
  d.withdrawn, d.outcome, first.created_at as since, d.created_at`;

/** Every link that starts or ends at one of these chains: one level of a walk over chains. */
async function chainLinks(tx: Tx, roots: string[]) {
  const wanted = tx.lists.texts(roots);
  const level = (own: string, other: string, from: string, incoming: 0 | 1) => sql`
    select e.relationship as id, e.created_at as "order", wanted.id as at, b.root_id as other, ${sql.lit(incoming)} as incoming
    from (${wanted}) as wanted join decisions as a on a.root_id = wanted.id
    join decision_edges as e on ${sql.ref(own)} = a.id join decisions as b on b.id = ${sql.ref(other)}
    where b.root_id <> a.root_id and ${notRetracted(from)}`;
  const { rows } = await sql<{ id: string; order: number; at: string; other: string; incoming: 0 | 1 }>`
    ${level('e.from_id', 'e.to_id', 'a.seq', 0)} union all ${level('e.to_id', 'e.from_id', 'b.seq', 1)}`.execute(
    tx.db.withoutPlugins(),
  );
  return rows;
}

/** A keyword as a picture shows it. */
interface KeywordNode extends Pick<StoredKeyword, 'seq' | 'name' | 'visits' | 'lastVisited'> {
  /** Memos that are about it, without those that were retracted or deleted. */
  memos: number;
}

/** How strongly two keywords are connected, in tenths: the sum of the weights of their relations. */
interface Connection {
  one: number;
  other: number;
  strength: number;
}

/** Connections of one keyword that a walk looks at, the strongest first. */
const NEIGHBOURS = 50;

const KEYWORD = sql`k.seq, k.name, k.visits, k.last_visited,
  (select count(*) from memo_links as l where l.keyword_seq = k.seq and l.depth = 0
    and ${notRetracted('l.memo_seq')}) as memos`;

/** The keywords that messages held most often. @returns at most `limit`, and how many there are */
export async function mostVisited(tx: Tx, limit: number): Promise<{ nodes: KeywordNode[]; total: number }> {
  const rows = await query<KeywordNode>(tx)`
    select ${KEYWORD} from (select * from keywords order by visits desc, seq limit ${limit}) as k
    order by k.visits desc, k.seq`;
  const total = await countOf(tx, sql`keywords`);
  return { nodes: rows, total };
}

/** The keywords around one, nearest first, along the strongest connections. */
export async function keywordsAround(
  tx: Tx,
  seq: number,
  depth: number,
  limit: number,
): Promise<{ nodes: KeywordNode[]; total: number }> {
  const { steps, total } = await walk(seq, depth, limit, (seqs) => strongest(tx, seqs));
  const seqs = steps.map(({ node }) => node);
  const rows = await query<KeywordNode>(tx)`
    select ${KEYWORD} from (${tx.lists.numbers(seqs)}) as wanted join keywords as k on k.seq = wanted.id`;
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return { nodes: seqs.map((each) => bySeq.get(each) as KeywordNode), total };
}

/** The connections among these keywords, each once, the strongest first. */
export async function connectionsAmong(tx: Tx, seqs: number[], limit: number): Promise<Connection[]> {
  const wanted = tx.lists.numbers(seqs);
  return query<Connection>(tx)`
    select c.keyword_seq as one, c.neighbour_seq as other, c.strength
    from (${wanted}) as wanted join keyword_connections as c on c.keyword_seq = wanted.id
    where c.keyword_seq < c.neighbour_seq and c.neighbour_seq in (${wanted})
    order by c.strength desc, c.keyword_seq, c.neighbour_seq limit ${limit}`;
}

/** The strongest connections at each of these keywords: one level of a walk. */
function strongest(tx: Tx, seqs: number[]): Promise<Link<number>[]> {
  return eachOf(
    tx,
    seqs,
    (
      seq,
    ) => sql`select c.neighbour_seq as id, c.strength as "order", c.keyword_seq as at, c.neighbour_seq as other,
      0 as incoming from keyword_connections as c where c.keyword_seq = ${seq}
      order by c.strength desc, c.last_at desc, c.neighbour_seq limit ${NEIGHBOURS}`,
  );
}
