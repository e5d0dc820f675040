import { sql } from 'kysely';
import { FOUND_KINDS, type RecordKind } from '../../domain/kinds.ts';
import type { Pair, Surroundings } from '../../domain/ranking/context.ts';
import type { Frequencies } from '../../domain/ranking/similarity.ts';
import { LINKS_FOLLOWED } from '../../domain/ranking/weights.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import type { Hit } from './hits.ts';

/** The records around the hits: saved directly before and after them in their sessions, or related to them. */
export async function surroundings(tx: Tx, hits: Hit[]): Promise<Surroundings> {
  const [adjacent, related] = await together(nextInSession(tx, hits), relatedTo(tx, hits));
  return {
    next: adjacent.flatMap(({ seq, before, after }) => gains(seq, before, after)),
    second: adjacent.flatMap(({ seq, before2, after2 }) => gains(seq, before2, after2)),
    related: related.flatMap(({ seq, other }) => gains(seq, other)),
  };
}

/** Those of the surrounding records that are no hits and have a word of the question: they may answer in context. */
export async function neighboursOf(
  tx: Tx,
  hits: Hit[],
  around: Surroundings,
  terms: string[],
  { of }: Frequencies,
): Promise<Hit[]> {
  const known = new Set(hits.map(({ seq }) => seq));
  const others = Object.values(around).flatMap((pairs: Pair[]) => pairs.map(({ to }) => to));
  const unknown = [...new Set(others)].filter((seq) => !known.has(seq));
  const most = terms.reduce((sum, term) => sum + (of.get(term) ?? 0), 0);
  const matched = await tx.text.termsIn(tx.db, unknown, terms, most);
  const answering = unknown.filter((seq) => (matched.get(seq)?.size ?? 0) > 0);
  if (answering.length === 0) return [];
  const { rows } = await sql<Pick<Hit, 'seq' | 'kind' | 'session'>>`
    select r.seq, r.kind, r.session as session from (${tx.lists.numbers(answering)}) as wanted
    join records as r on r.seq = wanted.id
  `.execute(tx.db);
  return rows.map((row) => ({ ...row, score: 0, matched: matched.get(row.seq) ?? new Set(), sources: [] }));
}

/** Two records before and two after each hit in its session; null where the session begins or ends. */
type InSession = { seq: number } & Record<'before' | 'before2' | 'after' | 'after2', number | null>;

async function nextInSession(tx: Tx, hits: Hit[]): Promise<InSession[]> {
  const before = (column: string) => sql`(
    select max(r.seq) from records as r where r.session = own.session and r.seq < ${sql.ref(column)}
      and ${SAVED_BY_ITSELF})`;
  const after = (column: string) => sql`(
    select min(r.seq) from records as r where r.session = own.session and r.seq > ${sql.ref(column)}
      and ${SAVED_BY_ITSELF})`;
  // Materialized, so that SQLite looks for the nearest once, and not again for each that follows.
  const { rows } = await sql<InSession>`
    with own as materialized (
      select own.seq, own.session, ${before('own.seq')} as before, ${after('own.seq')} as after
      from (${tx.lists.numbers(hits.map(({ seq }) => seq))}) as wanted join records as own on own.seq = wanted.id
    )
    select own.seq, own.before, own.after, ${before('own.before')} as before2, ${after('own.after')} as after2
    from own
  `.execute(tx.db);
  return rows;
}

/** Records that are a step of a session; evidence, outcomes and anchors belong to another record. */
const SAVED_BY_ITSELF = sql`r.kind in (${sql.join(FOUND_KINDS.map((kind) => sql.lit(kind)))})
  and r.retracted_at is null`;

/**
 * The other ends of the relations of observations and of the edges of decisions, the newest first. The hits are looked up once
 * for both directions, and cross joins have SQLite begin with them.
 */
async function relatedTo(tx: Tx, hits: Hit[]): Promise<{ seq: number; other: number }[]> {
  const ofKind = (kind: RecordKind) =>
    tx.lists.numbers(hits.filter((hit) => hit.kind === kind).map(({ seq }) => seq));
  // A chain is one answer: that a version supersedes another brings nothing in.
  const { rows } = await sql<{ seq: number; other: number }>`
    with o as materialized (
      select a.seq, a.id from (${ofKind('observation')}) as wanted join observations as a on a.seq = wanted.id
    ), d as materialized (
      select a.seq, a.id from (${ofKind('decision')}) as wanted join decisions as a on a.seq = wanted.id
    )
    select distinct seq, other from (
      select o.seq, b.seq as other from o cross join relations as l cross join observations as b
        where l.from_id = o.id and b.id = l.to_id
      union all select o.seq, b.seq from o cross join relations as l cross join observations as b
        where l.to_id = o.id and b.id = l.from_id
      union all select d.seq, b.seq from d cross join decision_edges as l cross join decisions as b
        where l.from_id = d.id and l.relationship <> 'supersedes' and b.id = l.to_id
      union all select d.seq, b.seq from d cross join decision_edges as l cross join decisions as b
        where l.to_id = d.id and l.relationship <> 'supersedes' and b.id = l.from_id
    ) as links order by seq desc, other desc limit ${LINKS_FOLLOWED}
  `.execute(tx.db);
  return rows;
}

/** A pair for each record around a hit; null is the end of a session. */
function gains(from: number, ...around: (number | null)[]): Pair[] {
  const pairs: Pair[] = [];
  for (const to of around) if (to !== null) pairs.push({ to, from });
  return pairs;
}
