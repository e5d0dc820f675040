import { sql } from 'kysely';
import { findObservations, type StoredObservation } from './observation.ts';
import { readQuestion, similaritiesOf } from './question.ts';
import type { Unit } from './unit.ts';

export interface ObservationQuestion {
  /** None, or blank, lists the newest. */
  query?: string | undefined;
  type?: string | undefined;
  project?: string | undefined;
  scope?: string | undefined;
  limit: number;
}

/** Finds observations that are not deleted: BM25, filters before the limit; ties go to the newest. */
export async function searchObservations(
  unit: Unit,
  question: ObservationQuestion,
): Promise<{ hits: { observation: StoredObservation; similarity: number }[]; total: number }> {
  const asked = await readQuestion(unit, question.query);
  if (asked.findsNothing) return { hits: [], total: 0 };
  for (const terms of asked.batches) {
    const found = await matchingObservations(unit, terms, question);
    const total = found[0]?.total ?? 0;
    if (total === 0) continue;
    const ids = found.map((row) => row.id);
    const observations = new Map((await findObservations(unit, ids)).map((each) => [each.id, each]));
    const seqs = found.map((row) => row.seq);
    const similarities = await similaritiesOf(unit, seqs, asked);
    return {
      hits: found.map(({ id, seq }) => ({
        observation: observations.get(id) as StoredObservation,
        similarity: similarities.get(seq) ?? 0,
      })),
      total,
    };
  }
  return { hits: [], total: 0 };
}

async function matchingObservations(unit: Unit, terms: string[], question: ObservationQuestion) {
  const { type, project, scope, limit } = question;
  const source =
    terms.length > 0
      ? unit.text.hits(terms)
      : sql<{ seq: number; score: number }>`select seq, 0 as score from observations`;
  const is = (column: string, value: string | undefined) =>
    value === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${value}`;
  const found = await sql<{ id: number; seq: number; total: number }>`
    with hits as materialized (${source})
    select o.id, o.seq, count(*) over () as total
    from hits join observations as o on o.seq = hits.seq
    where o.deleted_at is null and ${is('o.type', type)} and ${is('o.project', project)} and ${is('o.scope', scope)}
    order by hits.score desc, o.updated_at desc, o.seq desc limit ${limit}
  `.execute(unit.db);
  return found.rows;
}
