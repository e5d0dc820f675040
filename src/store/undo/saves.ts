import { type RawBuilder, sql } from 'kysely';
import type { Save } from '../../domain/change.ts';
import { isUndoing } from '../record.ts';
import { insertRows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';

/** Saves read at once. */
const PAGE = 100;

/** Whoever asks, as the numbers of who wrote: one author, or of those who never said the same program on this machine. */
export function mine({ writer: { author, host, client } }: Tx): RawBuilder<unknown> {
  const unnamed = author === '' ? sql`and w.host = ${host} and w.client = ${client}` : sql``;
  return sql`(select w.id from writers as w where w.author = ${author} ${unnamed})`;
}

/** A record that an undo or a redo made, as a condition on the number of it. */
export const madeByUndo = (seq: string) => sql`exists (select 1 from saves as s
  where s.undoes is not null and ${sql.ref(seq)} between s.first_record and s.last_record)`;

/**
 * What can be undone, the newest first (K-6): what this author saved and is active, as the save itself or as its last redo.
 */
export async function* activeSaves(tx: Tx): AsyncGenerator<Save> {
  for await (const { tip, isUndo } of tips(tx)) if (!isUndo) yield tip;
}

/** The undo that was the last, when nothing was saved since; undefined when there is none. */
export async function lastUndo(tx: Tx): Promise<Save | undefined> {
  for await (const { tip, isUndo } of tips(tx)) {
    if (isUndo) return tip;
    // What was saved since leads to another future.
    if (tip.undoes === null) return undefined;
  }
  return undefined;
}

/** The saves of this author that were not undone, the newest first. */
async function* tips(tx: Tx): AsyncGenerator<{ tip: Save; isUndo: boolean }> {
  const undone = new Set<number>();
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const saves = await newestSaves(tx, before);
    for (const tip of saves) {
      // What took it back came after it.
      if (tip.undoes !== null) undone.add(tip.undoes);
      if (!undone.has(tip.id)) yield { tip, isUndo: await isUndoing(tx, tip.undoes) };
    }
    if (saves.length < PAGE) return;
    before = saves.at(-1)?.id as number;
  }
}

async function newestSaves(tx: Tx, before: number): Promise<Save[]> {
  const { rows } = await sql<Save>`
    select s.* from saves as s where s.id < ${before} and s.writer in ${mine(tx)}
    order by s.id desc limit ${PAGE}`.execute(tx.db);
  return rows;
}

/** Whether nothing is left of a change: the save that made it was undone, or it is part of how one was. */
export async function isUndone(tx: Tx, change: number): Promise<boolean> {
  const ofChange = await sql<Save>`
    select s.* from saves as s where ${change} between s.first_change and s.last_change`.execute(tx.db);
  let tip: Save | undefined;
  // What took it back came after it, and what brought it back after that.
  for (let [next] = ofChange.rows; next !== undefined; ) {
    tip = next;
    next = await tx.db.selectFrom('saves').selectAll().where('undoes', '=', next.id).executeTakeFirst();
  }
  return tip !== undefined && isUndoing(tx, tip.undoes);
}

/**
 * Writes down what this transaction saved together, so that it can be undone (K-6). Nothing where it saved nothing:
 * keywords of what was said are no save.
 * @param undoes the save that this one undid
 */
export async function recordSave(tx: Tx, undoes: number | null = null): Promise<void> {
  const { records, changes } = tx.saved;
  if (records.length + changes.length === 0) return;
  const { id: writer } = await writerRow(tx);
  const [firstRecord, lastRecord] = endsOf(records);
  const [firstChange, lastChange] = endsOf(changes);
  const save = { writer, createdAt: tx.now, firstRecord, lastRecord, firstChange, lastChange, undoes };
  await insertRows(tx, 'saves', [save]);
  // What a transaction saves afterwards is another save.
  records.length = 0;
  changes.length = 0;
}

/** Writers take turns, so that nobody else's numbers lie between the first and the last. */
function endsOf(numbers: number[]): [first: number | null, last: number | null] {
  const sorted = numbers.toSorted((a, b) => a - b);
  return [sorted[0] ?? null, sorted.at(-1) ?? null];
}
