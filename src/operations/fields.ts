import * as z from 'zod';
import { STRENGTHS } from '../domain/decision.ts';
import { REDACTED } from '../domain/redaction.ts';
import { countCharacters, LIMITS } from '../domain/text.ts';

/**
 * A text kept word for word: neither blank, nor longer than the limit, nor with characters a database cannot
 * hold. The limit is in characters and stands in the published schema.
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

/** A question in words; blank is allowed, and asks for the newest. */
export const query = () =>
  z
    .string()
    .max(LIMITS.query, `to have at most ${LIMITS.query} characters`)
    .meta({ description: 'Words to look for; none lists the newest' });
/** In the answer of a search that has a model, when the model did not answer. */
export const degraded = () =>
  z.string().optional().meta({ description: 'Given when the model did not answer: found by words alone' });
export const decisionId = () => text(LIMITS.id, 'Id of a decision (any version)');
export const topic = () =>
  name(
    LIMITS.topic,
    'What the decision is about, as a stable key such as "auth:token"; letter case counts. A later decision on exactly this topic supersedes this one',
  );
export const scope = () =>
  name(
    LIMITS.scope,
    'Where it holds, such as "global", "ui", "coding". Default: the first segment of the topic, else "global"',
  );
export const strength = () =>
  z
    .enum(STRENGTHS)
    .meta({ description: 'axis: shapes everything; lock: must not be broken; normal (default)' });
export const confidence = () => {
  const message = 'to be between 0 and 1';
  return z.number().min(0, message).max(1, message).meta({ description: 'How sure, 0 to 1. Default 0.5' });
};
export const reasoning = () =>
  text(
    LIMITS.reasoning,
    'Why. May link decisions: "builds_on: <id>", "debates: <id>", "synthesizes: [<id>, <id>]"',
  );
export const evidence = () =>
  z
    .array(verbatim(LIMITS.evidence, 'One ground, word for word'))
    .max(LIMITS.evidenceItems, `to hold at most ${LIMITS.evidenceItems} items`)
    .meta({ description: 'Grounds, word for word: quotes, measurements, logs' });

/** A date in results: ISO 8601, UTC. */
export const date = () => z.string().meta({ format: 'date-time' });
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

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
