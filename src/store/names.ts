import { type RawBuilder, sql } from 'kysely';
import { GLOBAL_SCOPE } from '../domain/decision.ts';
import { foldName } from '../domain/text/text.ts';
import { insertRows, updateRows } from './rows.ts';
import { query } from './statements.ts';
import type { Tx } from './tx.ts';

/**
 * The names of chains and of scopes: the column that says where one leads, to the first version of a chain or to the scope
 * as decisions carry it; and the words by which a change names them and their targets.
 */
export const NAMES = {
  topics: { one: 'topic', target: 'rootId', called: 'topic', said: 'chain' },
  scopes: { one: 'scope', target: 'scope', called: 'name', said: 'scope' },
} as const;
export type NameTable = keyof typeof NAMES;

/** The target of a topic or a scope: the exact spelling first, then any (D-19). Undefined where nothing was saved. */
export async function findName(tx: Tx, table: NameTable, name: string): Promise<Name | undefined> {
  const [found] = await query<Name>(tx)`${named(table, name)}`;
  return found;
}

/** {@link findName} as a subquery of one row. */
export function named(table: NameTable, name: string): RawBuilder<Name> {
  return sql`select name, ${sql.ref(NAMES[table].target)} as target, since from ${sql.table(table)}
    where name = ${name} or key = ${foldName(name)}
    order by case when name = ${name} then 0 else 1 end limit 1`;
}

/**
 * Points each name at the chain that has it now; and the topic at an active decision to which no name leads, as after one
 * side of a joined topic is active again.
 */
export async function presentNames(tx: Tx, names: string[]): Promise<void> {
  const rows = await query<{ name: string; rootId: string }>(tx)`
    select t.name, min(d.id) as root_id from decisions as d join topics as t on t.name = d.topic
    where d.version = 1 and not exists (select 1 from decisions as c where c.id = t.root_id and c.topic = t.name)
      and (t.name in (select id from (${tx.lists.texts(names)}) as wanted)
        or not exists (select 1 from topics as own where own.root_id = d.id)
          and exists (select 1 from decisions as active where active.root_id = d.id and active.is_active = 1))
    group by t.name`;
  for (const { name, rootId } of rows) await updateRows(tx, 'topics', { name }, { rootId });
}

/** A name is in use since the earliest date of what was saved under it (U-7): the past finds what is entered later by it. */
export async function usedSince(tx: Tx, table: NameTable, names: string[]): Promise<void> {
  if (tx.now === tx.entered) return;
  await query(tx)`update ${sql.table(table)} set since = ${tx.now}
    where name in (${sql.join(names)}) and since > ${tx.now}`;
}

/** {@link findName} for many topics at once. @returns the chain that each leads to, by the name as it was given */
export async function findTopics(tx: Tx, names: string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const keys = tx.lists.texts([...new Set(names.map(foldName))]);
  const rows = await query<{ name: string; key: string | null; rootId: string }>(tx)`
    select t.name, t.key, t.root_id from (${tx.lists.texts(names)}) as wanted join topics as t on t.name = wanted.id
    union all
    select t.name, t.key, t.root_id from (${keys}) as wanted join topics as t on t.key = wanted.id`;
  const byName = new Map(rows.map(({ name, rootId }) => [name, rootId]));
  const byKey = new Map(rows.map(({ key, rootId }) => [key, rootId]));
  const found = names.map((name) => [name, byName.get(name) ?? byKey.get(foldName(name))] as const);
  return new Map(found.filter((each): each is [string, string] => each[1] !== undefined));
}

/** Names looked at for one that was probably meant. */
const LOOKED_AT = 5_000;

/** Names in their order, those that come first where there are many. */
export async function namesOf(tx: Tx, table: NameTable): Promise<string[]> {
  const rows = await query<{ name: string }>(tx)`
    select name from ${sql.table(table)} order by name limit ${LOOKED_AT}`;
  return rows.map(({ name }) => name);
}

interface Name {
  /** As it was written first. */
  name: string;
  /** Its target: the first version of a chain, or the scope as decisions carry it. */
  target: string;
  since: number;
}

/**
 * Gives every topic and scope of the decisions that has no name yet one in `topics` and `scopes` (D-19), in whatever way
 * they came. Of several spellings of one name, the one saved first takes the folded key, and the others are found by their
 * exact spelling alone.
 * @returns how many names were added
 */
export async function nameEverything(tx: Tx): Promise<number> {
  const topics = await query<Name>(tx)`
    select d.topic as name, d.id as target, d.created_at as since from decisions as d
    where d.version = 1 and d.topic is not null
      and not exists (select 1 from topics as t where t.name = d.topic)
    order by d.seq`;
  const scopes = await query<Name>(tx)`
    select d.scope as name, d.scope as target, min(d.created_at) as since from decisions as d
    where not exists (select 1 from scopes as s where s.name = d.scope)
    group by d.scope order by min(d.seq)`;
  await insertNames(tx, 'topics', topics, new Set());
  // "Global" must not become the scope that binds everywhere.
  await insertNames(tx, 'scopes', scopes, new Set([GLOBAL_SCOPE]));
  return topics.length + scopes.length;
}

async function insertNames(tx: Tx, table: NameTable, names: Name[], reserved: Set<string>) {
  if (names.length === 0) return;
  const rows = await query<{ key: string | null }>(tx)`select key from ${sql.table(table)}`;
  const taken = new Set([...reserved, ...rows.map(({ key }) => key)]);
  const keyOf = (name: string) => {
    const key = foldName(name);
    if (taken.has(key) && !(reserved.has(key) && name === key)) return null;
    taken.add(key);
    return key;
  };
  const column = NAMES[table].target;
  const rowOf = ({ name, target, since }: Name) => ({ name, key: keyOf(name), [column]: target, since });
  await insertRows(tx, table, names.map(rowOf) as never);
}
