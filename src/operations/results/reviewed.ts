import * as z from 'zod';
import { shownAuthor } from '../../domain/text/label.ts';
import type { Looker } from '../../store/reviewed.ts';
import { dim, indented, type View } from '../view.ts';
import { dayOf, iso, resultDate } from './fields.ts';

/** Who looked at what a program saved, and when (TR-2). */
export const reviewedBy = () =>
  z
    .array(z.object({ author: z.string(), at: resultDate().optional() }))
    .optional()
    .describe('Persons who looked at it in a review, where a program saved it; empty: nobody yet');
type ReviewedBy = z.infer<ReturnType<typeof reviewedBy>>;

export const toReviewed = (by: Looker[] | undefined) => ({
  reviewed_by: by?.map(({ author, at }) => ({ author, ...(at !== undefined && { at: iso(at) }) })),
});

/** Such as `reviewed: Kim Minsu, 2026-10-20`. */
export const shownReviewed = (by: ReviewedBy) =>
  by &&
  `reviewed: ${by.map(({ author, at }) => [shownAuthor(author), at && dayOf(at)].filter(Boolean).join(', ')).join('; ') || 'by nobody yet'}`;

export const viewReviewed = (by: ReviewedBy): View =>
  by ? [indented(dim(shownReviewed(by) as string))] : [];
