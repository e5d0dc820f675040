import type { Insertable, Selectable } from 'kysely';
import { deleteRelation } from '../store/observations/relation.ts';
import { insertRows } from '../store/rows.ts';
import type { Schema } from '../store/schema.ts';
import { query } from '../store/statements.ts';
import type { Tx, WriterRow } from '../store/tx.ts';
import type { By, Fact } from './facts.ts';

/**
 * Relates observations as other machines did. Of two relations of one type between the same two, the later holds on every
 * machine, or the one with the larger id; the machine that had the other one deletes it.
 * @param facts of relations that are not here, by date
 */
export async function hearRelations(
  tx: Tx,
  facts: Fact<'relation'>[],
  writer: (by: By) => Promise<WriterRow>,
): Promise<void> {
  const ends = tx.lists.texts(facts.flatMap(({ from, to }) => [from, to]));
  const rows = await query<{ uid: string; id: number }>(tx)`
    select r.uid, o.id from (${ends}) as wanted
    join records as r on r.uid = wanted.id join observations as o on o.seq = r.seq`;
  const numbers = new Map(rows.map(({ uid, id }) => [uid, id]));
  const nameOf = (row: Pick<Schema['relations'], 'fromId' | 'toId' | 'type'>) =>
    `${row.fromId} ${row.toId} ${row.type}`;
  const here = await query<Selectable<Schema['relations']>>(tx)`
    select * from relations where from_id in (${tx.lists.numbers([...numbers.values()])})`;
  const held = new Map(here.map((row) => [nameOf(row), row]));
  const added = new Map<string, Insertable<Schema['relations']>>();
  for (const { id: uid, from, to, type, note, at: createdAt, by } of facts) {
    const [fromId, toId] = [numbers.get(from), numbers.get(to)];
    if (fromId === undefined || toId === undefined) continue;
    const row = { fromId, toId, type, note, createdAt, writer: (await writer(by)).id, uid };
    const other = added.get(nameOf(row)) ?? held.get(nameOf(row));
    const isLater =
      !other || createdAt > other.createdAt || (createdAt === other.createdAt && uid > `${other.uid}`);
    if (isLater) added.set(nameOf(row), row);
  }
  for (const name of added.keys()) {
    const other = held.get(name);
    if (other) await deleteRelation(tx, other.id);
  }
  await insertRows(tx, 'relations', [...added.values()]);
}
