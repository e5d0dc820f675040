import { type RawBuilder, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import { passing } from '../record.ts';
import { countOf, paged } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import type { Eligible, Relevant, Shares } from './hits.ts';
import { batchesOf, type Question, readQuestion } from './question.ts';
import { rankAnswers } from './rank.ts';
import { behindSuccessors, SUCCESSOR } from './successors.ts';

interface ObservationFilter {
  type?: string | undefined;
  project?: string | undefined;
  scope?: string | undefined;
  /** What else must hold, as a condition on `observations as o`. */
  only?: RawBuilder<unknown> | undefined;
}

export interface ObservationQuestion extends ObservationFilter {
  /** Without one, or with a blank one, the newest are listed. */
  query?: string | undefined;
  limit: number;
  /** Whether the first page ends early, with the last answer that is worth reading (T-9). */
  isBrief?: boolean;
  /** Where the page begins, as the page before said in `next` (W-6). */
  from?: Place | undefined;
}

/**
 * Finds observations that are not deleted, those that answer best first; filters apply before the limit, and ties go to
 * the newest. Without a query it lists the newest.
 *
 * A page of the newest goes on after the last one that was shown, in the order that there was on the first page: what is
 * saved or changed meanwhile neither repeats nor hides one. A page of a ranking goes on after so many answers; the
 * ranking is made anew.
 */
export async function searchObservations(
  tx: Tx,
  question: ObservationQuestion,
): Promise<{
  /** `successor`: the id of the observation that supersedes it. */
  hits: ({ observation: StoredObservation; successor: number | null } & Shares)[];
  total: number;
  /** Where the next page begins; undefined on the last. */
  next?: Place | undefined;
  /** Whether the best say enough of what was asked; a listing does. */
  isAnswered: boolean;
  /** The question as it was read. */
  asked: Question;
}> {
  const read = await readQuestion(tx, question.query);
  if (read.findsNothing && !tx.meaning) return { hits: [], total: 0, isAnswered: false, asked: read };
  for await (const asked of batchesOf(tx, read, eligibleObservations(question))) {
    const { found, total, next, isAnswered } =
      asked.found.length === 0 && !tx.meaning
        ? await newestObservations(tx, question)
        : await bestObservations(tx, asked, question);
    if (total === 0) continue;
    const ids = found.map((row) => row.id);
    const observations = new Map((await findObservations(tx, ids)).map((each) => [each.id, each]));
    return {
      hits: found.map(({ id, similarity, nearness, successor }) => ({
        observation: observations.get(id) as StoredObservation,
        similarity,
        nearness,
        successor,
      })),
      total,
      next,
      isAnswered,
      asked,
    };
  }
  return { hits: [], total: 0, isAnswered: !question.query?.trim(), asked: read };
}

interface Page {
  found: ({ id: number; successor: number | null } & Shares)[];
  total: number;
  next: Place | undefined;
  isAnswered: boolean;
}

async function newestObservations(tx: Tx, question: ObservationQuestion): Promise<Page> {
  const { limit, from } = question;
  const [at = 0, seq = 0, asOf = 0] = from ?? [];
  const moment = from ? momentAsOf(asOf) : sql`o.updated_at`;
  const rows = await query<{ seq: number; moment: number; total: number } & Page['found'][number]>(tx)`
    select * from (
      select o.id, o.seq, ${moment} as moment, count(*) over () as total, ${SUCCESSOR} as successor
      from observations as o where ${filters(question)}
    ) as listed where ${from ? sql`(moment, seq) < (${at}, ${seq})` : sql`1 = 1`}
    order by moment desc, seq desc limit ${limit + 1}`;
  // What was left may be gone: no row says then how many there are.
  if (from && rows.length === 0)
    return { ...(await newestObservations(tx, { ...question, limit: 0, from: undefined })), next: undefined };
  const then = from ? asOf : (rows[0]?.moment ?? 0);
  const [shown, next] = paged(rows, limit, (last) => [last.moment, last.seq, then]);
  return {
    found: shown.map(({ id, successor }) => ({ id, similarity: 0, successor })),
    total: rows[0]?.total ?? 0,
    next,
    isAnswered: true,
  };
}

/** When an observation was changed last before a page was shown whose newest one is of this moment. */
function momentAsOf(asOf: number) {
  return sql`case when o.updated_at <= ${asOf} then o.updated_at else coalesce((
    select max(v.replaced_at) from observation_revisions as v
    where v.observation_id = o.id and v.replaced_at <= ${asOf}), o.created_at) end`;
}

async function bestObservations(tx: Tx, asked: Question, question: ObservationQuestion): Promise<Page> {
  const [from = 0] = question.from ?? [];
  const { limit, isBrief = false } = question;
  const { found: terms } = asked;
  const search = { asked, eligible: eligibleObservations(question), wanted: from + limit + 1 };
  const ranked = await rankAnswers(tx, search, async (records) => {
    const ids = await passingIds(tx, records, question);
    return records.flatMap(({ seq, score, similarity, nearness }) => {
      const row = ids.get(seq);
      return row ? [{ key: row.id, observation: row.id, ...row, score, similarity, nearness }] : [];
    });
  });
  const { isAll, isAnswered, worth } = ranked;
  const answers = behindSuccessors(ranked.answers);
  const end = from + (isBrief && from === 0 ? Math.min(limit, worth) : limit);
  const matched = isAll || terms.length === 0 ? 0 : await countObservations(tx, terms, question);
  return {
    found: answers.slice(from, end),
    total: Math.max(matched, answers.length),
    next: answers.length > end ? [end] : undefined,
    isAnswered,
  };
}

/** The ids of those records that are observations and pass the filter, by `seq`, and what supersedes them. */
async function passingIds(tx: Tx, records: Relevant[], question: ObservationQuestion) {
  const rows = await query<{ id: number; seq: number; successor: number | null }>(tx)`
    select o.id, o.seq, ${SUCCESSOR} as successor from (${tx.lists.numbers(records.map(({ seq }) => seq))}) as wanted
    join observations as o on o.seq = wanted.id where ${filters(question)}`;
  return new Map(rows.map(({ id, seq, successor }) => [seq, { id, successor }]));
}

async function countObservations(tx: Tx, terms: string[], question: ObservationQuestion): Promise<number> {
  // Deleted ones are not in the index (R-7): without a filter the row itself, with its long text, need not be read.
  const isFiltered = [question.type, question.project, question.scope, question.only].some(
    (each) => each !== undefined,
  );
  return countOf(
    tx,
    sql`(${tx.text.matching(terms)}) as found
    cross join observations as o where o.seq = found.seq and ${isFiltered ? filters(question) : sql`1 = 1`}
  `,
  );
}

/** The observations that pass the filter. */
export function eligibleObservations(question: ObservationFilter): Eligible {
  const [from, seq, where] = [sql`observations as o`, sql`o.seq`, filters(question)];
  return passing({ kind: 'observation', from, seq, where }, false);
}

function filters({ type, project, scope, only }: ObservationFilter) {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${value}`;
  return sql`o.deleted_at is null and ${only ?? sql`1 = 1`} and ${is('o.type', type)} and ${is('o.project', project)} and ${is('o.scope', scope)}`;
}
