import * as z from 'zod';
import type { invalid } from '../../domain/error.ts';
import { DATE_LENGTH } from '../../domain/filter/saved-date.ts';
import { isMasked } from '../../domain/text/masking.ts';
import { REDACTED } from '../../domain/text/redaction.ts';
import { isStorable, withLineFeeds } from '../../domain/text/storable.ts';
import { countCharacters, isBlank, LIMITS } from '../../domain/text/text.ts';

/**
 * A ground, kept as it was given, its line ends too: not blank, not longer than the limit, without characters that a
 * database cannot hold. The limit is in characters and is part of the published schema.
 */
export function evidenceText(limit: number, description?: string) {
  return z
    .string()
    .superRefine(checkText(limit))
    .meta({ ...(description && { description }), minLength: 1, maxLength: limit });
}

/** A text kept word for word, its lines ended by line feeds (K-7). @param advice what to do when it is too long */
export function verbatim(limit: number, description: string, advice?: string) {
  return z
    .string()
    .overwrite(withLineFeeds)
    .superRefine(checkText(limit, advice))
    .meta({ description, minLength: 1, maxLength: limit });
}

/** {@link verbatim} without the blanks around it. */
export function text(limit: number, description?: string, advice?: string) {
  return z
    .string()
    .overwrite(withLineFeeds)
    .trim()
    .superRefine(checkText(limit, advice))
    .meta({ ...(description && { description }), minLength: 1, maxLength: limit });
}

/** Code units of one character of a name at most, as it may be written: Korean takes three, a letter with its marks more. */
const COMPOSED = 10;

/** A name that is compared exactly: without the blanks around it, in composed Unicode. */
export function name(limit: number, description: string) {
  return (
    z
      .string()
      .overwrite(withLineFeeds)
      .trim()
      // What no form of it could make short enough is refused as it is (Z-5).
      .overwrite((text) => (text.length > COMPOSED * limit ? text : text.normalize('NFC')))
      .superRefine(checkText(limit))
      // Two secrets would become one name, and one record would replace the other.
      .refine((value) => !value.includes(REDACTED), 'to hold nothing private, since it is a name')
      .refine((value) => !isMasked(value), {
        error: 'to hold no secret, since it is a name',
        params: { reason: 'holds_secret' },
      })
      .meta({ description, minLength: 1, maxLength: limit })
  );
}

export function wholeNumber(min: number, max: number, description: string) {
  const message = `to be between ${min} and ${max}`;
  return z.int(message).min(min, message).max(max, message).describe(description);
}

/** How many results a search gives at most: left out, those that say most (T-9). */
export const limitOfSearch = () => wholeNumber(1, 50, 'Maximum results; default: the best').optional();

/** A field that may be left out, and that models do not see (A-4). */
export const forPeople = <Field extends z.ZodType>(field: Field) => field.meta({ model: false }).optional();

/** When something was so that is entered later (U-7). Models save what is so now: they do not see it. */
export const savedDate = () =>
  forPeople(
    text(DATE_LENGTH, 'Its date, if not now: 2026-10-01, 2026-10-01T09:30, 2w, "2 weeks ago", yesterday'),
  );

/** A question in words. A blank one is allowed and lists the newest. */
export const query = () =>
  z
    .string()
    .max(LIMITS.query, `to have at most ${LIMITS.query} characters`)
    .describe('Words to look for; without any, the newest');

/**
 * Where a page of a listing begins, as the answer before gave it (W-6). Models do not see it: to them an answer says
 * how much more there is, and a closer question finds it sooner than a walk.
 */
export const cursor = () => cursorOf(LIMITS.cursor);

/** Whether a listing has texts whole, which are cut else. */
export const full = () => z.boolean().default(false).meta({ description: 'Texts whole', model: false });

/** Whether what is listed the newest first begins with the oldest. */
export const reverse = () => z.boolean().optional().describe('The oldest first');

/** {@link cursor} of a listing by name, which holds a name. */
export const nameCursor = () => cursorOf(LIMITS.nameCursor);

const cursorOf = (limit: number) =>
  forPeople(text(limit, 'The next page: the cursor of the previous answer'));

/** Characters of a time that somebody names. */
export const TIME = 40;

/**
 * The moment at which the memory is looked at (U-5): a day, a month and a year count whole. An operation with this field
 * reads as it always does; `memory/` shows it the memory as it was then.
 */
export const asOf = () =>
  text(TIME, 'The memory at this time: 2026-10-01, 2026-10, 2w, "2 weeks ago", yesterday')
    .meta({ model: false, option: 'at' })
    .optional();

const NOT_UTF8 =
  'to be UTF-8 without NUL: it holds bytes that are not, half of a surrogate pair, or NUL (text in UTF-16 does)';

/** What a record is called (U-1): its id, the beginning of that, a topic or a version of it, `#38`. */
export const reference = (description: string) => text(LIMITS.id + VERSION, description);

/** A note or a memo, by its id or the beginning of that; a number is that of a note. */
export const noteOrMemo = () =>
  z
    .preprocess(
      (given) => (typeof given === 'number' ? `#${given}` : given),
      reference('#38 for a note, or the id of a memo'),
    )
    .describe('#38 for a note, or the id of a memo');

/** The longest topic, and the version after it. */
const VERSION = 10;

function checkText(limit: number, advice?: string) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const [reason, message] = problemWith(value, limit, advice) ?? [];
    if (message) context.addIssue({ code: 'custom', message, params: { reason } });
  };
}

function problemWith(
  value: string,
  limit: number,
  advice?: string,
): [keyof typeof invalid, string] | undefined {
  if (isBlank(value)) return ['missing', 'to hold text'];
  if (!isStorable(value)) return ['not_utf8', NOT_UTF8];
  if (value.length > limit && countCharacters(value) > limit) {
    return ['too_long', `to have at most ${limit} characters${advice ? ` (${advice})` : ''}`];
  }
  return undefined;
}
