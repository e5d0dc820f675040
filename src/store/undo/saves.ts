import { type RawBuilder, sql } from 'kysely';
import type { Save } from '../../domain/change.ts';
import { isUndoing } from '../record.ts';
import { findRow, insertRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';

/** Saves read at once. */
const PAGE = 100;

/** The records and changes that are undone together: anything else that depends on one prevents that (K-6, V-2). */
export interface Own {
  /** The record `r` is of it, as a condition; the change `c`; what this writer wrote. */
  record: RawBuilder<unknown>;
  change: RawBuilder<unknown>;
  writer(id: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** A transaction in which something is undone. */
export interface UndoTx extends Tx {
  readonly own: Own;
}

/**
 * The numbers of the asker as a writer: one author by one program, and for authors without a name on one machine
 * (V-2): a person's undo does not undo what an agent saved in their name.
 */
function mine({ writer: { author, host, client } }: Tx): RawBuilder<unknown> {
  const unnamed = author === '' ? sql`and w.host = ${host}` : sql``;
  return sql`(select w.id from writers as w where w.author = ${author} and w.client = ${client} ${unnamed})`;
}

/** All that the asker saved, also in the name of others: a batch enters their history. */
export function ownOfAsker(tx: Tx): Own {
  const entered = (seq: string, first: string, last: string) => sql`exists (select 1 from saves as own
    where own.writer in ${mine(tx)} and ${sql.ref(seq)} between ${sql.ref(first)} and ${sql.ref(last)})`;
  const change = sql`(c.writer in ${mine(tx)} or ${entered('c.seq', 'own.first_change', 'own.last_change')})`;
  return {
    record: sql`(r.writer in ${mine(tx)} or ${entered('r.seq', 'own.first_record', 'own.last_record')})`,
    change,
    writer: (id) =>
      sql`(${id} in ${mine(tx)} or exists (select 1 from changes as c where c.writer = ${id} and ${change}))`,
  };
}

/** The records and changes of these saves, and those that undoing and redoing made again. */
export function ownOfSaves(tx: Tx, ids: number[]): Own {
  const chosen = sql`(select id from (${tx.lists.numbers(ids)}) as chosen)`;
  const within = (seq: string, first: string, last: string) => sql`exists (select 1 from saves as own
    where (own.undoes is not null or own.id in ${chosen}) and ${sql.ref(seq)} between ${sql.ref(first)} and ${sql.ref(last)})`;
  return {
    record: within('r.seq', 'own.first_record', 'own.last_record'),
    change: within('c.seq', 'own.first_change', 'own.last_change'),
    writer: (id) => sql`${id} in (select own.writer from saves as own where own.id in ${chosen})`,
  };
}

/** A record that an undo or a redo made, as a condition on the number of it. */
export const madeByUndo = (seq: string) => sql`exists (select 1 from saves as s
  where s.undoes is not null and ${sql.ref(seq)} between s.first_record and s.last_record)`;

/**
 * The saves of this author that can be undone, the newest first (K-6): active ones, as the save itself or its last redo.
 */
export async function* activeSaves(tx: Tx): AsyncGenerator<Save> {
  for await (const { tip, isUndo } of tips(tx)) if (!isUndo) yield tip;
}

/** The undos that can be undone, the newest first: those since which nothing was saved. */
export async function* lastUndos(tx: Tx): AsyncGenerator<Save> {
  for await (const { tip, isUndo } of tips(tx)) {
    if (isUndo) yield tip;
    // A later save leads to another future.
    else if (tip.undoes === null) return;
  }
}

/** Saves chosen at once, at most. */
export const MOST_SAVES = 1_000;

/** Saves by the numbers of what they made, and by their own. */
export interface ChosenSaves {
  records: number[];
  changes: number[];
  numbers: number[];
}

/**
 * The saves in which something was made and is active, as the save itself or as its last redo, the newest first (V-2).
 * @returns also the number of every save that these go back to, and whether any save made it: none made what came by sync
 */
export async function savesOf(
  tx: Tx,
  { records, changes, numbers }: ChosenSaves,
): Promise<{ saves: Save[]; ids: number[]; isSavedHere: boolean }> {
  const rows = await query<Save>(tx)`
    select s.* from saves as s where exists (select 1 from (${tx.lists.numbers(records)}) as wanted
        where wanted.id between s.first_record and s.last_record)
      or exists (select 1 from (${tx.lists.numbers(changes)}) as wanted
        where wanted.id between s.first_change and s.last_change)
      or s.id in (select id from (${tx.lists.numbers(numbers)}) as wanted)`;
  const tips = new Map<number, Save>();
  const ids = new Set<number>();
  for (const save of rows) {
    const line = await undoneBy(tx, save);
    const tip = line.at(-1) as Save;
    if (await isUndoing(tx, tip.undoes)) continue;
    tips.set(tip.id, tip);
    for (const { id } of line) ids.add(id);
  }
  const saves = [...tips.values()].sort((a, b) => b.id - a.id);
  return { saves, ids: [...ids], isSavedHere: rows.length > 0 || records.length + changes.length === 0 };
}

/** A save, what undid it, what undid that, and so on. */
async function undoneBy(tx: Tx, save: Save): Promise<Save[]> {
  const line = [save];
  for (let next: Save | undefined = save; next !== undefined; ) {
    next = await findRow(tx, 'saves', { undoes: next.id });
    if (next !== undefined) line.push(next);
  }
  return line;
}

/** The saves of this author that were not undone, the newest first. */
async function* tips(tx: Tx): AsyncGenerator<{ tip: Save; isUndo: boolean }> {
  const undone = new Set<number>();
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const saves = await newestSaves(tx, before);
    for (const tip of saves) {
      // An undo comes after the save that it undid.
      if (tip.undoes !== null) undone.add(tip.undoes);
      if (!undone.has(tip.id)) yield { tip, isUndo: await isUndoing(tx, tip.undoes) };
    }
    if (saves.length < PAGE) return;
    before = saves.at(-1)?.id as number;
  }
}

async function newestSaves(tx: Tx, before: number): Promise<Save[]> {
  return query<Save>(tx)`
    select s.* from saves as s where s.id < ${before} and s.writer in ${mine(tx)}
    order by s.id desc limit ${PAGE}`;
}

/** Whether nothing is left of a change: the save that made it was undone, or it is part of how one was. */
export async function isUndone(tx: Tx, change: number): Promise<boolean> {
  const ofChange = await query<Save>(tx)`
    select s.* from saves as s where ${change} between s.first_change and s.last_change`;
  const [made] = ofChange;
  const tip = made && (await undoneBy(tx, made)).at(-1);
  return tip !== undefined && isUndoing(tx, tip.undoes);
}

/**
 * Writes down what this transaction saved together, so that it can be undone (K-6). Nothing where it saved nothing:
 * keywords of a conversation are not saves.
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
  // Later records of this transaction are another save.
  records.length = 0;
  changes.length = 0;
}

/** Writers take turns, so that nobody else's numbers are between the first and the last. */
function endsOf(numbers: number[]): [first: number | null, last: number | null] {
  const sorted = numbers.toSorted((a, b) => a - b);
  return [sorted[0] ?? null, sorted.at(-1) ?? null];
}
