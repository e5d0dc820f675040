import * as z from 'zod';
import { PrecedentError } from '../../domain/error.ts';
import { keywordName } from '../../domain/keyword.ts';
import { LIMITS } from '../../domain/text.ts';
import { findMemo, type StoredMemo } from '../../store/memos/memo.ts';
import type { Tx } from '../../store/tx.ts';
import { date, name, text } from '../fields.ts';
import { dim, type Span } from '../view.ts';

export const sessionId = () =>
  name(LIMITS.id, 'The conversation; default "default". The same id goes on where it stopped');
export const infoId = () => text(LIMITS.id, 'Id of a memo');
export const keyword = (description = 'A keyword, in any letter case') =>
  // Checked before and after: compatibility forms become longer when they are written out.
  name(LIMITS.keyword, description)
    .transform(keywordName)
    .pipe(name(LIMITS.keyword, description))
    .meta({ description, minLength: 1, maxLength: LIMITS.keyword });
export const keywords = (description: string) =>
  z
    .array(keyword())
    .max(LIMITS.keywords, `to hold at most ${LIMITS.keywords} keywords`)
    .transform((names) => [...new Set(names)])
    .meta({ description });

/** A memo in lists. */
export const memoBrief = z.object({
  infoId: z.string(),
  summary: z.string(),
  createdAt: date(),
  keywords: z.array(z.string()).meta({ description: 'What it is about' }),
});

/** The memo with this id. @throws PrecedentError `not_found` */
export async function requireMemo(tx: Tx, id: string): Promise<StoredMemo> {
  const memo = await findMemo(tx, { id });
  if (memo) return memo;
  throw new PrecedentError(
    'not_found',
    `Expected the id of a memo in workspace "${tx.workspace}", found "${id}", which does not exist. List memos with memo_list.`,
  );
}

/** Keywords one after the other. */
export const keywordSpans = (names: string[]): Span[] =>
  names.length > 0 ? [names.join(' · ')] : [dim('none')];
