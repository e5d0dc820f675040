import * as z from 'zod';
import { STRENGTHS } from '../../domain/decision.ts';
import { invalid } from '../../domain/error.ts';
import {
  bothFilters,
  type Filter,
  type FilterKey,
  FLAG_KEYS,
  FLAGS,
  LISTED_KINDS,
  OF_VERSION,
  refuseOthers,
  STATES,
} from '../../domain/filter/filter.ts';
import { readLength, requireTime } from '../../domain/filter/moment.ts';
import { parseFilter, writtenParts } from '../../domain/filter/parse.ts';
import { OUTCOME_FILTERS } from '../../domain/outcome.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { forPeople, name, TIME, text } from './basic.ts';

/** The parts of a filter that every listing has (U-4); models do not see them. */
export const commonFilter = () => ({
  filter: text(
    LIMITS.filter,
    'All in one: words, and scope:auth topic:auth:token by:kim via:claude since:2w until:2026-10-01 outcome:failed is:debated',
  )
    .meta({ words: true, model: false })
    .optional(),
  author: forPeople(name(LIMITS.scope, 'Only what this author wrote: a part of the name or address')),
  via: forPeople(name(LIMITS.scope, 'Only what this program wrote: a part of its name; agent: any agent')),
  session: forPeople(name(LIMITS.scope, 'Only what was written in this session: its id, or a prefix of it')),
  since: forPeople(text(TIME, 'Only from then on: 2026-10-01, 2026-10, 2w, "2 weeks ago", yesterday')),
  until: forPeople(text(TIME, 'Only up to then; a day, a month and a year count whole')),
});

/** By whom and since when, where models ask too (T-18). */
export const askedOf = () => ({
  author: name(LIMITS.scope, 'Only by this author').optional(),
  since: text(TIME, 'Only since: 2026-10-01, 2w').optional(),
});

/** Those that belong to decisions. */
export const decisionFilter = () => ({
  scope: name(LIMITS.scope, 'Only this scope').optional(),
  topic: name(LIMITS.topic, 'Only this topic').optional(),
  outcome: z.enum(OUTCOME_FILTERS).optional().describe('Only this outcome; pending: none yet'),
  pending: z.boolean().optional().describe('The same as outcome pending'),
});

/** Those that belong to a decision as it is today. */
export const stateFilter = () => ({
  strength: z.enum(STRENGTHS).optional().describe('Only this strength'),
  state: z
    .enum(STATES)
    .optional()
    .describe(
      'Which versions: active ones (default; with an outcome any), withdrawn or replaced ones, any of these, or undone ones',
    ),
  stale: text(TIME, 'Only where neither a version nor an outcome was saved for so long: 90d').optional(),
  ...flags(),
});

const flags = () =>
  Object.fromEntries(
    FLAG_KEYS.map((key) => {
      const { word: _, about: description, ...models } = FLAGS[key];
      return [
        key,
        z
          .boolean()
          .meta({ description, ...models })
          .optional(),
      ];
    }),
  ) as Record<keyof typeof FLAGS, z.ZodOptional<z.ZodBoolean>>;

/** Those that belong to observations. */
export const observationFilter = () => ({
  project: name(LIMITS.scope, 'Only observations of this project').optional(),
  type: name(LIMITS.kind, 'Only observations of this kind, such as bugfix').optional(),
});

/** Only these kinds of records. */
const kindFilter = () =>
  z
    .array(z.enum(LISTED_KINDS))
    .max(LISTED_KINDS.length, `to hold at most ${LISTED_KINDS.length} kinds`)
    .optional()
    .describe('Only these kinds');

/** Those of the log, which has records of every kind. */
export const logFilter = () => ({
  ...commonFilter(),
  kind: kindFilter(),
  ...decisionFilter(),
  ...observationFilter(),
});

/** The parts of a filter that the log knows: each kind answers some of them. */
export const LOG_FILTER: FilterKey[] = ['kinds', ...OF_VERSION, 'project', 'type', 'since', 'until'];

/** The fields of a filter as an operation has them; each has those that mean something there. */
export type FilterFields = { [Part in keyof Parts]?: z.output<Parts[Part]> };
type Parts = ReturnType<typeof logFilter> & ReturnType<typeof stateFilter>;

/**
 * The filter that an input gives, in its text and in its fields.
 * @param operation its name, for refusals
 * @param known the parts that mean something there
 * @param now milliseconds UTC
 * @throws PrecedentError `invalid`
 */
export function toFilter(
  operation: string,
  given: FilterFields,
  known: readonly FilterKey[],
  now: number,
): Filter {
  const { scope, topic, project, type, outcome, strength, state, since, until, stale } = given;
  const fields: Filter = {
    ...{ scope, topic, project, type, outcome, strength, state },
    by: given.author,
    via: given.via,
    session: given.session,
    kinds: given.kind,
    since: since === undefined ? undefined : requireTime('since', since, now).from,
    until: until === undefined ? undefined : requireTime('until', until, now).to,
    stale: stale === undefined ? undefined : readLength('stale', stale, now),
    ...Object.fromEntries(FLAG_KEYS.map((key) => [key, given[key] || undefined])),
  };
  const flagged = given.pending ? bothFilters(fields, { outcome: 'pending' }) : fields;
  const filter = bothFilters(flagged, parseFilter(given.filter ?? '', now));
  refuseOthers(filter, operation, known);
  refuseBackwards(operation, filter);
  return filter;
}

const FIELDS = Object.keys({ ...logFilter(), ...stateFilter() }).filter((field) => field !== 'filter');

/** The parts of a filter as they were given: in fields, and in a text. */
export function shownFilter(given: Readonly<Record<string, unknown>>, text = ''): Record<string, string> {
  const fields = FIELDS.filter((field) => given[field] !== undefined && given[field] !== false);
  return {
    ...Object.fromEntries(fields.map((field) => [field, String(given[field])])),
    ...writtenParts(text),
  };
}

/** {@link shownFilter} of a list, where the words of the text are a part, too. */
export function listFilter(
  given: FilterFields & Readonly<Record<string, unknown>>,
  { words }: Pick<Filter, 'words'>,
): Record<string, string> {
  return { ...shownFilter(given, given.filter), ...(words !== undefined && { words }) };
}

/** A span that ends before it begins, or as it begins, holds nothing, which would look like a memory that has nothing. */
function refuseBackwards(operation: string, { since, until }: Filter): void {
  if (since === undefined || until === undefined || since < until) return;
  const shown = (at: number) => new Date(at).toISOString();
  throw invalid.wrong_time(
    `${operation}: Expected "since" to be before the end of "until", found ${shown(since)} and ${shown(until)}.`,
  );
}
