import { type RawBuilder, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import { passing } from '../record.ts';
import { countOf, paged } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { bestAnswers, type Identity } from './everything.ts';
import type { Eligible, Shares } from './hits.ts';
import { type Question, readQuestion } from './question.ts';
import { SUCCESSOR } from './successors.ts';

interface ObservationFilter {
  type?: string | undefined;
  project?: string | undefined;
  scope?: string | undefined;
  /** A further condition on `observations as o`. */
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
): Promise<Omit<Page, 'answers'> & { hits: (Page['answers'][number] & { stored: StoredObservation })[] }> {
  const isListing = !question.query?.trim() && !tx.meaning;
  const { answers, ...page } = await (isListing ? newestObservations : bestObservations)(tx, question);
  const ids = answers.map(({ observation }) => observation as number);
  const stored = new Map((await findObservations(tx, ids)).map((each) => [each.id, each]));
  const hits = answers.map((each, at) => ({
    ...each,
    stored: stored.get(ids[at] as number) as StoredObservation,
  }));
  return { hits, ...page };
}

interface Page {
  answers: (Pick<Identity, 'observation' | 'successor'> & Shares)[];
  total: number;
  /** Where the next page begins; undefined on the last. */
  next: Place | undefined;
  /** Whether the best say enough of what was asked; a listing does. */
  isAnswered: boolean;
  /** The question as it was read. */
  asked: Question;
}

async function newestObservations(tx: Tx, question: ObservationQuestion): Promise<Page> {
  const { limit, from } = question;
  const [at = 0, seq = 0, asOf = 0] = from ?? [];
  const moment = from ? momentAsOf(asOf) : sql`o.updated_at`;
  const rows = await query<{
    seq: number;
    moment: number;
    total: number;
    observation: number;
    successor: number | null;
  }>(tx)`
    select * from (
      select o.id as observation, o.seq, ${moment} as moment, count(*) over () as total, ${SUCCESSOR} as successor
      from observations as o where ${filters(question)}
    ) as listed where ${from ? sql`(moment, seq) < (${at}, ${seq})` : sql`1 = 1`}
    order by moment desc, seq desc limit ${limit + 1}`;
  // The rows that were left may be gone: then no row says how many there are.
  if (from && rows.length === 0)
    return { ...(await newestObservations(tx, { ...question, limit: 0, from: undefined })), next: undefined };
  const then = from ? asOf : (rows[0]?.moment ?? 0);
  const [shown, next] = paged(rows, limit, (last) => [last.moment, last.seq, then]);
  return {
    answers: shown.map(({ observation, successor }) => ({ observation, successor, similarity: 0 })),
    total: rows[0]?.total ?? 0,
    next,
    isAnswered: true,
    asked: await readQuestion(tx, question.query),
  };
}

/** When an observation was changed last before a page was shown whose newest one is of this moment. */
function momentAsOf(asOf: number) {
  return sql`case when o.updated_at <= ${asOf} then o.updated_at else coalesce((
    select max(v.replaced_at) from observation_revisions as v
    where v.observation_id = o.id and v.replaced_at <= ${asOf}), o.created_at) end`;
}

async function bestObservations(tx: Tx, question: ObservationQuestion): Promise<Page> {
  const { query = '', from: [from] = [], limit, isBrief } = question;
  const eligible = eligibleObservations(question);
  const { next, ranked, isAll, ...best } = await bestAnswers(tx, query, { limit, isBrief, from, eligible });
  const terms = best.asked.found;
  const matched = isAll || terms.length === 0 ? 0 : await countObservations(tx, terms, question);
  return { ...best, total: Math.max(matched, ranked), next: next === undefined ? undefined : [next] };
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
