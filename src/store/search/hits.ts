import { type RawBuilder, sql } from 'kysely';
import type { RecordKind } from '../../domain/kinds.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { SHARES, STRETCH_TOKENS } from '../../domain/ranking/weights.ts';
import type { Document } from '../engine.ts';
import { STORED } from '../kinds/kinds.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** A record that answers a question, ranked. */
export interface Relevant {
  seq: number;
  kind: RecordKind;
  /** Higher is better. */
  score: number;
  /** The share of the question's information that it matched, 0..1. */
  similarity: number;
  /** How near its meaning is to the question's, as the cosine, 0..1; undefined without a model or a vector (Q-4). */
  nearness?: number | undefined;
}

/** How much a record says of a question: by its words, and by its meaning. */
export type Shares = Pick<Relevant, 'similarity' | 'nearness'>;

/** A record that has words of a question, not ranked yet. */
export interface Hit {
  seq: number;
  kind: RecordKind;
  /** The session that it was saved in, as the number of its first writer. */
  session: number;
  /** BM25. */
  score: number;
  /** The terms that it has. */
  matched: ReadonlySet<string>;
  /** The documents that contain these: itself, and its evidence. */
  sources: number[];
  /** Its text, where the index keeps it. */
  text?: Document | undefined;
}

/** A hit with its BM25 score only; its text is not loaded yet. */
type Unread = Omit<Hit, 'matched' | 'sources' | 'text'>;

/** The records that may be an answer, as a condition on `records as r`. Their neighbours may be any record. */
export type Eligible = RawBuilder<unknown>;

/** The order of answers: by score, the newer first when equal. */
export function bestFirst(a: Relevant, b: Relevant): number {
  return b.score - a.score || b.seq - a.seq;
}

/** The best hits of the text index for any of these terms, best first. */
export async function bestHits(tx: Tx, terms: string[], size: number, eligible?: Eligible): Promise<Hit[]> {
  const rows = await bestRecords(tx, terms, size, eligible);
  const seqs = rows.map(({ seq }) => seq);
  const { matched, kept } = await tx.text.read(tx.db, seqs, terms, STRETCH_TOKENS);
  const texts = new Map(kept.map((text) => [text.seq, text]));
  return rows.map((row) => ({
    ...row,
    matched: matched.get(row.seq) ?? new Set(),
    sources: [row.seq],
    text: texts.get(row.seq),
  }));
}

/** {@link bestHits} without the terms and the text of each. */
async function bestRecords(tx: Tx, terms: string[], size: number, eligible?: Eligible): Promise<Unread[]> {
  const hits = tx.text.hits(terms);
  const source = eligible
    ? sql`(${hits}) as hits join records as r on r.seq = hits.seq where ${eligible}`
    : sql`(${hits}) as hits`;
  return query<Unread>(tx)`
    select best.seq, best.score, r.kind, r.session as session
    from (
      select hits.seq, hits.score from ${source} order by hits.score desc, hits.seq desc limit ${size}
    ) as best join records as r on r.seq = best.seq`;
}

/** Credits hits in evidence to the decision, which need not have a word of the question itself; an undone decision gains nothing (K-6). */
export async function withEvidence(tx: Tx, hits: Hit[]): Promise<Hit[]> {
  const grounds = hits.filter(({ kind }) => kind === 'evidence');
  if (grounds.length === 0) return hits;
  const rows = await query<{ ground: number; seq: number; session: number }>(tx)`
    select e.seq as ground, d.seq, r.session as session
    from (${tx.lists.numbers(grounds.map(({ seq }) => seq))}) as wanted join evidence as e on e.seq = wanted.id
    join decisions as d on d.id = e.decision_ref join records as r on r.seq = d.seq
    where ${notRetracted('d.seq')} order by e.seq`;
  const bySeq = new Map(hits.map((hit) => [hit.seq, hit]));
  for (const { ground, seq, session } of rows) {
    const from = bySeq.get(ground) as Hit;
    const to = bySeq.get(seq) ?? {
      seq,
      session,
      kind: 'decision',
      score: 0,
      matched: new Set<string>(),
      sources: [],
    };
    bySeq.set(seq, {
      ...to,
      score: to.score + SHARES.evidence * from.score,
      matched: new Set([...to.matched, ...from.matched]),
      sources: [...to.sources, ground],
    });
  }
  return [...bySeq.values()].filter(({ kind }) => kind !== 'evidence');
}

/** Records looked at for a word: a title weighs more than other text, so that one with the word is among the best. */
const LOOKED_AT = 5;

/** Which of these words are in the topic of a decision or the title of an observation. */
export async function wordsInTitles(tx: Tx, words: string[]): Promise<Set<string>> {
  const asked: { word: string; terms: string[]; seqs: number[] }[] = [];
  for (const word of words) {
    const terms = queryTerms(word);
    const records = terms.length > 0 ? await bestRecords(tx, terms, LOOKED_AT) : [];
    if (records.length > 0) asked.push({ word, terms, seqs: records.map(({ seq }) => seq) });
  }
  const titles = await titlesOf(tx, [...new Set(asked.flatMap(({ seqs }) => seqs))]);
  const isInTitle = ({ terms, seqs }: { terms: string[]; seqs: number[] }) =>
    seqs.some((seq) => terms.every((term) => titles.get(seq)?.has(term)));
  return new Set(asked.filter(isInTitle).map(({ word }) => word));
}

/** The terms of the topics and titles of these records, by their numbers. */
async function titlesOf(tx: Tx, seqs: number[]): Promise<Map<number, Set<string>>> {
  if (seqs.length === 0) return new Map();
  const wanted = tx.lists.numbers(seqs);
  const titles = Object.values(STORED).flatMap(({ table, title }) => {
    if (title === undefined) return [];
    const column = sql.ref(`t.${title}`);
    return [
      sql`select t.seq, ${column} as title from (${wanted}) as wanted join ${sql.table(table)} as t on t.seq = wanted.id
        where ${column} is not null`,
    ];
  });
  const rows = await query<{ seq: number; title: string }>(tx)`${sql.join(titles, sql` union all `)}`;
  return new Map(rows.map(({ seq, title }) => [seq, new Set(queryTerms(title))]));
}
