import * as z from 'zod';
import { keywordName } from '../../domain/keyword.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { forPeople, name, text } from './basic.ts';

export const sessionId = () => forPeople(name(LIMITS.id, 'The conversation to continue; default: your own'));
export const infoId = () => text(LIMITS.id, 'Id of a memo');
export const keyword = (description = '') =>
  // Checked before and after: compatibility forms become longer when they are written out.
  name(LIMITS.keyword, description)
    .transform(keywordName)
    .pipe(name(LIMITS.keyword, description))
    .meta({ description: description || undefined, minLength: 1, maxLength: LIMITS.keyword });
export const keywords = (description: string) =>
  z
    .array(keyword())
    .max(LIMITS.keywords, `to hold at most ${LIMITS.keywords} keywords`)
    .transform((names) => [...new Set(names)])
    .describe(description);
