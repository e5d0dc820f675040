import { sql } from 'kysely';
import { findObservations, type StoredObservation } from '../observations/observation.ts';
import type { Tx } from '../tx.ts';
import type { Eligible, Relevant } from './hits.ts';
import { batchesOf, type Question, readQuestion } from './question.ts';
import { rankAnswers } from './rank.ts';

export interface ObservationQuestion {
  /** Without one, or with a blank one, the newest are listed. */
  query?: string | undefined;
  type?: string | undefined;
  project?: string | undefined;
  scope?: string | undefined;
  limit: number;
}

/**
 * Finds observations that are not deleted, those that answer best first; filters apply before the limit, and ties go to
 * the newest. Without a query it lists the newest.
 */
export async function searchObservations(
  tx: Tx,
  question: ObservationQuestion,
): Promise<{
  hits: { observation: StoredObservation; similarity: number }[];
  total: number;
  /** The question as it was read. */
  asked: Question;
}> {
  const asked = await readQuestion(tx, question.query);
  if (asked.findsNothing && !tx.meaning) return { hits: [], total: 0, asked };
  for await (const terms of batchesOf(tx, asked, passing(question))) {
    const { found, total } =
      terms.length === 0 && !tx.meaning
        ? await newestObservations(tx, question)
        : await bestObservations(tx, asked, terms, question);
    if (total === 0) continue;
    const ids = found.map((row) => row.id);
    const observations = new Map((await findObservations(tx, ids)).map((each) => [each.id, each]));
    return {
      hits: found.map(({ id, similarity }) => ({
        observation: observations.get(id) as StoredObservation,
        similarity,
      })),
      total,
      asked,
    };
  }
  return { hits: [], total: 0, asked };
}

interface Page {
  found: { id: number; similarity: number }[];
  total: number;
}

async function newestObservations(tx: Tx, question: ObservationQuestion): Promise<Page> {
  const { rows } = await sql<{ id: number; total: number }>`
    select o.id, count(*) over () as total from observations as o where ${filters(question)}
    order by o.updated_at desc, o.seq desc limit ${question.limit}
  `.execute(tx.db);
  return { found: rows.map(({ id }) => ({ id, similarity: 0 })), total: rows[0]?.total ?? 0 };
}

async function bestObservations(
  tx: Tx,
  asked: Question,
  terms: string[],
  question: ObservationQuestion,
): Promise<Page> {
  const search = { asked, terms, eligible: passing(question), wanted: question.limit };
  const { answers, isAll } = await rankAnswers(tx, search, async (records) => {
    const ids = await passingIds(tx, records, question);
    return {
      answers: records.flatMap(({ seq, similarity }) => {
        const id = ids.get(seq);
        return id === undefined ? [] : [{ id, similarity }];
      }),
    };
  });
  const matched = isAll || terms.length === 0 ? 0 : await countObservations(tx, terms, question);
  return { found: answers.slice(0, question.limit), total: Math.max(matched, answers.length) };
}

/** The ids of those records that are observations and pass the filter, by `seq`. */
async function passingIds(
  tx: Tx,
  records: Relevant[],
  question: ObservationQuestion,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; seq: number }>`
    select o.id, o.seq from (${tx.lists.numbers(records.map(({ seq }) => seq))}) as wanted
    join observations as o on o.seq = wanted.id where ${filters(question)}
  `.execute(tx.db);
  return new Map(rows.map(({ id, seq }) => [seq, id]));
}

async function countObservations(tx: Tx, terms: string[], question: ObservationQuestion): Promise<number> {
  // Deleted ones are not in the index (R-7): without a filter the row itself, with its long text, need not be read.
  const isFiltered = [question.type, question.project, question.scope].some((each) => each !== undefined);
  const counted = await sql<{ count: number }>`
    select count(*) as count from (${tx.text.matching(terms)}) as found
    cross join observations as o where o.seq = found.seq and ${isFiltered ? filters(question) : sql`1 = 1`}
  `.execute(tx.db);
  return counted.rows[0]?.count ?? 0;
}

/** The observations that pass the filter. */
function passing(question: ObservationQuestion): Eligible {
  return sql`r.seq in (select o.seq from observations as o where ${filters(question)})`;
}

function filters({ type, project, scope }: ObservationQuestion) {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${value}`;
  return sql`o.deleted_at is null and ${is('o.type', type)} and ${is('o.project', project)} and ${is('o.scope', scope)}`;
}
