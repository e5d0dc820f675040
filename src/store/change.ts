import type { ChangeKind } from '../domain/change.ts';
import type { Tx } from './tx.ts';
import { writerRow } from './writer.ts';

/** Small values that a change replaced or brought: names, numbers, never a text. */
export type ChangedValues = Record<string, string | number | null>;

/**
 * Writes down that something changed which no record of its own tells of (U-5): a decision's versions and outcomes, and
 * an observation's texts, have their own history.
 * @param recordSeq the record that changed, by its number in the list of records; null when it is about none
 */
export async function recordChange(
  tx: Tx,
  kind: ChangeKind,
  recordSeq: number | null,
  { before, after }: { before?: ChangedValues; after?: ChangedValues } = {},
): Promise<void> {
  const { seq } = await tx.db
    .insertInto('changes')
    .values({
      recordSeq,
      kind,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      createdAt: tx.now,
      writer: (await writerRow(tx)).id,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  tx.saved.changes.push(seq);
}

/**
 * Whether a save undid what was saved, and did not bring it back again: a redo undoes an undo.
 * @param undoes the save that it undid; null: none
 */
export async function takesBack(tx: Tx, undoes: number | null): Promise<boolean> {
  let isUndo = false;
  for (let at = undoes; at !== null; ) {
    isUndo = !isUndo;
    const taken = await tx.db
      .selectFrom('saves')
      .select('undoes')
      .where('id', '=', at)
      .executeTakeFirstOrThrow();
    at = taken.undoes;
  }
  return isUndo;
}
