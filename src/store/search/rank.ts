import { sql } from 'kysely';
import { FOUND_KINDS, type RecordKind } from '../../domain/kinds.ts';
import { analyse, wordsOfToken } from '../../domain/language/analysis.ts';
import { isAnswered, type Ranked, worthReading } from '../../domain/ranking/answered.ts';
import { type Pair, type Surroundings, scoresInContext } from '../../domain/ranking/context.ts';
import { differs, joined, nearness, weightOf } from '../../domain/ranking/meaning.ts';
import { type Frequencies, information, similarity } from '../../domain/ranking/similarity.ts';
import { bestStretch, type Stretch } from '../../domain/ranking/stretch.ts';
import {
  ENOUGH,
  GROWTH,
  LINKS_FOLLOWED,
  NEAR,
  NEAREST,
  STRETCH_TOKENS,
  WINDOW,
} from '../../domain/ranking/weights.ts';
import { textPieces } from '../../domain/text/text-pieces.ts';
import type { Document } from '../engine.ts';
import { Pauses } from '../pauses.ts';
import { query, together } from '../statements.ts';
import type { Meaning, Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';
import { bestFirst, bestHits, type Eligible, type Hit, type Relevant, withEvidence } from './hits.ts';
import { answering, inOneScript, type Question, similaritiesOf, wordsOf } from './question.ts';
import { trialOfModel } from './trial.ts';

/** A search as the ranking needs it. */
export interface Search {
  asked: Question;
  eligible: Eligible;
  /** How many answers are asked for. */
  wanted: number;
  /** Whether the records around each one are ignored, which costs half as much. */
  isAlone?: boolean | undefined;
}

/**
 * Ranks the records that answer a question, the newer first when equal.
 *
 * 1. The best hits of BM25 (`WINDOW`) are read; a decision answers with the words of its evidence, too.
 * 2. The records around them that have a word of the question become candidates.
 * 3. Each scores by BM25, times the share of the question that its best stretch answers, and by its context.
 * 4. With a model, the records nearest in meaning score higher. A model that tells no record from another, or that found
 *    nothing when it was tried, is ignored.
 *
 * While too few answers pass the filter, more hits that pass it are read (`GROWTH`). The first `ENOUGH` answers keep their
 * places and later ones follow, so that pages of any size agree on one order (W-6).
 * @param group turns records into answers; several records may form one answer, which `key` identifies
 * @returns `isAll`: no record that passes was left out; `isAnswered`: the best answers cover enough of the question, or a
 *   model that was tried finds one nearer than those that do not answer; `worth`: how many are worth reading
 */
export async function rankAnswers<Answer extends Ranked & { key: string | number }>(
  tx: Tx,
  { asked, eligible, wanted, isAlone = false }: Search,
  group: (records: Relevant[]) => Promise<Answer[]>,
): Promise<{ answers: Answer[]; isAll: boolean; isAnswered: boolean; worth: number }> {
  const { found: terms } = asked;
  const near = tx.meaning && (await byMeaning(tx, tx.meaning, eligible));
  const best = terms.length > 0 ? await bestHits(tx, terms, WINDOW) : [];
  let hits = best;
  let isAll = best.length < WINDOW;
  let answers: Answer[] = [];
  for (let size = WINDOW; ; size *= GROWTH) {
    const byWords = hits.length > 0 ? await rankHits(tx, { asked, isAlone }, hits) : [];
    const records = near ? await withMeaning(tx, near, asked, byWords) : byWords;
    const settled = answers.length < ENOUGH ? [] : answers;
    answers = withNew(settled, await group(records));
    if (isAll || answers.length >= Math.max(ENOUGH, wanted)) {
      const said = near?.isAnswer || isAnswered(answers, wordsOf(asked), inOneScript(asked));
      return { answers, isAll, isAnswered: said, worth: worthReading(answers, said) };
    }
    const passing = await bestHits(tx, terms, size, eligible);
    hits = [...new Map([...best, ...passing].map((hit) => [hit.seq, hit])).values()];
    isAll = passing.length < size;
  }
}

/** The answers that keep their places, then the new ones. */
function withNew<Answer extends { key: string | number }>(settled: Answer[], found: Answer[]): Answer[] {
  const known = new Set(settled.map(({ key }) => key));
  return [...settled, ...found.filter(({ key }) => !known.has(key))];
}

async function rankHits(tx: Tx, { asked, isAlone }: Pick<Search, 'asked' | 'isAlone'>, found: Hit[]) {
  const { found: terms } = asked;
  const hits = await withEvidence(tx, found);
  const around = isAlone ? ALONE : await surroundings(tx, hits);
  const wanted = [...terms, ...asked.missing];
  const answeredBy = answering(asked);
  const all = [...hits, ...(await neighboursOf(tx, hits, around, terms, asked.frequencies))];
  const read = [...new Set(all.flatMap(({ seq, sources }) => [seq, ...sources]))];
  const known = new Map(found.flatMap(({ text }) => (text ? [[text.seq, text]] : [])));
  const stretches = await stretchesOf(tx, read, terms, asked.frequencies, known);
  const answers = all.map((hit) => {
    const within = withinAny(hit.sources, stretches);
    return {
      ...hit,
      similarity: answeredBy(hit.matched),
      own: hit.score * similarity(wanted, within, asked.frequencies, asked.given),
      words: stretches.get(hit.seq)?.words ?? 0,
    };
  });
  const scores = scoresInContext(answers, around, asked.frequencies);
  return answers
    .map(({ seq, kind, similarity }): Relevant => ({ seq, kind, similarity, score: scores.get(seq) ?? 0 }))
    .sort(bestFirst);
}

/** The terms in the best stretches of these documents; most records have one. */
function withinAny(seqs: number[], stretches: Map<number, Stretch>): ReadonlySet<string> {
  const [first = NOTHING, ...others] = seqs.map((seq) => stretches.get(seq)?.within ?? NOTHING);
  return others.length === 0 ? first : new Set([first, ...others].flatMap((within) => [...within]));
}

const NOTHING: ReadonlySet<string> = new Set();
const ALONE: Surroundings = { next: [], second: [], related: [] };

/**
 * The stretch of each of these documents that answers the most of a question, by `seq`.
 * @param known the texts of some of them, as the index keeps them
 */
async function stretchesOf(
  tx: Tx,
  seqs: number[],
  terms: string[],
  frequencies: Frequencies,
  known: ReadonlyMap<number, Document>,
): Promise<Map<number, Stretch>> {
  const weights = new Map(terms.map((term) => [term, information(term, frequencies)]));
  const documents = await analysed(tx, seqs, known);
  const stretches = new Map<number, Stretch>();
  const pauses = new Pauses();
  for (const document of documents) {
    await pauses.before(1, document.title.length + document.body.length);
    stretches.set(document.seq, bestStretch(document, weights, wordsOfToken));
  }
  return stretches;
}

/** Documents as tokens separated by spaces, from the index or, where it has none, analysed again. */
async function analysed(tx: Tx, seqs: number[], known: ReadonlyMap<number, Document>): Promise<Document[]> {
  const unread = seqs.filter((seq) => !known.has(seq));
  const read = await tx.text.read(tx.db, unread, [], STRETCH_TOKENS);
  const kept = [...seqs.flatMap((seq) => known.get(seq) ?? []), ...read.kept];
  const found = new Set(kept.map(({ seq }) => seq));
  const unknown = seqs.filter((seq) => !found.has(seq));
  const others = unknown.length > 0 ? await everyDocument(tx, unknown) : [];
  const pauses = new Pauses();
  for (const { seq, title, body } of others)
    kept.push({ seq, title: await firstTokens(title, pauses), body: await firstTokens(body, pauses) });
  return kept;
}

/** The first tokens of a text, separated by spaces: at least as many as are searched for the best stretch. */
async function firstTokens(text: string, pauses: Pauses): Promise<string> {
  let tokens: string[] = [];
  for (const piece of textPieces(text)) {
    await pauses.before(0, piece.length);
    // Not `push(...)`: the tokens of a text without blanks are too many arguments for the stack.
    tokens = tokens.concat(analyse(piece));
    if (tokens.length >= STRETCH_TOKENS) break;
  }
  return tokens.join(' ');
}

/** The records around the hits: saved directly before and after them in their sessions, or related to them. */
async function surroundings(tx: Tx, hits: Hit[]): Promise<Surroundings> {
  const [adjacent, related] = await together(nextInSession(tx, hits), relatedTo(tx, hits));
  return {
    next: adjacent.flatMap(({ seq, before, after }) => gains(seq, before, after)),
    second: adjacent.flatMap(({ seq, before2, after2 }) => gains(seq, before2, after2)),
    related: related.flatMap(({ seq, other }) => gains(seq, other)),
  };
}

/** The surrounding records that are not hits but have a word of the question: they may answer in context. */
async function neighboursOf(tx: Tx, hits: Hit[], around: Surroundings, terms: string[], { of }: Frequencies) {
  const known = new Set(hits.map(({ seq }) => seq));
  const others = Object.values(around).flatMap((pairs: Pair[]) => pairs.map(({ to }) => to));
  const unknown = [...new Set(others)].filter((seq) => !known.has(seq));
  const most = terms.reduce((sum, term) => sum + (of.get(term) ?? 0), 0);
  const matched = await tx.text.termsIn(tx.db, unknown, terms, most);
  const answering = unknown.filter((seq) => (matched.get(seq)?.size ?? 0) > 0);
  if (answering.length === 0) return [];
  const rows = await query<Pick<Hit, 'seq' | 'kind' | 'session'>>(tx)`
    select r.seq, r.kind, r.session as session from (${tx.lists.numbers(answering)}) as wanted
    join records as r on r.seq = wanted.id`;
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
  // Materialized, so that SQLite finds `before` and `after` once, not once more for each use.
  return query<InSession>(tx)`
    with own as materialized (
      select own.seq, own.session, ${before('own.seq')} as before, ${after('own.seq')} as after
      from (${tx.lists.numbers(hits.map(({ seq }) => seq))}) as wanted join records as own on own.seq = wanted.id
    )
    select own.seq, own.before, own.after, ${before('own.before')} as before2, ${after('own.after')} as after2
    from own`;
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
  // A chain is one answer, so `supersedes` links add no record.
  return query<{ seq: number; other: number }>(tx)`
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
    ) as links order by seq desc, other desc limit ${LINKS_FOLLOWED}`;
}

/** A pair for each record around a hit. Null means that the session ends there. */
function gains(from: number, ...around: (number | null)[]): Pair[] {
  const pairs: Pair[] = [];
  for (const to of around) if (to !== null) pairs.push({ to, from });
  return pairs;
}

/** A record ranked by its meaning alone. */
type Near = Omit<Relevant, 'similarity'> & { nearness: number };

/** A model's answer to a question. */
interface ByMeaning extends Meaning {
  near: Near[];
  /** The gain of the nearest record. */
  weight: number;
  /** Whether the nearest is nearer than records that do not answer. */
  isAnswer: boolean;
}

/**
 * The records whose meaning is nearest, with their nearness as score; evidence counts for its decision. Undefined if the
 * model is ignored.
 */
async function byMeaning(tx: Tx, meaning: Meaning, eligible: Eligible): Promise<ByMeaning | undefined> {
  const { model, vector } = meaning;
  const trial = await trialOfModel(tx, model, vector.length);
  const weight = weightOf(trial);
  if (weight === 0) return undefined;
  const nearest = await tx.vectors.nearest(tx.db, model, vector, NEAREST, eligible);
  if (!differs(nearest.map(({ similarity }) => similarity))) return undefined;
  const near = nearest.filter(({ similarity }) => similarity >= NEAR);
  const rows = await query<{ seq: number; kind: RecordKind; current: number }>(tx)`
    select wanted.id as seq, coalesce(d.seq, wanted.id) as current,
      case when d.seq is null then r.kind else 'decision' end as kind
    from (${tx.lists.numbers(near.map(({ seq }) => seq))}) as wanted join records as r on r.seq = wanted.id
    left join evidence as e on e.seq = wanted.id left join decisions as d on d.id = e.decision_ref`;
  const places = new Map(rows.map(({ seq, ...place }) => [seq, place]));
  const scores = nearness(near.map(({ similarity }) => similarity));
  const found = new Map<number, Near>();
  for (const [index, { seq, similarity }] of near.entries()) {
    const { current = seq, kind = 'decision' } = places.get(seq) ?? {};
    if (!found.has(current))
      found.set(current, { seq: current, kind, score: scores[index] ?? 0, nearness: similarity });
  }
  const isAnswer = trial !== undefined && (near[0]?.similarity ?? 0) > trial.stranger;
  return { ...meaning, near: [...found.values()], weight, isAnswer };
}

/** Joins the ranking by words and the ranking by meaning. */
async function withMeaning(
  tx: Tx,
  { model, vector, near, weight }: ByMeaning,
  asked: Question,
  byWords: Relevant[],
): Promise<Relevant[]> {
  const seqs = byWords.map(({ seq }) => seq);
  const cosines = await tx.vectors.similarities(tx.db, model, vector, seqs);
  for (const { seq, nearness } of near) cosines.set(seq, nearness);
  const answered = new Map(byWords.map(({ seq, similarity }) => [seq, similarity]));
  const others = near.map(({ seq }) => seq).filter((seq) => !answered.has(seq));
  for (const [seq, similarity] of await similaritiesOf(tx, others, asked)) answered.set(seq, similarity);
  const scoreOf = ({ seq, score }: Near | Relevant) => [seq, score] as const;
  const isUnknown = (seq: number) => !cosines.has(seq);
  const scores = joined(new Map(byWords.map(scoreOf)), new Map(near.map(scoreOf)), weight, isUnknown);
  return [...new Map([...near, ...byWords].map(({ seq, kind }) => [seq, kind]))]
    .map(([seq, kind]): Relevant => {
      const cosine = cosines.get(seq);
      return {
        seq,
        kind,
        score: scores.get(seq) ?? 0,
        similarity: answered.get(seq) ?? 0,
        nearness: cosine && Math.max(0, cosine),
      };
    })
    .sort(bestFirst);
}
