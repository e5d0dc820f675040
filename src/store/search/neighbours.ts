import { sql } from 'kysely';
import type { Pair, Surroundings } from '../../domain/ranking/context.ts';
import { LINKS_FOLLOWED } from '../../domain/ranking/weights.ts';
import type { RecordKind } from '../schema.ts';
import type { Tx } from '../tx.ts';
import type { Hit } from './hits.ts';

/** What was saved directly before and after the hits in their sessions, and what they are related to. */
export async function surroundings(tx: Tx, hits: Hit[]): Promise<Surroundings> {
  const listed = tx.lists.numbers(hits.map(({ seq }) => seq));
  const beside = (edge: 'max' | 'min', of: string) => sql`(
    select ${sql.raw(edge)}(r.seq) from records as r where r.session_id = own.session_id
      and r.seq ${sql.raw(edge === 'max' ? '<' : '>')} ${sql.ref(of)}
      and r.kind in ('decision', 'observation', 'memo', 'checkpoint'))`;
  const { rows: order } = await sql<
    { seq: number } & Record<'before' | 'after' | 'before2' | 'after2', number | null>
  >`
    select own.seq, own.before, own.after, ${beside('max', 'own.before')} as before2,
      ${beside('min', 'own.after')} as after2
    from (
      select own.seq, own.session_id, ${beside('max', 'own.seq')} as before, ${beside('min', 'own.seq')} as after
      from (${listed}) as wanted join records as own on own.seq = wanted.id
    ) as own
  `.execute(tx.db);
  const of = (kind: RecordKind) =>
    tx.lists.numbers(hits.filter((hit) => hit.kind === kind).map(({ seq }) => seq));
  const { rows: related } = await sql<{ one: number; other: number }>`
    select distinct one, other from (
      select a.seq as one, b.seq as other from (${of('observation')}) as wanted
        join observations as a on a.seq = wanted.id join relations as r on r.from_id = a.id
        join observations as b on b.id = r.to_id
      union all select a.seq, b.seq from (${of('observation')}) as wanted
        join observations as a on a.seq = wanted.id join relations as r on r.to_id = a.id
        join observations as b on b.id = r.from_id
      union all select a.seq, b.seq from (${of('decision')}) as wanted
        join decisions as a on a.seq = wanted.id join decision_edges as e on e.from_id = a.id
        join decisions as b on b.id = e.to_id where e.relationship <> 'supersedes'
      union all select a.seq, b.seq from (${of('decision')}) as wanted
        join decisions as a on a.seq = wanted.id join decision_edges as e on e.to_id = a.id
        join decisions as b on b.id = e.from_id where e.relationship <> 'supersedes'
    ) as links order by one desc, other desc limit ${LINKS_FOLLOWED}
  `.execute(tx.db);
  return {
    next: order.flatMap(({ seq, before, after }) => gains(seq, before, after)),
    second: order.flatMap(({ seq, before2, after2 }) => gains(seq, before2, after2)),
    related: related.flatMap(({ one, other }) => gains(one, other)),
  };
}

/** What stands around a hit gains from it; at the ends of a session nothing does. */
function gains(from: number, ...around: (number | null)[]): Pair[] {
  return around.flatMap((to) => (to === null ? [] : [{ to, from }]));
}

/** Those of the records around the hits that have a word of the question: they may answer in their context. */
export async function neighboursOf(
  tx: Tx,
  hits: Hit[],
  around: Surroundings,
  terms: string[],
): Promise<Hit[]> {
  const known = new Set(hits.map(({ seq }) => seq));
  const others = Object.values(around).flatMap((pairs: Pair[]) => pairs.map(({ to }) => to));
  const unknown = [...new Set(others)].filter((seq) => !known.has(seq));
  const matched = await tx.text.termsIn(tx.db, unknown, terms);
  const answering = unknown.filter((seq) => (matched.get(seq)?.size ?? 0) > 0);
  if (answering.length === 0) return [];
  const { rows } = await sql<Pick<Hit, 'seq' | 'kind' | 'session'>>`
    select r.seq, r.kind, r.session_id as session from (${tx.lists.numbers(answering)}) as wanted
    join records as r on r.seq = wanted.id
  `.execute(tx.db);
  return rows.map((row) => ({ ...row, score: 0, matched: matched.get(row.seq) ?? new Set() }));
}
