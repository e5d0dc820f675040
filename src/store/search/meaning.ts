import { sql } from 'kysely';
import type { RecordKind } from '../../domain/kinds.ts';
import { joined, nearness } from '../../domain/ranking/meaning.ts';
import { NEAR, NEAREST } from '../../domain/ranking/weights.ts';
import type { Meaning, Tx } from '../tx.ts';
import { bestFirst, type Eligible, type Relevant } from './hits.ts';

/** The records whose meaning is nearest, with their nearness as score; evidence counts for its decision. */
export async function byMeaning(tx: Tx, { model, vector }: Meaning, eligible: Eligible): Promise<Relevant[]> {
  const nearest = await tx.vectors.nearest(tx.db, model, vector, NEAREST, eligible);
  const near = nearest.filter(({ similarity }) => similarity >= NEAR);
  const { rows } = await sql<{ seq: number; kind: RecordKind; current: number }>`
    select wanted.id as seq, coalesce(d.seq, wanted.id) as current,
      case when d.seq is null then r.kind else 'decision' end as kind
    from (${tx.lists.numbers(near.map(({ seq }) => seq))}) as wanted join records as r on r.seq = wanted.id
    left join evidence as e on e.seq = wanted.id left join decisions as d on d.id = e.decision_ref
  `.execute(tx.db);
  const places = new Map(rows.map(({ seq, ...place }) => [seq, place]));
  const scores = nearness(near.map(({ similarity }) => similarity));
  const found = new Map<number, Relevant>();
  for (const [index, { seq, similarity }] of near.entries()) {
    const { current = seq, kind = 'decision' } = places.get(seq) ?? {};
    if (!found.has(current))
      found.set(current, { seq: current, kind, score: scores[index] ?? 0, similarity });
  }
  return [...found.values()];
}

/** Joins the ranking by words and that by meaning. The similarity of a record without a vector is the one by words. */
export async function withMeaning(
  tx: Tx,
  { model, vector }: Meaning,
  byWords: Relevant[],
  near: Relevant[],
): Promise<Relevant[]> {
  const seqs = byWords.map(({ seq }) => seq);
  const cosines = await tx.vectors.similarities(tx.db, model, vector, seqs);
  for (const { seq, similarity } of near) cosines.set(seq, similarity);
  const scoreOf = ({ seq, score }: Relevant) => [seq, score] as const;
  const scores = joined(new Map(byWords.map(scoreOf)), new Map(near.map(scoreOf)));
  return [...new Map([...near, ...byWords].map((record) => [record.seq, record])).values()]
    .map((record) => ({
      ...record,
      score: scores.get(record.seq) ?? 0,
      similarity: Math.max(0, cosines.get(record.seq) ?? record.similarity),
    }))
    .sort(bestFirst);
}
