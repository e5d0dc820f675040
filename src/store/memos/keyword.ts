import { type Selectable, sql } from 'kysely';
import {
  KEYWORD_RELATIONS,
  type Keyword,
  type KeywordLink,
  strengthAdded,
  TENTHS,
  weightOf,
} from '../../domain/keyword.ts';
import { insertRecords } from '../record.ts';
import { insertRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

export type StoredKeyword = Keyword & { seq: number };

/** A relation with the weight that it has after it was recorded. */
export type RecordedLink = KeywordLink<number> & { weight: number };

/**
 * The keywords with these names, in the order of the names; missing ones are made.
 * @param names distinct, as {@link keywordName} makes them
 * @param visited whether a message holds them, which counts as a visit (M-9)
 */
export async function ensureKeywords(
  tx: Tx,
  names: string[],
  { visited }: { visited: boolean },
): Promise<StoredKeyword[]> {
  if (names.length === 0) return [];
  const known = new Map((await findKeywords(tx, names)).map((keyword) => [keyword.name, keyword]));
  const missing = names.filter((name) => !known.has(name));
  if (visited && known.size > 0) {
    const seqs = [...known.values()].map((keyword) => keyword.seq);
    const rows = await query<StoredKeyword>(
      tx,
    )`update keywords set visits = visits + 1, last_visited = ${tx.now}
      where seq in (${sql.join(seqs)}) returning *`;
    for (const row of rows) known.set(row.name, row);
  }
  for (const made of await insertKeywords(tx, missing, visited ? 1 : 0)) known.set(made.name, made);
  return names.map((name) => known.get(name) as StoredKeyword);
}

export function findKeywords(tx: Tx, names: string[]): Promise<StoredKeyword[]> {
  return query<StoredKeyword>(tx)`select * from keywords where name in (${sql.join(names)})`;
}

/** These keywords, in their order, without those that are not there. */
export async function keywordsAt(tx: Tx, seqs: number[]): Promise<StoredKeyword[]> {
  if (seqs.length === 0) return [];
  const rows = await query<StoredKeyword>(tx)`
    select k.* from (${tx.lists.numbers(seqs)}) as wanted join keywords as k on k.seq = wanted.id`;
  const found = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => found.get(seq) ?? []);
}

/**
 * Records relations: each is made, or gains weight when it exists already (M-9), and the connection between its ends
 * grows by the same amount.
 */
export async function recordLinks(tx: Tx, links: KeywordLink<number>[]): Promise<RecordedLink[]> {
  if (links.length === 0) return [];
  // The date of the mention here: a memo may have an earlier date, and no relation was last recorded before it was made.
  const values = links.map(
    ({ from, to, type }) => sql`(${from}, ${to}, ${type}, 1, ${tx.entered}, ${tx.entered})`,
  );
  const rows = await query<KeywordLink<number> & { times: number }>(tx)`
    insert into keyword_relations (from_seq, to_seq, type, times, created_at, last_at) values ${sql.join(values)}
    on conflict (from_seq, to_seq, type) do update set times = keyword_relations.times + 1, last_at = excluded.last_at
    returning from_seq as "from", to_seq as "to", type, times`;
  await strengthen(tx, rows);
  return rows.map(({ times, ...link }) => ({ ...link, weight: weightOf(link.type, times) }));
}

/** Adds the gain of each relation to the connections of both its ends. */
async function strengthen(tx: Tx, rows: (KeywordLink<number> & { times: number })[]): Promise<void> {
  const connections = new Map<string, Selectable<Schema['keywordConnections']>>();
  const add = (keywordSeq: number, neighbourSeq: number, strength: number) => {
    const key = `${keywordSeq} ${neighbourSeq}`;
    const known = connections.get(key);
    if (known) known.strength += strength;
    else connections.set(key, { keywordSeq, neighbourSeq, strength, lastAt: tx.entered });
  };
  for (const { from, to, type, times } of rows) {
    add(from, to, strengthAdded(type, times));
    add(to, from, strengthAdded(type, times));
  }
  const behind = sql`on conflict (keyword_seq, neighbour_seq) do update set
    strength = keyword_connections.strength + excluded.strength, last_at = excluded.last_at`;
  await insertRows(tx, 'keywordConnections', [...connections.values()], behind);
}

async function insertKeywords(tx: Tx, names: string[], visits: number): Promise<StoredKeyword[]> {
  if (names.length === 0) return [];
  const seqs = await insertRecords(tx, 'keyword', names.length);
  const times = { visits, createdAt: tx.now, lastVisited: tx.now };
  const made = names.map((name, index) => ({ ...times, seq: seqs[index] as number, name }));
  await insertRows(tx, 'keywords', made);
  return made;
}

/** The strength that each relation adds to a connection, once from each end. */
function relationEnds() {
  const cases = KEYWORD_RELATIONS.map(
    (type) => sql`when ${type} then ${TENTHS[type].first} + (times - 1) * ${TENTHS[type].again}`,
  );
  const added = sql`case type ${sql.join(cases, sql` `)} end`;
  return sql`select from_seq as keyword_seq, to_seq as neighbour_seq, ${added} as strength, last_at from keyword_relations
    union all select to_seq, from_seq, ${added}, last_at from keyword_relations`;
}

/** Rebuilds the connections from the relations. */
export async function rebuildConnections(tx: Tx): Promise<void> {
  await query(tx)`delete from keyword_connections`;
  await query(tx)`insert into keyword_connections (keyword_seq, neighbour_seq, strength, last_at)
    select keyword_seq, neighbour_seq, sum(strength), max(last_at) from (${relationEnds()}) as ends
    group by keyword_seq, neighbour_seq`;
}

/** Connections that are not the sum of their relations: too strong or too weak by so many tenths. */
export const WRONG_CONNECTIONS = sql`
  select keyword_seq, neighbour_seq, -sum(strength) as difference from (
    select keyword_seq, neighbour_seq, strength from (${relationEnds()}) as ends
    union all select keyword_seq, neighbour_seq, -strength from keyword_connections
  ) as both_sides group by keyword_seq, neighbour_seq having sum(strength) <> 0
  order by keyword_seq, neighbour_seq`;
