import { sql } from 'kysely';
import type { Decision } from '../domain/decision.ts';
import { GROWTH, WINDOW } from './best-chains.ts';
import { findDecisions } from './decision.ts';
import { findObservations, type StoredObservation } from './observation.ts';
import { readQuestion } from './question.ts';
import { type Relevant, relevantRecords } from './relevance.ts';
import type { Unit } from './unit.ts';

/** A record of any kind that answers a question. A decision is the newest of its chain, whichever version matched. */
export type Found = { similarity: number } & (
  | { kind: 'decision'; decision: Decision }
  | { kind: 'observation'; observation: StoredObservation }
  | { kind: 'memo'; id: string; summary: string; createdAt: number }
  | { kind: 'checkpoint'; id: string; summary: string; nextSteps: string | null; createdAt: number }
);

/**
 * Searches every kind of record at once, best first.
 * @param project only observations of this project, when given; other kinds belong to none
 * @returns `more`: whether something else was found too
 */
export async function searchEverything(
  unit: Unit,
  query: string,
  limit: number,
  project?: string,
): Promise<{ found: Found[]; more: boolean }> {
  const asked = await readQuestion(unit, query);
  const [terms = []] = asked.batches;
  if (terms.length === 0 && !unit.meaning) return { found: [], more: false };
  for (let size = WINDOW; ; size *= GROWTH) {
    const { records, isAll } = await relevantRecords(unit, asked, terms, size);
    // Some are passed over: other versions of a chain, what was deleted. Texts may be long: not all are read.
    const found = await load(unit, records.slice(0, 4 * limit + 1), project);
    if (!isAll && found.length <= limit && records.length <= 4 * limit) continue;
    return { found: found.slice(0, limit), more: found.length > limit };
  }
}

/** The records themselves, in the order given; one entry for each chain. */
async function load(unit: Unit, records: Relevant[], project: string | undefined): Promise<Found[]> {
  const of = (kind: Relevant['kind']) =>
    unit.list(records.filter((each) => each.kind === kind).map(({ seq }) => seq));
  const heads = await headsOf(unit, of('decision'));
  const observations = await observationsOf(unit, of('observation'), project);
  const { rows: memos } = await sql<{ seq: number; id: string; summary: string; createdAt: number }>`
    select m.seq, m.id, m.summary, m.created_at from (${of('memo')}) as wanted join memos as m on m.seq = wanted.id
  `.execute(unit.db);
  const { rows: checkpoints } = await sql<{
    seq: number;
    id: string;
    summary: string;
    nextSteps: string | null;
    createdAt: number;
  }>`
    select c.seq, c.id, c.summary, c.next_steps, c.created_at
    from (${of('checkpoint')}) as wanted join checkpoints as c on c.seq = wanted.id
  `.execute(unit.db);
  const bySeq = new Map<number, Omit<Found, 'similarity'>>([
    ...[...heads].map(([seq, decision]) => [seq, { kind: 'decision', decision }] as const),
    ...[...observations].map(([seq, observation]) => [seq, { kind: 'observation', observation }] as const),
    ...memos.map(({ seq, ...memo }) => [seq, { kind: 'memo', ...memo }] as const),
    ...checkpoints.map(({ seq, ...checkpoint }) => [seq, { kind: 'checkpoint', ...checkpoint }] as const),
  ]);
  const seen = new Set<unknown>();
  return records.flatMap(({ seq, similarity }) => {
    const record = bySeq.get(seq) as Found | undefined;
    const identity = record?.kind === 'decision' ? record.decision.rootId : seq;
    if (!record || seen.has(identity)) return [];
    seen.add(identity);
    return [{ ...record, similarity }];
  });
}

/** The newest version of the chain of each of these versions, by the version's number. */
async function headsOf(unit: Unit, versions: ReturnType<Unit['list']>): Promise<Map<number, Decision>> {
  const { rows } = await sql<{ seq: number; head: string }>`
    select d.seq, (select h.id from decisions as h where h.root_id = d.root_id order by h.version desc limit 1) as head
    from (${versions}) as wanted join decisions as d on d.seq = wanted.id
  `.execute(unit.db);
  const heads = new Map(
    (await findDecisions(unit, [...new Set(rows.map(({ head }) => head))])).map((head) => [head.id, head]),
  );
  return new Map(rows.map(({ seq, head }) => [seq, heads.get(head) as Decision]));
}

/** Those that are not deleted, by number. */
async function observationsOf(
  unit: Unit,
  seqs: ReturnType<Unit['list']>,
  project: string | undefined,
): Promise<Map<number, StoredObservation>> {
  const { rows } = await sql<{ id: number }>`
    select o.id from (${seqs}) as wanted join observations as o on o.seq = wanted.id
    where o.deleted_at is null ${project === undefined ? sql`` : sql`and o.project = ${project}`}
  `.execute(unit.db);
  const found = await findObservations(
    unit,
    rows.map(({ id }) => id),
  );
  return new Map(found.map((observation) => [observation.seq, observation]));
}
