import { LIMITS } from '../../domain/text/text.ts';
import { name, text, verbatim, wholeNumber } from './basic.ts';

/** The largest id that is exact in every program that reads it. */
const LARGEST_ID = Number.MAX_SAFE_INTEGER;

export const observationId = (description = 'Id of an observation') =>
  wholeNumber(1, LARGEST_ID, description);
export const relationId = () => wholeNumber(1, LARGEST_ID, 'Id of a relation');
export const relationLimit = (description: string) => wholeNumber(1, 10_000, description);
export const title = () => text(LIMITS.title, 'What it is about, in a few words');
export const content = () => verbatim(LIMITS.content, 'The knowledge itself, any length');
export const kind = (
  description = 'Any kind, such as manual (default), bugfix, architecture, pattern, config, discovery',
) => name(LIMITS.kind, description);
export const project = (description = 'The project it belongs to') => name(LIMITS.scope, description);
export const observationScope = (description = 'Such as project or personal') =>
  name(LIMITS.scope, description);
export const topicKey = () =>
  name(LIMITS.topic, 'Stable key: saving it again in this project and scope replaces the text');
