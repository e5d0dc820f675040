import * as z from 'zod';
import type { Writer } from '../../store/tx.ts';

/** Who wrote something, where it is known (K-4). */
export const author = () => z.string().optional().meta({ description: 'Who wrote it, when that is known' });

/** Who wrote something, with the connection and the program that they used. */
export const writer = () => ({ author: author(), session: z.string(), client: z.string() });

export function toAuthor({ author }: Pick<Writer, 'author'>): { author?: string } {
  return author === '' ? {} : { author };
}

export function toWriter(of: Writer): { author?: string; session: string; client: string } {
  return { ...toAuthor(of), session: of.session, client: of.client };
}

/** An author as a person sees it: without the address. */
export function shownAuthor(author: string): string {
  return author.replace(/ *<[^<>]*>$/, '') || author;
}
