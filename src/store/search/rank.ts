import { type RawBuilder, sql } from 'kysely';
import { fuse, type Pair, SHARES, type Surroundings, scoresInContext } from '../../domain/ranking/context.ts';
import { similarity } from '../../domain/ranking/similarity.ts';
import type { RecordKind } from '../schema.ts';
import type { Meaning, Tx } from '../tx.ts';
import type { Question } from './question.ts';

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

/** Which records may be an answer, as a condition on `records as r`; what stands around them may be any. */
export type Eligible = RawBuilder<unknown>;

/** Hits ranked anew at first. Looking at more changes little; looking around them changes much. */
const WINDOW = 100;
const GROWTH = 8;
/** Answers that are looked for however few are asked for: what comes first seldom depends on the limit. */
const ENOUGH = 25;

/**
 * The records that answer a question, best first, the newer first when equal. The hundred best hits of BM25, and what
 * stands around them and has a word of the question, are ranked anew: by the share of the question that each answers,
 * and by its context. A decision also answers with the words of its evidence. When the filter leaves too few of them,
 * the best of those that pass join in. When the question has a meaning, the order by meaning is joined to that, and
 * similarity is the cosine.
 * @param answers makes answers of records, several of which may belong to one
 * @param wanted how many answers are asked for
 * @returns `isAll` when no record that passes was left out
 */
export async function relevantAnswers<Answer>(
  tx: Tx,
  asked: Question,
  terms: string[],
  eligible: Eligible,
  answers: (records: Relevant[]) => Promise<Answer[]>,
  wanted: number,
): Promise<{ answers: Answer[]; isAll: boolean }> {
  const near = tx.meaning ? await byMeaning(tx, tx.meaning, eligible) : [];
  const best = terms.length > 0 ? await bestHits(tx, terms, WINDOW) : [];
  let hits = best;
  let isAll = best.length < WINDOW;
  for (let size = WINDOW; ; size *= GROWTH) {
    const byWords = hits.length > 0 ? await rankHits(tx, asked, terms, hits) : [];
    const records = tx.meaning ? await withMeaning(tx, tx.meaning, byWords, near) : byWords;
    const found = await answers(records);
    if (isAll || found.length >= Math.max(ENOUGH, wanted)) return { answers: found, isAll };
    const passing = await bestHits(tx, terms, size, eligible);
    hits = [...new Map([...best, ...passing].map((hit) => [hit.seq, hit])).values()];
    isAll = passing.length < size;
  }
}

async function rankHits(tx: Tx, asked: Question, terms: string[], found: Hit[]): Promise<Relevant[]> {
  const hits = await withEvidence(tx, found);
  const around = await surroundings(tx, hits);
  const wanted = [...terms, ...asked.missing];
  const answers = [...hits, ...(await neighboursOf(tx, hits, around, terms))].map((hit) => {
    const answered = similarity(wanted, hit.matched, asked.frequencies);
    return { ...hit, similarity: answered, own: hit.score * answered };
  });
  const scores = scoresInContext(answers, around, asked.frequencies);
  return answers
    .map(({ seq, kind, similarity }): Relevant => ({ seq, kind, similarity, score: scores.get(seq) ?? 0 }))
    .sort(bestFirst);
}

function bestFirst(a: Relevant, b: Relevant): number {
  return b.score - a.score || b.seq - a.seq;
}

/** Joins both orders; what no model has looked at keeps its place among the words, and its similarity. */
async function withMeaning(
  tx: Tx,
  { model, vector }: Meaning,
  byWords: Relevant[],
  near: Relevant[],
): Promise<Relevant[]> {
  const seqs = byWords.map(({ seq }) => seq);
  const cosines = await tx.vectors.similarities(tx.db, model, vector, seqs);
  for (const { seq, similarity } of near) cosines.set(seq, similarity);
  const unseen = new Set(seqs.filter((seq) => !cosines.has(seq)));
  const scores = fuse(
    seqs,
    near.map(({ seq }) => seq),
    unseen,
  );
  return [...new Map([...near, ...byWords].map((record) => [record.seq, record])).values()]
    .map((record) => ({
      ...record,
      score: scores.get(record.seq) ?? 0,
      similarity: Math.max(0, cosines.get(record.seq) ?? record.similarity),
    }))
    .sort(bestFirst);
}

/** Records that are looked at for their meaning; and how near they must be at least: what is farther is noise. */
const NEAREST = 30;
const NEAR = 0.25;

/** The records whose meaning is nearest; a ground stands for its decision. */
async function byMeaning(tx: Tx, { model, vector }: Meaning, eligible: Eligible): Promise<Relevant[]> {
  const nearest = await tx.vectors.nearest(tx.db, model, vector, NEAREST, eligible);
  const near = nearest.filter(({ similarity }) => similarity >= NEAR);
  const { rows } = await sql<{ seq: number; kind: RecordKind; stands: number }>`
    select wanted.id as seq, coalesce(d.seq, wanted.id) as stands,
      case when d.seq is null then r.kind else 'decision' end as kind
    from (${tx.list(near.map(({ seq }) => seq))}) as wanted join records as r on r.seq = wanted.id
    left join evidence as e on e.seq = wanted.id left join decisions as d on d.id = e.decision_ref
  `.execute(tx.db);
  const places = new Map(rows.map(({ seq, ...place }) => [seq, place]));
  const found = new Map<number, Relevant>();
  for (const { seq, similarity } of near) {
    const { stands = seq, kind = 'decision' } = places.get(seq) ?? {};
    if (!found.has(stands)) found.set(stands, { seq: stands, kind, score: 0, similarity });
  }
  return [...found.values()];
}

async function bestHits(tx: Tx, terms: string[], size: number, eligible?: Eligible): Promise<Hit[]> {
  const hits = tx.text.hits(terms);
  const source = eligible
    ? sql`(${hits}) as hits join records as r on r.seq = hits.seq where ${eligible}`
    : sql`(${hits}) as hits`;
  const { rows } = await sql<Omit<Hit, 'matched'>>`
    select best.seq, best.score, r.kind, r.session_id as session
    from (
      select hits.seq, hits.score from ${source} order by hits.score desc, hits.seq desc limit ${size}
    ) as best join records as r on r.seq = best.seq
  `.execute(tx.db);
  const seqs = rows.map(({ seq }) => seq);
  const matched = await tx.text.matched(tx.db, seqs, terms);
  return rows.map((row) => ({ ...row, matched: matched.get(row.seq) ?? new Set() }));
}

/** Puts what a ground answered to the account of its decision, which may have no word of the question itself. */
async function withEvidence(tx: Tx, hits: Hit[]): Promise<Hit[]> {
  const grounds = hits.filter(({ kind }) => kind === 'evidence');
  if (grounds.length === 0) return hits;
  const { rows } = await sql<{ ground: number; seq: number; session: string }>`
    select e.seq as ground, d.seq, r.session_id as session
    from (${tx.list(grounds.map(({ seq }) => seq))}) as wanted join evidence as e on e.seq = wanted.id
    join decisions as d on d.id = e.decision_ref join records as r on r.seq = d.seq
    order by e.seq
  `.execute(tx.db);
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
async function surroundings(tx: Tx, hits: Hit[]): Promise<Surroundings> {
  const listed = tx.list(hits.map(({ seq }) => seq));
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
  const of = (kind: RecordKind) => tx.list(hits.filter((hit) => hit.kind === kind).map(({ seq }) => seq));
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
    ) as links order by one desc, other desc limit ${LINKS}
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
async function neighboursOf(tx: Tx, hits: Hit[], around: Surroundings, terms: string[]): Promise<Hit[]> {
  const known = new Set(hits.map(({ seq }) => seq));
  const others = Object.values(around).flatMap((pairs: Pair[]) => pairs.map(({ to }) => to));
  const unknown = [...new Set(others)].filter((seq) => !known.has(seq));
  const matched = await tx.text.matched(tx.db, unknown, terms);
  const answering = unknown.filter((seq) => (matched.get(seq)?.size ?? 0) > 0);
  if (answering.length === 0) return [];
  const { rows } = await sql<Pick<Hit, 'seq' | 'kind' | 'session'>>`
    select r.seq, r.kind, r.session_id as session from (${tx.list(answering)}) as wanted
    join records as r on r.seq = wanted.id
  `.execute(tx.db);
  return rows.map((row) => ({ ...row, score: 0, matched: matched.get(row.seq) ?? new Set() }));
}
