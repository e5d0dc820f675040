import * as z from 'zod';
import type { Variant } from '../operation.ts';

export { dayOf, iso } from '../../domain/text/moment.ts';

/**
 * A date in a result: ISO 8601, UTC. It checks nothing, so it is not a field of an input: an input that names a moment
 * needs a field in `fields/` that parses and refuses.
 */
export const resultDate = () => z.string().meta({ format: 'date-time' });

/** In the result of a write that has no other warnings: what was changed in the texts it was given (K-7). */
export const warnings = () => z.array(z.string()).optional();

/** The result of a write: also which memory it was (K-3), which its runner adds, and its {@link warnings}. */
export const written = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ ...shape, workspace: z.string(), warnings: warnings() });

/** Fields that only one kind of a result has: those that it always has, and those that it may have. */
type FieldsOf<Shape> = Record<
  string,
  { always?: readonly (keyof Shape)[]; maybe?: readonly (keyof Shape)[] }
>;

/**
 * A result with a kind (LB-7). Its types become a union; its fields, which the code that makes it takes one by one, stay
 * optional.
 */
export function inKinds<Shape extends z.ZodRawShape>(
  result: z.ZodObject<Shape>,
  field: keyof Shape & string,
  kinds: FieldsOf<Shape>,
): z.ZodObject<Shape> {
  const all = Object.entries(kinds).map(([kind, { always = [], maybe = [] }]) => [
    kind,
    { required: always, fields: [...always, ...maybe] },
  ]);
  const meta: Variant = { field, kinds: Object.fromEntries(all) };
  return result.meta({ kinds: meta });
}

/** With a model, in addition to the similarity, which is of words alone. */
export const nearness = () =>
  z.number().optional().describe('How near the model finds it to the question, as a cosine');

/** A similarity as a model reads it: more digits tell nothing. */
export const shownShare = (similarity: number | undefined): number | undefined =>
  similarity === undefined ? undefined : Math.round(100 * similarity) / 100;

/** In the result of a search: given when the model did not answer. */
export const degraded = () =>
  z.string().optional().describe('Set if the model did not answer, so that only words were compared');

/** In the result of a search or a listing: which memory nothing was found in, since it may not be the one that was meant (K-3). */
export const emptyWorkspace = () => z.string().optional().describe('Set if nothing was found');

/** {@link emptyWorkspace} of a result that holds so many entries. */
export const workspaceWhen = (isEmpty: boolean, workspace: string) => (isEmpty ? { workspace } : {});

/** Of decisions in a result: the beginning of each id, which every operation takes. Models see it in place of the id. */
export const refs = () =>
  z.record(z.string(), z.string()).describe('A prefix of each id, which every operation accepts');
