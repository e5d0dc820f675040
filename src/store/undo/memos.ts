import { valuesIn } from '../json-list.ts';
import { deleteMemo, findMemo, restoreMemo, type StoredMemo } from '../memos/memo.ts';
import { memoRevisions, rewriteMemo } from '../memos/memo-revision.ts';
import type { Tx } from '../tx.ts';
import { changedByOthers } from './dependents.ts';
import type { Part, SavedChange } from './part.ts';

/** A memo that was saved is deleted softly (K-6). */
export async function memoPart(tx: Tx, seq: number): Promise<Part | undefined> {
  const memo = await findMemo(tx, { seq });
  return memo && part(memo, 'deleted', await changedByOthers(tx, seq), () => deleteMemo(tx, memo));
}

/** What was changed of a memo is changed back. */
export async function changedMemo(
  tx: Tx,
  recordSeq: number,
  { kind, seq, after }: SavedChange,
): Promise<Part | undefined> {
  const memo = await findMemo(tx, { seq: recordSeq });
  if (!memo) return undefined;
  const others = await changedByOthers(tx, recordSeq, seq);
  if (kind === 'deleted') return part(memo, 'restored', others, () => restoreMemo(tx, memo));
  if (kind === 'restored') return part(memo, 'deleted', others, () => deleteMemo(tx, memo));
  const { revision } = valuesIn(after);
  const text = (await memoRevisions(tx, memo)).find((each) => each.revision === revision);
  return (
    text && part(memo, `rewritten as before: ${text.summary}`, others, () => rewriteMemo(tx, memo, text))
  );
}

function part(
  { id, summary }: StoredMemo,
  becomes: string,
  rests: string[],
  takeBack: () => Promise<unknown>,
): Part {
  return { effect: { kind: 'memo', id, name: '', text: summary, becomes }, rests, takeBack };
}
