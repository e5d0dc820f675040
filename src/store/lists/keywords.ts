import { sql } from 'kysely';
import { type Link, walk } from '../../domain/walk.ts';
import { eachOf } from '../memos/each-of.ts';
import { notRetracted } from '../record.ts';
import type { Tx } from '../tx.ts';

/** A keyword as a picture shows it. */
export interface KeywordNode {
  seq: number;
  name: string;
  visits: number;
  /** Milliseconds UTC. */
  lastVisited: number;
  /** Memos that are about it, without those that were retracted or deleted. */
  memos: number;
}

/** How strongly two keywords are connected, in tenths: the sum of the weights of their relations. */
export interface Connection {
  one: number;
  other: number;
  strength: number;
}

/** Connections of one keyword that a walk looks at, the strongest first. */
const NEIGHBOURS = 50;

const NODE = sql`k.seq, k.name, k.visits, k.last_visited,
  (select count(*) from memo_links as l where l.keyword_seq = k.seq and l.depth = 0
    and ${notRetracted('l.memo_seq')}) as memos`;

/** The keywords that messages held most often. @returns at most `limit`, and how many there are */
export async function mostVisited(tx: Tx, limit: number): Promise<{ nodes: KeywordNode[]; total: number }> {
  const { rows } = await sql<KeywordNode>`
    select ${NODE} from (select * from keywords order by visits desc, seq limit ${limit}) as k
    order by k.visits desc, k.seq`.execute(tx.db);
  const counted = await sql<{ total: number }>`select count(*) as total from keywords`.execute(tx.db);
  return { nodes: rows, total: counted.rows[0]?.total ?? 0 };
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
  const { rows } = await sql<KeywordNode>`
    select ${NODE} from (${tx.lists.numbers(seqs)}) as wanted join keywords as k on k.seq = wanted.id`.execute(
    tx.db,
  );
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return { nodes: seqs.map((each) => bySeq.get(each) as KeywordNode), total };
}

/** The connections among these keywords, each once, the strongest first. */
export async function connectionsAmong(tx: Tx, seqs: number[], limit: number): Promise<Connection[]> {
  const wanted = tx.lists.numbers(seqs);
  const { rows } = await sql<Connection>`
    select c.keyword_seq as one, c.neighbour_seq as other, c.strength
    from (${wanted}) as wanted join keyword_connections as c on c.keyword_seq = wanted.id
    where c.keyword_seq < c.neighbour_seq and c.neighbour_seq in (${wanted})
    order by c.strength desc, c.keyword_seq, c.neighbour_seq limit ${limit}`.execute(tx.db);
  return rows;
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
