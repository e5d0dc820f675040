import type { Memo } from '../../domain/memo.ts';
import { recordChange } from '../change.ts';
import { putDocument, removeDocument } from '../document.ts';
import { retractedAmong } from '../record.ts';
import type { Tx } from '../tx.ts';
import { memoDocument, type StoredMemo } from './memo.ts';

type MemoText = Pick<Memo, 'summary' | 'fullText'>;

/** The earlier texts of a memo, oldest first. */
export function memoRevisions(tx: Tx, { seq }: StoredMemo) {
  return tx.db
    .selectFrom('memoRevisions')
    .select(['revision', 'summary', 'fullText', 'replacedAt'])
    .where('memoSeq', '=', seq)
    .orderBy('revision')
    .execute();
}

/** Replaces the text of a memo and keeps the present one as a revision (U-6). @returns the number of the revision */
export async function rewriteMemo(
  tx: Tx,
  standing: StoredMemo,
  { summary, fullText }: MemoText,
): Promise<number> {
  const earlier = await memoRevisions(tx, standing);
  const revision = (earlier.at(-1)?.revision ?? 0) + 1;
  await tx.db
    .insertInto('memoRevisions')
    .values({
      memoSeq: standing.seq,
      revision,
      summary: standing.summary,
      fullText: standing.fullText,
      replacedAt: tx.now,
    })
    .execute();
  await tx.db.updateTable('memos').set({ summary, fullText }).where('seq', '=', standing.seq).execute();
  await recordChange(tx, 'rewritten', standing.seq, { after: { revision } });
  await removeDocument(tx, standing.seq);
  const isDeleted = (await retractedAmong(tx, [standing.seq])).size > 0;
  if (!isDeleted) await putDocument(tx, memoDocument({ ...standing, summary, fullText }));
  return revision;
}
