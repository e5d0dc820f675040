import * as z from 'zod';
import type { Writer } from '../../store/tx.ts';

export { shownAuthor } from '../../domain/text/label.ts';

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
