import { type RawBuilder, sql } from 'kysely';
import {
  type Correction,
  readSentences,
  sentencesOf,
  stillSays,
  termsToCount,
} from '../../domain/copies/copies.ts';
import type { Decision } from '../../domain/decision.ts';
import { subjectTerms } from '../../domain/language/subject.ts';
import { tellingTerms } from '../../domain/ranking/closeness.ts';
import { COMMON } from '../../domain/ranking/weights.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { SUCCESSOR } from './successors.ts';

/** A correction, and the record that it was made in. */
export interface Corrected extends Correction {
  /** The chain, and its first version that does not say the old text; none if a note was corrected. */
  rootId?: string;
  from?: number;
  /** The note. */
  observation?: number;
}

/** A record that still says what was corrected. */
export interface Copy {
  kind: 'decision' | 'observation' | 'memo';
  id: string;
  /** Topic or title. */
  title: string | null;
  text: string;
  createdAt: number;
}

/** A version that a record still says, and what took its place. */
export interface Outdated {
  was: Pick<Decision, 'rootId' | 'topic' | 'version' | 'text'>;
  now: Pick<Decision, 'id' | 'version' | 'text' | 'withdrawn' | 'outcome'>;
}

/** Records that are compared, and of the documents found those that are looked at. */
const COMPARED = 30;
const FOUND = 300;
/** Characters read of a record. */
const READ = 2_000;

/** The records that still say what was corrected, the closest first (CC-1): computed for each answer, and stored nowhere. */
export async function copiesOf(tx: Tx, corrected: Corrected): Promise<Copy[]> {
  const { rootId = '', from = 0, observation = 0 } = corrected;
  const terms = termsToCount(corrected);
  const frequencies = await tx.text.frequencies(tx.db, terms, COMMON);
  const telling = tellingTerms(subjectTerms(corrected.old.slice(0, READ)).keys(), frequencies);
  if (telling.length === 0) return [];
  const rows = await query<Copy>(tx)`
    with found as materialized (select hits.seq, hits.score from (${tx.text.hits(telling)}) as hits
      order by hits.score desc, hits.seq desc limit ${FOUND})
    select near.kind, near.id, near.title, near.text, near.created_at from (
      select found.seq, found.score, 'decision' as kind, d.id, d.topic as title, d.text, d.created_at
      from found join decisions as d on d.seq = found.seq
      where ${STANDS} and d.root_id <> ${rootId} and not ${isLinked(sql`d.id`, sql`${rootId}`, sql`${from}`)}
      union all select found.seq, found.score, 'observation', cast(o.id as text), o.title, substr(o.content, 1, ${READ}), o.created_at
      from found join observations as o on o.seq = found.seq
      where o.deleted_at is null and o.id <> ${observation} and ${SUCCESSOR} is null
        and not ${isAside(sql`o.content`, sql`${rootId}`, sql`${from}`)}
      union all select found.seq, found.score, 'memo', m.id, null, substr(m.full_text, 1, ${READ}), m.created_at
      from found join memos as m on m.seq = found.seq
      where not ${isAside(sql`m.full_text`, sql`${rootId}`, sql`${from}`)}
    ) as near where ${notRetracted('near.seq')} order by near.score desc, near.seq desc limit ${COMPARED}`;
  const sentences = rows.flatMap((row, at) =>
    sentencesOf(row.text).map((text) => ({ text, about: row.title ?? undefined, at })),
  );
  const twins = stillSays(corrected, readSentences(sentences), frequencies);
  return [...new Set(twins.map(({ at }) => sentences[at]?.at))].flatMap((at) => rows[at ?? -1] ?? []);
}

/**
 * What a record still says though it was replaced, withdrawn or failed under another topic: of each chain the version that it is
 * closest to (CC-1).
 * @param id of a decision; undefined for another record
 */
export async function outdatedIn(
  tx: Tx,
  { id = '', rootId = '', title, text }: { id?: string; rootId?: string; title: string | null; text: string },
): Promise<Outdated[]> {
  const own = [...subjectTerms(text.slice(0, READ)).keys()];
  const telling = tellingTerms(own, await tx.text.frequencies(tx.db, own, COMMON));
  if (telling.length === 0) return [];
  const rows = await query<
    Pick<Decision, 'rootId' | 'topic' | 'version' | 'text' | 'outcome'> & {
      head: string;
      headVersion: number;
      headText: string;
      headWithdrawn: number;
    }
  >(tx)`
    with found as materialized (select hits.seq, hits.score from (${tx.text.hits(telling)}) as hits
      order by hits.score desc, hits.seq desc limit ${FOUND}),
    said as materialized (select d.seq, d.root_id, d.topic, d.version, d.text, d.is_active, d.outcome, found.score,
        (select n.seq from decisions as n where n.root_id = d.root_id order by n.version desc limit 1) as newest
      from found join decisions as d on d.seq = found.seq
      where d.root_id <> ${rootId} and ${notRetracted('d.seq')}),
    linked as materialized (
      select v.root_id, v.version from decision_edges as e join decisions as v on v.id = e.to_id
        where e.from_id = ${id} and e.relationship <> 'supersedes'
      union all select v.root_id, v.version from decision_edges as e join decisions as v on v.id = e.from_id
        where e.to_id = ${id} and e.relationship <> 'supersedes')
    select said.root_id, said.topic, said.version, said.text, h.outcome, h.id as head, h.version as head_version,
      h.text as head_text, h.withdrawn as head_withdrawn
    from said join decisions as h on h.seq = said.newest
    where (said.is_active = 0 or said.outcome = 'failed')
      and (said.text <> h.text or h.withdrawn = 1 or h.outcome = 'failed')
      and not exists (select 1 from linked where linked.root_id = said.root_id
        and linked.version >= said.version + case when said.version = h.version then 0 else 1 end)
    order by said.score desc, said.seq desc limit ${COMPARED}`;
  if (rows.length === 0) return [];
  const corrections = rows.map(({ text, headText, headWithdrawn, outcome }) => ({
    old: text,
    next: headWithdrawn === 1 || outcome === 'failed' ? undefined : headText,
  }));
  const frequencies = await tx.text.frequencies(
    tx.db,
    [...new Set(corrections.flatMap(termsToCount))],
    COMMON,
  );
  const readings = readSentences(
    sentencesOf(text).map((each) => ({ text: each, about: title ?? undefined })),
  );
  const found = rows.flatMap((row, at) => {
    const closeness = stillSays(corrections[at] as Correction, readings, frequencies)[0]?.closeness;
    const isSettled = new RegExp(`alongside: ${row.head}`).test(text);
    return closeness === undefined || isSettled ? [] : [{ ...row, closeness }];
  });
  const closest = found.sort((a, b) => b.closeness - a.closeness);
  return [...new Map(closest.toReversed().map((row) => [row.rootId, row])).values()].reverse().map((row) => ({
    was: row,
    now: {
      id: row.head,
      version: row.headVersion,
      text: row.headText,
      withdrawn: row.headWithdrawn === 1,
      outcome: row.outcome,
    },
  }));
}

/** What was replaced, withdrawn or failed last: of each chain what its newest version corrects, the newest first. */
export async function newestCorrections(tx: Tx, limit: number): Promise<Corrected[]> {
  const rows = await query<
    Pick<Decision, 'rootId' | 'version' | 'text' | 'outcome'> & { withdrawn: number; was: string | null }
  >(tx)`
    select * from (select d.root_id, d.version, d.text, d.outcome, d.withdrawn, d.updated_at, d.seq,
        (select v.text from decisions as v where v.root_id = d.root_id and v.version < d.version
          and v.text <> d.text and ${notRetracted('v.seq')} order by v.version desc limit 1) as was
      from decisions as d
      where (d.version > 1 or d.outcome = 'failed') and ${notRetracted('d.seq')}
        and d.version = (select max(n.version) from decisions as n where n.root_id = d.root_id)
    ) as head where was is not null or withdrawn = 1 or outcome = 'failed'
    order by updated_at desc, seq desc limit ${limit}`;
  return rows.map(({ rootId, version, withdrawn, was, text, outcome }) =>
    withdrawn === 1 || outcome === 'failed' || was === null
      ? { rootId, from: version, old: text }
      : { rootId, from: version, old: was, next: text },
  );
}

/** What is decided still, and did not fail, among `decisions as d`. */
const STANDS = sql`d.is_active = 1 and d.withdrawn = 0 and coalesce(d.outcome, '') <> 'failed'`;

type Sql = RawBuilder<unknown>;

/** Whether a decision links a version of a chain, or the other way round. @param from the first version that counts */
const isLinked = (id: Sql, rootId: Sql, from: Sql) => sql`exists (select 1 from decisions as v
  join decision_edges as e on e.relationship <> 'supersedes'
    and (e.to_id = v.id and e.from_id = ${id} or e.from_id = v.id and e.to_id = ${id})
  where v.root_id = ${rootId} and v.version >= ${from})`;

/** Whether a text says of a version of a chain that both hold. */
const isAside = (text: Sql, rootId: Sql, from: Sql) => sql`exists (select 1 from decisions as v
  where v.root_id = ${rootId} and v.version >= ${from} and ${text} like '%alongside: ' || v.id || '%')`;
