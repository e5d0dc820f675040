import { type RawBuilder, sql } from 'kysely';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writersOf } from '../writer.ts';

/** Meta entries of axes and locks that an import brought (Z-14), by id: whether they wait, or a person kept them. */
const KEYS = 'imported:';
const WAITS = 'waits';
const KEPT = 'kept';

/** The note for an agent on a decision that waits. */
export const NOT_REVIEWED = 'imported, not reviewed';

/** How many axes and locks an import brought that are active now. */
export interface Brought {
  axes: number;
  locks: number;
}

/** An import that came by sync has no entry here: its writer says that it was imported. */
export const isWaiting = sql<0 | 1>`d.strength <> 'normal'
  and coalesce(m.value, case when substr(w.client, 1, 7) = 'import:' then ${WAITS} else ${KEPT} end) = ${WAITS}`;
/** Decisions `d` with what {@link isWaiting} asks for, and their writers `w`. */
export const withMarks = (decisions: RawBuilder<unknown>) =>
  sql`${decisions} ${writersOf('d')} left join meta as m on m.key = ${KEYS} || d.id`;

/** Those of these decisions that an import brought, that bind, and that no person has reviewed. */
export async function importedAmong(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const wanted = sql`(${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id`;
  const rows = await query<{ id: string }>(tx)`select d.id from ${withMarks(wanted)} where ${isWaiting}`;
  return new Set(rows.map(({ id }) => id));
}

/** The active ones of all decisions, the newest first. */
export async function importedWaiting(tx: Tx): Promise<string[]> {
  const rows = await query<{ id: string }>(tx)`select d.id from ${withMarks(sql`decisions as d`)}
    where d.is_active = 1 and ${isWaiting} order by d.seq desc`;
  return rows.map(({ id }) => id);
}

/**
 * Counts the axes and locks that an import brought.
 * @param before those that were active, as `bindingIds` gave them
 * @param isMarked whether they wait for review: false for a copy of a memory of one's own
 */
export async function countBrought(tx: Tx, before: string[], isMarked: boolean): Promise<Brought> {
  const known = new Set(before);
  const rows = await query<{ id: string; strength: string }>(tx)`
    select id, strength from decisions where is_active = 1 and strength <> 'normal'`;
  const brought = rows.filter(({ id }) => !known.has(id));
  if (isMarked && brought.length > 0)
    await query(tx)`insert into meta (key, value) select ${KEYS} || d.id, ${WAITS} from decisions as d
      where d.id in (${tx.lists.texts(brought.map(({ id }) => id))}) on conflict (key) do nothing`;
  const axes = brought.filter(({ strength }) => strength === 'axis').length;
  return { axes, locks: brought.length - axes };
}

/** Remembers that a person kept what an import brought, or that it was not so. Other decisions are left as they are. */
export async function keepImported(tx: Tx, ids: string[], isBack: boolean): Promise<void> {
  if (ids.length === 0) return;
  const keys = ids.map((id) => `${KEYS}${id}`);
  if (isBack) {
    await query(
      tx,
    )`update meta set value = ${WAITS} where key in (${tx.lists.texts(keys)}) and value = ${KEPT}`;
    return;
  }
  const waiting = [...(await importedAmong(tx, ids))];
  if (waiting.length > 0)
    await query(tx)`insert into meta (key, value) select ${KEYS} || d.id, ${KEPT} from decisions as d
      where d.id in (${tx.lists.texts(waiting)}) on conflict (key) do update set value = excluded.value`;
}

/**
 * The marks of this memory, for a copy of it.
 * @param add those of the memory that is copied
 */
export async function importMarks(
  tx: Tx,
  add: [id: string, mark: string][] = [],
): Promise<[string, string][]> {
  for (const [id, mark] of add)
    await query(
      tx,
    )`insert into meta (key, value) values (${KEYS + id}, ${mark}) on conflict (key) do nothing`;
  const rows = await query<{ key: string; value: string }>(tx)`
    select key, value from meta where key >= ${KEYS} and key < ${`${KEYS}~`}`;
  return rows.map(({ key, value }) => [key.slice(KEYS.length), value]);
}
