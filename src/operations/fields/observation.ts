import * as z from 'zod';
import { LIMITS } from '../../domain/text/text.ts';
import { name, text, verbatim, wholeNumber } from './basic.ts';

/** The largest id that is exact in every program that reads it. */
const LARGEST_ID = Number.MAX_SAFE_INTEGER;

/** The id of an observation, a whole number; `"38"` and `"#38"`, as answers and people write it, are taken too (U-1). */
export const observationId = (description = 'Id of an observation') =>
  z.preprocess(numberOf, wholeNumber(1, LARGEST_ID, description)).describe(description);
export const relationId = () => wholeNumber(1, LARGEST_ID, 'Id of a relation');
export const relationLimit = (description: string) => wholeNumber(1, 10_000, description);
export const title = () => text(LIMITS.title, 'What it is about, in a few words');
export const content = () =>
  verbatim(
    LIMITS.content,
    'The knowledge itself',
    'Save the part that matters, or several observations and link them with mem_relate.',
  );
export const kind = (
  description = 'Any kind, such as manual (default), bugfix, architecture, pattern, config, discovery',
) => name(LIMITS.kind, description);
export const project = (description = 'The project it belongs to') => name(LIMITS.scope, description);
export const observationScope = (description = 'Such as project or personal') =>
  name(LIMITS.scope, description).meta({ model: false });
export const topicKey = () =>
  name(LIMITS.topic, 'Stable key: saving it again in this project replaces the text, which is kept');

/** As many digits as {@link LARGEST_ID} has. */
const WRITTEN_ID = /^\s*#?(\d{1,16})\s*$/;

/** Anything that is not such a text stays as it is, for the schema to refuse. */
function numberOf(given: number | string): number | string {
  const [, digits] = (typeof given === 'string' && WRITTEN_ID.exec(given)) || [];
  return digits === undefined ? given : Number(digits);
}
