import { sql } from 'kysely';
import { fuse, type Pair, SHARES, type Surroundings, scoresInContext } from '../domain/context.ts';
import { similarity } from '../domain/ranking.ts';
import type { Question } from './question.ts';
import type { RecordKind } from './schema.ts';
import type { Meaning, Unit } from './unit.ts';

/** A record that answers a question. */
export interface Relevant {
  seq: number;
  kind: RecordKind;
  /** Higher is better. */
  score: number;
  /** The share of the question's information that it matched, 0..1. */
  similarity: number;
}

interface Hit {
  seq: number;
  kind: RecordKind;
  session: string;
  /** BM25. */
  score: number;
  /** Which of the terms stand in it. */
  matched: ReadonlySet<string>;
}

/**
 * The records of every kind that answer a question, best first, the newer first when equal. The `size` best hits of
 * BM25, and what stands around them and has a word of the question, are ranked anew: by the share of the question that
 * each answers, and by its context. A decision also answers with the words of its evidence. When the question has a
 * meaning, the order by meaning is joined to that, and similarity is the cosine.
 * @returns `isAll` when there were no more hits than that
 */
export async function relevantRecords(
  unit: Unit,
  asked: Question,
  terms: string[],
  size: number,
): Promise<{ records: Relevant[]; isAll: boolean }> {
  const { records, isAll } = terms.length > 0 ? await byWords(unit, asked, terms, size) : NOTHING;
  if (!unit.meaning) return { records, isAll };
  const near = await byMeaning(unit, unit.meaning, size);
  const scores = fuse([records, near].map((order) => order.map(({ seq }) => seq)));
  const known = new Map([...records, ...near].map((record) => [record.seq, record]));
  const cosines = new Map(near.map(({ seq, similarity }) => [seq, similarity]));
  const fused = [...known.values()]
    .map((record) => ({
      ...record,
      score: scores.get(record.seq) ?? 0,
      similarity: cosines.get(record.seq) ?? 0,
    }))
    .sort((a, b) => b.score - a.score || b.seq - a.seq);
  return { records: fused, isAll: isAll && near.length < size };
}

const NOTHING: { records: Relevant[]; isAll: boolean } = { records: [], isAll: true };

async function byWords(unit: Unit, asked: Question, terms: string[], size: number) {
  const found = await bestHits(unit, terms, size);
  const hits = await withEvidence(unit, found);
  const around = await surroundings(unit, hits);
  const wanted = [...terms, ...asked.missing];
  const answers = [...hits, ...(await neighboursOf(unit, hits, around, terms))].map((hit) => {
    const answered = similarity(wanted, hit.matched, asked.frequencies);
    return { ...hit, similarity: answered, own: hit.score * answered };
  });
  const scores = scoresInContext(answers, around, asked.frequencies);
  const records = answers
    .map(({ seq, kind, similarity }): Relevant => ({ seq, kind, similarity, score: scores.get(seq) ?? 0 }))
    .sort((a, b) => b.score - a.score || b.seq - a.seq);
  return { records, isAll: found.length < size };
}

/** The records whose meaning is nearest; a ground stands for its decision. */
async function byMeaning(unit: Unit, { model, vector }: Meaning, size: number): Promise<Relevant[]> {
  const near = await unit.vectors.nearest(unit.db, model, vector, size);
  const { rows } = await sql<{ seq: number; kind: RecordKind; stands: number }>`
    select wanted.id as seq, coalesce(d.seq, wanted.id) as stands,
      case when d.seq is null then r.kind else 'decision' end as kind
    from (${unit.list(near.map(({ seq }) => seq))}) as wanted join records as r on r.seq = wanted.id
    left join evidence as e on e.seq = wanted.id left join decisions as d on d.id = e.decision_ref
  `.execute(unit.db);
  const places = new Map(rows.map(({ seq, ...place }) => [seq, place]));
  const found = new Map<number, Relevant>();
  for (const { seq, similarity } of near) {
    const { stands = seq, kind = 'decision' } = places.get(seq) ?? {};
    if (!found.has(stands)) found.set(stands, { seq: stands, kind, score: 0, similarity });
  }
  return [...found.values()];
}

async function bestHits(unit: Unit, terms: string[], size: number): Promise<Hit[]> {
  const { rows } = await sql<Omit<Hit, 'matched'>>`
    select best.seq, best.score, r.kind, r.session_id as session
    from (
      select seq, score from (${unit.text.hits(terms)}) as hits order by score desc, seq desc limit ${size}
    ) as best join records as r on r.seq = best.seq
  `.execute(unit.db);
  const seqs = rows.map(({ seq }) => seq);
  const matched = await unit.text.matched(unit.db, seqs, terms);
  return rows.map((row) => ({ ...row, matched: matched.get(row.seq) ?? new Set() }));
}

/** Puts what a ground answered to the account of its decision, which may have no word of the question itself. */
async function withEvidence(unit: Unit, hits: Hit[]): Promise<Hit[]> {
  const grounds = hits.filter(({ kind }) => kind === 'evidence');
  if (grounds.length === 0) return hits;
  const { rows } = await sql<{ ground: number; seq: number; session: string }>`
    select e.seq as ground, d.seq, r.session_id as session
    from (${unit.list(grounds.map(({ seq }) => seq))}) as wanted join evidence as e on e.seq = wanted.id
    join decisions as d on d.id = e.decision_ref join records as r on r.seq = d.seq
    order by e.seq
  `.execute(unit.db);
  const bySeq = new Map(hits.map((hit) => [hit.seq, hit]));
  for (const { ground, seq, session } of rows) {
    const from = bySeq.get(ground) as Hit;
    const to = bySeq.get(seq) ?? { seq, session, kind: 'decision', score: 0, matched: new Set<string>() };
    bySeq.set(seq, {
      ...to,
      score: to.score + SHARES.evidence * from.score,
      matched: new Set([...to.matched, ...from.matched]),
    });
  }
  return [...bySeq.values()].filter(({ kind }) => kind !== 'evidence');
}

/** Links followed at most from the best hits: a hub does not bring in everything. */
const LINKS = 1_000;

/** What was saved directly before and after the hits in their sessions, and what they are related to. */
async function surroundings(unit: Unit, hits: Hit[]): Promise<Surroundings> {
  const listed = unit.list(hits.map(({ seq }) => seq));
  const beside = (edge: 'max' | 'min', of: string) => sql`(
    select ${sql.raw(edge)}(r.seq) from records as r where r.session_id = own.session_id
      and r.seq ${sql.raw(edge === 'max' ? '<' : '>')} ${sql.ref(of)}
      and r.kind in ('decision', 'observation', 'memo', 'checkpoint'))`;
  const { rows: order } = await sql<Record<'seq' | 'before' | 'after' | 'before2' | 'after2', number>>`
    select own.seq, own.before, own.after, ${beside('max', 'own.before')} as before2,
      ${beside('min', 'own.after')} as after2
    from (
      select own.seq, own.session_id, ${beside('max', 'own.seq')} as before, ${beside('min', 'own.seq')} as after
      from (${listed}) as wanted join records as own on own.seq = wanted.id
    ) as own
  `.execute(unit.db);
  const { rows: related } = await sql<{ one: number; other: number }>`
    select a.seq as one, b.seq as other from observations as a join relations as r on r.from_id = a.id
      join observations as b on b.id = r.to_id where a.seq in (${listed})
    union select a.seq, b.seq from observations as a join relations as r on r.to_id = a.id
      join observations as b on b.id = r.from_id where a.seq in (${listed})
    union select a.seq, b.seq from decisions as a join decision_edges as e on e.from_id = a.id
      join decisions as b on b.id = e.to_id where a.seq in (${listed}) and e.relationship <> 'supersedes'
    union select a.seq, b.seq from decisions as a join decision_edges as e on e.to_id = a.id
      join decisions as b on b.id = e.from_id where a.seq in (${listed}) and e.relationship <> 'supersedes'
    order by one desc, other desc limit ${LINKS}
  `.execute(unit.db);
  return {
    next: order.flatMap(({ seq, before, after }) => [pair(seq, before), pair(seq, after)]),
    second: order.flatMap(({ seq, before2, after2 }) => [pair(seq, before2), pair(seq, after2)]),
    related: related.map(({ one, other }) => pair(one, other)),
  };
}

function pair(one: number, other: number): Pair {
  return { to: other, from: one };
}

/** Those of the records around the hits that have a word of the question: they may answer in their context. */
async function neighboursOf(unit: Unit, hits: Hit[], around: Surroundings, terms: string[]): Promise<Hit[]> {
  const known = new Set(hits.map(({ seq }) => seq));
  const others = Object.values(around).flatMap((pairs: Pair[]) => pairs.map(({ to }) => to));
  const unknown = [...new Set(others)].filter((seq) => seq !== null && !known.has(seq));
  const matched = await unit.text.matched(unit.db, unknown, terms);
  const answering = unknown.filter((seq) => (matched.get(seq)?.size ?? 0) > 0);
  if (answering.length === 0) return [];
  const { rows } = await sql<Pick<Hit, 'seq' | 'kind' | 'session'>>`
    select r.seq, r.kind, r.session_id as session from (${unit.list(answering)}) as wanted
    join records as r on r.seq = wanted.id
  `.execute(unit.db);
  return rows.map((row) => ({ ...row, score: 0, matched: matched.get(row.seq) ?? new Set() }));
}
