import * as z from 'zod';
import { TIDYING } from '../../domain/chain.ts';
import { shownAuthor } from '../../domain/text/label.ts';
import { shownBy, viaOf } from '../../domain/via.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import type { Looker } from '../../store/reviewed.ts';
import type { Writer } from '../../store/tx.ts';
import type { Recorded } from '../../store/writer.ts';
import { dim, indented, type View } from '../view.ts';
import { dayOf, iso, resultDate } from './fields.ts';

export { shownBy } from '../../domain/via.ts';

/** Who wrote something and by what, where that is known (K-4, V-1). */
export const by = () => ({
  author: z.string().optional().describe('Who wrote it, when that is known'),
  via: z.string().optional().describe('The program it was written by; nothing for a person at a terminal'),
  recorded: resultDate().optional().describe('When it was saved, if it was given an earlier date'),
});

/** Of what was only worded anew, moved or brought back (TR-3): who did that, next to who decided it. */
export const tidied = () =>
  z
    .object({ how: z.enum(TIDYING), at: z.string(), ...by() })
    .optional()
    .describe('Who worded, moved, brought back or joined what the author decided, and when');
export const toTidied = ({ tidied }: Pick<Annotation, 'tidied'>): { tidied?: Tidying } =>
  tidied ? { tidied: { how: tidied.how, at: iso(tidied.own.createdAt), ...toBy(tidied.own) } } : {};

type Tidying = z.infer<ReturnType<typeof tidied>>;

/** Such as `worded by Kim Minsu, 2026-10-20`. @param how what was done, as a participle */
export function shownAct(how: string, of: Parameters<typeof shownBy>[0] & { at: string }): string {
  const who = shownBy(of);
  return `${how}${who ? ` by ${who}` : ''}, ${dayOf(of.at)}`;
}

export const shownTidied = (of: Tidying): string | undefined => of && shownAct(of.how, of);

/** The undo of a record: by whom, and when, where that is known. */
export const undone = () =>
  z
    .object({ at: resultDate(), ...by() })
    .optional()
    .describe('Who undid it, and when');
type Undone = z.infer<ReturnType<typeof undone>>;
export const toUndone = (of: (Wrote & { at: number }) | undefined): { undone?: NonNullable<Undone> } =>
  of ? { undone: { at: iso(of.at), ...toBy(of) } } : {};

export const shownUndone = (of: Undone): string => (of ? shownAct('undone', of) : 'undone');

/** Who wrote something, with the connection and the program that they used. */
export const writer = () => ({ ...by(), session: z.string(), client: z.string() });

type By = { author?: string; via?: string; recorded?: string };

type Wrote = Pick<Writer, 'author' | 'client'> & Recorded;

export function toBy({ author, client, recorded }: Wrote): By {
  const via = viaOf(client);
  return {
    ...(author !== '' && { author }),
    ...(via !== undefined && { via }),
    ...(recorded && { recorded: iso(recorded) }),
  };
}

/** {@link toBy} in a list, where names are shown only if they tell people apart (W-3). */
export function shortBy(of: Wrote, namesAuthors: boolean): By {
  const { author, ...via } = toBy(of);
  return namesAuthors && author !== undefined ? { author, ...via } : via;
}

export function toWriter(of: Omit<Writer, 'branch'> & Recorded): By & { session: string; client: string } {
  return { ...toBy(of), session: of.session, client: of.client };
}

/** The persons who looked at what a program saved, and when (TR-2). */
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
export const shownReviewed = (by: NonNullable<ReviewedBy>) =>
  `reviewed: ${by.map(({ author, at }) => [shownAuthor(author), at && dayOf(at)].filter(Boolean).join(', ')).join('; ') || 'by nobody yet'}`;

export const viewReviewed = ({ reviewed_by: by }: { reviewed_by?: ReviewedBy }): View =>
  by ? [indented(dim(shownReviewed(by)))] : [];
