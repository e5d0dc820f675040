import * as z from 'zod';
import { REDACTED } from '../../domain/text/redaction.ts';
import { countCharacters, LIMITS } from '../../domain/text/text.ts';

/**
 * A text kept word for word: not blank, not longer than the limit, without characters that a database cannot hold. The
 * limit is in characters and is part of the published schema.
 * @param advice what to do when it is too long
 */
export function verbatim(limit: number, description: string, advice?: string) {
  return z
    .string()
    .superRefine(checkText(limit, advice))
    .meta({ description, minLength: 1, maxLength: limit });
}

/** A text without the blanks around it. @param advice what to do when it is too long */
export function text(limit: number, description: string, advice?: string) {
  return z
    .string()
    .trim()
    .superRefine(checkText(limit, advice))
    .meta({ description, minLength: 1, maxLength: limit });
}

/** A name that is compared exactly: without the blanks around it, in composed Unicode. */
export function name(limit: number, description: string) {
  return (
    z
      .string()
      .trim()
      .normalize('NFC')
      .superRefine(checkText(limit))
      // Two secrets would become one name, and one record would replace the other.
      .refine((value) => !value.includes(REDACTED), 'to hold nothing private, since it is a name')
      .meta({ description, minLength: 1, maxLength: limit })
  );
}

export function wholeNumber(min: number, max: number, description: string) {
  const message = `to be between ${min} and ${max}`;
  return z.int(message).min(min, message).max(max, message).meta({ description });
}

/** A question in words. A blank one is allowed and lists the newest. */
export const query = () =>
  z
    .string()
    .max(LIMITS.query, `to have at most ${LIMITS.query} characters`)
    .meta({ description: 'Words to look for; none lists the newest' });

/** A character that is drawn. */
const VISIBLE = /[^\p{White_Space}\p{Cf}]/u;

function checkText(limit: number, advice?: string) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const problem = problemWith(value, limit, advice);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  };
}

function problemWith(value: string, limit: number, advice?: string): string | undefined {
  if (!VISIBLE.test(value)) return 'to hold text';
  if (value.includes('\0')) return 'to hold no NUL character';
  if (!value.isWellFormed()) return 'to be well-formed Unicode (no half of a surrogate pair)';
  if (value.length > limit && countCharacters(value) > limit) {
    return `to have at most ${limit} characters${advice ? ` (${advice})` : ''}`;
  }
  return undefined;
}
