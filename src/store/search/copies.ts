import { type RawBuilder, sql } from 'kysely';
import { bothHold, nameOfNote } from '../../domain/copies/both-hold.ts';
import {
  type Correction,
  mayStillSay,
  readSentences,
  sentencesOf,
  stillSays,
  termsToCount,
} from '../../domain/copies/copies.ts';
import { subjectTerms } from '../../domain/language/subject.ts';
import { tellingTerms } from '../../domain/ranking/closeness.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { newestStanding } from '../decisions/decision.ts';
import { putOff, readReviewed } from '../reviewed.ts';
import { query } from '../statements.ts';
import { giveWay } from '../turns.ts';
import type { Tx } from '../tx.ts';
import { type Corrected, correctionsOf, type Source } from './corrections.ts';
import { type Counting, counting } from './counting.ts';
import { SUCCESSOR } from './successors.ts';

/** A record that still says what was corrected. */
export interface Copy {
  kind: 'decision' | 'observation' | 'memo';
  id: string;
  /** Topic or title. */
  title: string | null;
  text: string;
  createdAt: number;
}

/** A text that a record still says, and what took its place. */
export type Outdated = Omit<Corrected, 'at'>;

/** Records that are compared, and of the documents found those that are looked at. */
const COMPARED = 12;
const FOUND = 300;
/** Characters read of a record. */
const READ = 2_000;

/** The records that still say what was corrected, the closest first (CC-1): computed for each answer, and stored nowhere. */
export async function copiesOf(
  tx: Tx,
  corrected: Correction & Source,
  count: Counting = counting(tx),
): Promise<Copy[]> {
  const { rootId = '', from = 0, observation = 0, memo = '', next } = corrected;
  const both = observation === 0 || next === undefined ? undefined : bothHold(nameOfNote(next));
  const terms = termsToCount(corrected);
  const frequencies = await count(terms);
  const telling = tellingTerms(subjectTerms(corrected.old.slice(0, READ)).keys(), frequencies);
  if (telling.length === 0) return [];
  const rows = await query<Copy>(tx)`
    with found as materialized (select hits.seq, hits.score from (${tx.text.hits(telling)}) as hits
      order by hits.score desc, hits.seq desc limit ${FOUND})
    select near.kind, near.id, near.title, near.text, near.created_at from (
      select found.seq, found.score, 'decision' as kind, d.id, d.topic as title, d.text, d.created_at
      from found join decisions as d on d.seq = found.seq
      where ${STANDS} and d.root_id <> ${rootId} and not ${isLinked(sql`d.id`, sql`${rootId}`, sql`${from}`)}
        and not ${saysBoth(sql`d.reasoning`, both)}
      union all select found.seq, found.score, 'observation', cast(o.id as text), o.title, substr(o.content, 1, ${READ}), o.created_at
      from found join observations as o on o.seq = found.seq
      where o.deleted_at is null and o.id <> ${observation} and ${SUCCESSOR} is null
        and not ${isAside(sql`o.content`, sql`${rootId}`, sql`${from}`)}
        and not ${saysBoth(sql`o.content`, both)}
      union all select found.seq, found.score, 'memo', m.id, null, substr(m.full_text, 1, ${READ}), m.created_at
      from found join memos as m on m.seq = found.seq
      where m.id <> ${memo} and not ${isAside(sql`m.full_text`, sql`${rootId}`, sql`${from}`)}
        and not ${saysBoth(sql`m.full_text`, both)}
    ) as near order by near.score desc, near.seq desc limit ${COMPARED}`;
  const sentences = rows.flatMap((row, at) =>
    sentencesOf(row.text).map((text) => ({ text, about: row.title ?? undefined, at })),
  );
  const twins = stillSays(corrected, readSentences(sentences), frequencies);
  return [...new Set(twins.map(({ at }) => sentences[at]?.at))].flatMap((at) => rows[at ?? -1] ?? []);
}

/** A record whose text may be outdated; `id` and `rootId` of a decision, `observation` of a note. */
export interface Compared {
  id?: string;
  rootId?: string;
  observation?: number;
  title: string | null;
  text: string;
  reasoning?: string | null;
}

/**
 * Texts that a record still says though they were replaced, withdrawn or failed: of each chain the version closest to it,
 * and notes that another one supersedes (CC-1).
 */
export async function outdatedIn(
  tx: Tx,
  record: Compared,
  count: Counting = counting(tx),
): Promise<Outdated[]> {
  const { id = '', rootId = '', observation = 0, title, reasoning } = record;
  // A reason may say it, too.
  const text = [record.text.slice(0, READ), ...(reasoning ? [parseReasoning(reasoning).prose] : [])].join(
    '\n',
  );
  const own = [...subjectTerms(text.slice(0, READ)).keys()];
  const aside = [...record.text.matchAll(/alongside: (\S+?)[.,;)\]]*(?=\s|$)/g)].map(
    ([, named = '']) => named,
  );
  const telling = tellingTerms(own, await count(own));
  if (telling.length === 0) return [];
  const rows = await query<Outdated & { rootId: string; next: string }>(tx)`
    with found as materialized (select hits.seq, hits.score from (${tx.text.hits(telling)}) as hits
      order by hits.score desc, hits.seq desc limit ${FOUND}),
    said as materialized (select d.seq, d.root_id, d.topic, d.version, d.text, found.score,
        ${newestStanding(sql`d.root_id`)} as newest
      from found join decisions as d on d.seq = found.seq
      where d.root_id <> ${rootId} and (d.is_active = 0 or d.outcome = 'failed')),
    linked as materialized (
      select v.root_id, v.version from decision_edges as e join decisions as v on v.id = e.to_id
        where e.from_id = ${id} and e.relationship <> 'supersedes'
      union all select v.root_id, v.version from decision_edges as e join decisions as v on v.id = e.from_id
        where e.to_id = ${id} and e.relationship <> 'supersedes'
      union all select v.root_id, v.version from (${tx.lists.texts(aside)}) as named join decisions as v on v.id = named.id)
    select * from (
      select said.seq, said.score, said.root_id, h.id, said.topic, said.version, said.text as old,
        h.version as newest, h.text as next,
        case when h.withdrawn = 1 then 'withdrawn' when h.outcome = 'failed' then 'failed' else 'replaced' end as how
      from said join decisions as h on h.seq = said.newest
      where (said.text <> h.text or h.withdrawn = 1 or h.outcome = 'failed')
        and not exists (select 1 from linked where linked.root_id = said.root_id
          and linked.version >= said.version + case when said.version = h.version then 0 else 1 end)
      union all select found.seq, found.score, '#' || o.id, '#' || n.id, n.title, 1, substr(o.content, 1, ${READ}), 2,
        substr(n.content, 1, ${READ}), 'replaced'
      from found join observations as o on o.seq = found.seq join observations as n on n.id = ${SUCCESSOR}
      where o.deleted_at is null and o.id <> ${observation} and n.id <> ${observation}
    ) as ended order by score desc, seq desc limit ${COMPARED}`;
  const readings = readSentences(
    sentencesOf(text).map((each) => ({ text: each, about: title ?? undefined })),
  );
  const isMeant = ({ id, next }: Outdated) =>
    id.startsWith('#') && [text, reasoning].some((said) => said?.includes(bothHold(nameOfNote(next ?? ''))));
  const near = rows
    .filter((row) => !isMeant(row))
    .map((row) => ({ ...row, next: row.how === 'replaced' ? row.next : undefined }))
    // Counting costs most, and most are about something else.
    .filter((row) => mayStillSay(row, readings));
  if (near.length === 0) return [];
  const terms = [...new Set(near.flatMap(termsToCount))];
  const frequencies = await count(terms);
  const found = near.flatMap((row) => {
    const [closest] = stillSays(row, readings, frequencies);
    return closest ? [{ ...row, closeness: closest.closeness }] : [];
  });
  const closest = found.sort((a, b) => a.closeness - b.closeness);
  return [...new Map(closest.map((row) => [row.rootId, row])).values()].reverse();
}

/** A note that was saved. */
export interface SavedNote {
  id: number;
  title: string;
  content: string;
  project?: string | null | undefined;
}

/** The newest note in force that has the title or the text of another one, in the same project. */
export async function sameNote(
  tx: Tx,
  { id, title, content, project }: SavedNote,
  count: Counting,
): Promise<{ id: number; title: string; text: string } | undefined> {
  const own = [...subjectTerms(`${title}\n${content.slice(0, READ)}`).keys()];
  const telling = tellingTerms(own, await count(own));
  if (telling.length === 0) return undefined;
  const [newest] = await query<{ id: number; title: string; text: string }>(tx)`
    select o.id, o.title, substr(o.content, 1, ${READ}) as text
    from (${tx.text.hits(telling)}) as hits join observations as o on o.seq = hits.seq
    where o.id <> ${id} and (o.title = ${title} or o.content = ${content}) and o.project = ${project ?? ''}
      and o.deleted_at is null and ${SUCCESSOR} is null
    order by o.id desc limit 1`;
  return newest;
}

/** Corrections whose copies are looked for at once. */
const CORRECTIONS = 50;

/** The records that still say what was corrected lately, each with what took the place of that (CC-1). */
export async function lateCopies(tx: Tx): Promise<{ copy: Copy; by: Outdated[] }[]> {
  const count = counting(tx);
  const late = new Map<string, { copy: Copy; by: Outdated[] }>();
  for (const corrected of await correctionsOf(tx, CORRECTIONS)) {
    // Others get their turn in between (Z-5).
    await giveWay();
    for (const copy of await copiesOf(tx, corrected, count)) {
      const key = keyOf(copy);
      const { by } = late.get(key) ?? { by: [] };
      if (!by.some(({ id }) => id === corrected.id)) late.set(key, { copy, by: [...by, corrected] });
    }
  }
  return [...late.values()];
}

/** A record by which show reads it: an id, #12. */
export const keyOf = ({ kind, id }: Pick<Copy, 'kind' | 'id'>): string =>
  kind === 'observation' ? `#${id}` : id;

/** How many of them a review names. */
export async function copiesWaiting(tx: Tx): Promise<number> {
  const later = putOff(tx, await readReviewed(tx));
  return (await lateCopies(tx)).filter(({ copy }) => !later.has(keyOf(copy))).length;
}

/** Active decisions that did not fail, among `decisions as d`. */
const STANDS = sql`d.is_active = 1 and coalesce(d.outcome, '') <> 'failed'`;

type Sql = RawBuilder<unknown>;

/** Whether a decision links a version of a chain, or the other way round. @param from the first version that counts */
const isLinked = (id: Sql, rootId: Sql, from: Sql) => sql`exists (select 1 from decisions as v
  join decision_edges as e on e.relationship <> 'supersedes'
    and (e.to_id = v.id and e.from_id = ${id} or e.from_id = v.id and e.to_id = ${id})
  where v.root_id = ${rootId} and v.version >= ${from})`;

/** Whether a text has the line that says that a note holds too. */
const saysBoth = (text: Sql, both: string | undefined) =>
  both === undefined ? sql`1 = 0` : sql`coalesce(${text}, '') like ${`%${both}%`}`;

/** Whether a text says of a version of a chain that both hold. */
const isAside = (text: Sql, rootId: Sql, from: Sql) => sql`exists (select 1 from decisions as v
  where v.root_id = ${rootId} and v.version >= ${from} and ${text} like '%alongside: ' || v.id || '%')`;
