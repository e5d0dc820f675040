import { sql } from 'kysely';
import { findObservations, type StoredObservation } from './observation.ts';
import { type Question, readQuestion } from './question.ts';
import { relevantAnswers } from './relevance.ts';
import type { Unit } from './unit.ts';

export interface ObservationQuestion {
  /** None, or blank, lists the newest. */
  query?: string | undefined;
  type?: string | undefined;
  project?: string | undefined;
  scope?: string | undefined;
  limit: number;
}

/**
 * Finds observations that are not deleted: those that answer best, filters before the limit; ties go to the newest.
 * Without a query the newest are listed.
 */
export async function searchObservations(
  unit: Unit,
  question: ObservationQuestion,
): Promise<{ hits: { observation: StoredObservation; similarity: number }[]; total: number }> {
  const asked = await readQuestion(unit, question.query);
  if (asked.findsNothing && !unit.meaning) return { hits: [], total: 0 };
  for (const terms of asked.batches) {
    const { found, total } =
      terms.length === 0 && !unit.meaning
        ? await newestObservations(unit, question)
        : await bestObservations(unit, asked, terms, question);
    if (total === 0) continue;
    const ids = found.map((row) => row.id);
    const observations = new Map((await findObservations(unit, ids)).map((each) => [each.id, each]));
    return {
      hits: found.map(({ id, similarity }) => ({
        observation: observations.get(id) as StoredObservation,
        similarity,
      })),
      total,
    };
  }
  return { hits: [], total: 0 };
}

interface Found {
  found: { id: number; similarity: number }[];
  total: number;
}

async function newestObservations(unit: Unit, question: ObservationQuestion): Promise<Found> {
  const { rows } = await sql<{ id: number; total: number }>`
    select o.id, count(*) over () as total from observations as o where ${filters(question)}
    order by o.updated_at desc, o.seq desc limit ${question.limit}
  `.execute(unit.db);
  return { found: rows.map(({ id }) => ({ id, similarity: 0 })), total: rows[0]?.total ?? 0 };
}

async function bestObservations(
  unit: Unit,
  asked: Question,
  terms: string[],
  question: ObservationQuestion,
): Promise<Found> {
  const passing = sql`select o.seq from observations as o where ${filters(question)}`;
  const { answers: found, isAll } = await relevantAnswers(
    unit,
    asked,
    terms,
    sql`r.seq in (${passing})`,
    async (records) => {
      const { rows } = await sql<{ id: number; seq: number }>`
        select o.id, o.seq from (${unit.list(records.map(({ seq }) => seq))}) as wanted
        join observations as o on o.seq = wanted.id where ${filters(question)}
      `.execute(unit.db);
      const ids = new Map(rows.map(({ id, seq }) => [seq, id]));
      return records.flatMap(({ seq, similarity }) => {
        const id = ids.get(seq);
        return id === undefined ? [] : [{ id, similarity }];
      });
    },
    question.limit,
  );
  const matched = isAll || terms.length === 0 ? 0 : await countObservations(unit, terms, question);
  return { found: found.slice(0, question.limit), total: Math.max(matched, found.length) };
}

async function countObservations(
  unit: Unit,
  terms: string[],
  question: ObservationQuestion,
): Promise<number> {
  // What was deleted is not in the index (R-7): without a filter the row itself, with its long text, is not read.
  const isFiltered = [question.type, question.project, question.scope].some((each) => each !== undefined);
  const counted = await sql<{ count: number }>`
    select count(*) as count from (${unit.text.found(terms)}) as found
    cross join observations as o where o.seq = found.seq and ${isFiltered ? filters(question) : sql`1 = 1`}
  `.execute(unit.db);
  return counted.rows[0]?.count ?? 0;
}

function filters({ type, project, scope }: ObservationQuestion) {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${value}`;
  return sql`o.deleted_at is null and ${is('o.type', type)} and ${is('o.project', project)} and ${is('o.scope', scope)}`;
}
