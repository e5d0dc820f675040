import * as z from 'zod';
import { conflict, notFound } from '../../domain/error.ts';
import { idsOf, tooShort } from '../../domain/id.ts';
import { dayOf } from '../../domain/text/moment.ts';
import type { MemoLink } from '../../store/memos/memo.ts';
import { resolveMemo, type StoredMemo, successorOf } from '../../store/memos/memo.ts';
import { shortIds } from '../../store/prefix.ts';
import { retractedAmong } from '../../store/record.ts';
import type { Tx } from '../../store/tx.ts';
import { dim, type Span } from '../view.ts';
import { iso, resultDate } from './fields.ts';

/** A memo in lists. */
export const memoBrief = z.object({
  info_id: z.string(),
  summary: z.string(),
  created_at: resultDate(),
  keywords: z.array(z.string()).describe('What it is about'),
});

/** @param links those of several memos; the keywords of this one are among them */
export function toMemoBrief(memo: StoredMemo, links: MemoLink[]): z.infer<typeof memoBrief> {
  return {
    info_id: memo.id,
    summary: memo.summary,
    created_at: iso(memo.createdAt),
    keywords: links
      .filter(({ memoSeq, depth }) => memoSeq === memo.seq && depth === 0)
      .map(({ keyword }) => keyword),
  };
}

/** The memo with this id. @throws PrecedentError `not_found` */
export async function requireMemo(tx: Tx, id: string): Promise<StoredMemo> {
  const memo = await resolveMemo(tx, id);
  if (memo) return memo;
  throw notFound.no_record(
    `Expected the id of a memo, found "${id}", which does not exist. recall shows the ids of memos.${tooShort(id)}`,
  );
}

/** Whether a memo was deleted, and is read by its id alone (U-6). */
export async function isDeletedMemo(tx: Tx, { seq }: StoredMemo): Promise<boolean> {
  return (await retractedAmong(tx, [seq])).size > 0;
}

/** {@link requireMemo}, not deleted. @throws PrecedentError `not_found`, `conflict` when deleted */
export async function requireLiveMemo(tx: Tx, id: string): Promise<StoredMemo> {
  const memo = await requireMemo(tx, id);
  if (!(await isDeletedMemo(tx, memo))) return memo;
  const successor = await successorOf(tx, memo);
  const state = successor
    ? `replaced by ${await memoNames(tx, [successor])}. Use that one; "precedent undelete" brings the old one back.`
    : 'deleted. "precedent undelete" brings it back.';
  throw conflict.deleted(
    `Expected a memo that was not deleted, found ${memo.id} ("${memo.summary}"), which is ${state}`,
  );
}

/** Memos by id, summary and day, one after the other. */
export async function memoNames(tx: Tx, memos: StoredMemo[]): Promise<string> {
  const shortId = await shortIds(tx, 'memos', idsOf(memos));
  return memos
    .map(({ id, summary, createdAt }) => `${shortId(id)} "${summary}" (${dayOf(iso(createdAt))})`)
    .join('; ');
}

/** Keywords one after the other. */
export const keywordSpans = (names: string[]): Span[] =>
  names.length > 0 ? [names.join(' · ')] : [dim('none')];
