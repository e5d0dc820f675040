import { type RawBuilder, sql } from 'kysely';
import { isThere, nothing, type Past, since, there, type View } from './past.ts';

/** Observations by their revisions and the list of changes. A record that was deleted for good is in no past. */
export function observationViews(past: Past): View[] {
  const { at, table } = past;
  return [
    ...observations(past),
    {
      name: 'observation_revisions',
      rows: sql`select x.* from ${table('observation_revisions')} as x where x.replaced_at <= ${at}
        and ${isThere('observations', sql`x.observation_id`)}`,
    },
    { name: 'relations', rows: relations(past) },
  ];
}

/** The state of an observation before the first change of each kind that came later; without one, its state now. */
function observations({ at, table, text, number }: Past): View[] {
  const [revisions, changes] = [table('observation_revisions'), table('changes')];
  // A text that is entered later with a date replaces, as of that date, one that was replaced since by mistake.
  const last = sql`(select coalesce(max(p.revision), 0) from ${revisions} as p
    where p.observation_id = o.id and p.replaced_at <= ${at})`;
  const replaced = (column: string) => sql`(select ${sql.ref(`r.${column}`)} from ${revisions} as r
    where r.observation_id = o.id and r.revision > ${last} order by r.revision limit 1)`;
  const later = (kinds: RawBuilder<unknown>) => sql`from ${changes} as c
    where c.record_seq = o.seq and c.kind in (${kinds}) and c.created_at > ${at}`;
  const moved = later(sql`'moved'`);
  const was = (said: string, present: RawBuilder<unknown>) => sql`case when exists (select 1 ${moved})
    then (select ${text(sql.ref('c.before'), said)} ${moved} order by c.seq limit 1) else ${present} end`;
  const hidden = later(sql`'deleted', 'restored'`);
  const deletedBefore = sql`(select max(c.created_at) from ${changes} as c
    where c.record_seq = o.seq and c.kind = 'deleted' and c.created_at <= ${at})`;
  const touched = sql`(select max(t.at) from (
    select o.created_at as at
    union all select r.replaced_at from ${revisions} as r where r.observation_id = o.id and r.replaced_at <= ${at}
    union all select c.created_at from ${changes} as c where c.record_seq = o.seq
      and c.kind in ('moved', 'deleted', 'restored') and c.created_at <= ${at}) as t)`;
  const project = sql`coalesce(${was('project', sql`o.project`)}, '')`;
  const saved = sql`from ${table('observations')} as o where o.created_at <= ${at}`;
  const narrow = { name: there('observations'), rows: sql`select o.id, o.seq ${saved}` };
  const rows = sql`select o.id, o.seq, coalesce(${replaced('title')}, o.title) as title,
      coalesce(${replaced('content')}, o.content) as content, o.content_hash,
      coalesce(${replaced('type')}, o.type) as type, ${project} as project,
      ${was('scope', sql`o.scope`)} as scope, ${was('topicKey', sql`o.topic_key`)} as topic_key,
      coalesce(${replaced('revision')} - 1, o.revision_count) as revision_count,
      o.duplicate_count - (select count(*) ${later(sql`'repeated'`)}) as duplicate_count, o.created_at,
      case when o.updated_at <= ${at} then o.updated_at else ${touched} end as updated_at, o.last_seen_at,
      case (select c.kind ${hidden} order by c.seq limit 1) when 'deleted' then null
        when 'restored' then coalesce(
          (select ${number(sql.ref('c.before'), 'deletedAt')} ${hidden} order by c.seq limit 1), ${deletedBefore})
        else o.deleted_at end as deleted_at,
      coalesce(${replaced('writer')}, o.writer) as writer
    ${saved}`;
  return [narrow, { name: 'observations', rows }];
}

/** Those that are there, and those that were removed later; a removed one has lost its note for good. */
function relations({ at, table, text, number, lost }: Past): RawBuilder<unknown> {
  const current = sql`select x.* from ${table('relations')} as x
    where x.created_at <= ${at} and ${isThere('observations', sql`x.from_id`)} and ${isThere('observations', sql`x.to_id`)}`;
  if (!lost.relations) return current;
  const before = sql.ref('c.before');
  const value = (name: string) => number(before, name);
  return sql`${current} union all
    select ${value('relation')}, ${value('from')}, ${value('to')}, ${text(before, 'type')}, null, ${value('createdAt')},
      ${value('writer')}, null from ${table('changes')} as c
    where c.kind = 'unrelated' and c.created_at > ${at} and ${value('createdAt')} <= ${at}
      and ${isThere('observations', value('from'))} and ${isThere('observations', value('to'))}`;
}

/**
 * Memos and their keywords. How often a keyword was visited, and how strong its connections were, is counted and not
 * kept: no answer about the past shows it, so the graph is left out.
 */
export function memoViews(past: Past): View[] {
  const { at, table, number } = past;
  const changes = table('changes');
  // Each step of an exploration found keywords, or was written down since it found none.
  const depth = sql`(select min(t.depth) from (
    select m.search_depth as depth
    union all select l.depth - 1 from ${table('memo_links')} as l
      where l.memo_seq = m.seq and l.depth > 0 and l.created_at > ${at}
    union all select ${number(sql.ref('c.before'), 'searchDepth')} from ${changes} as c
      where c.record_seq = m.seq and c.kind = 'explored' and c.created_at > ${at}) as t)`;
  const replaced = (
    column: string,
  ) => sql`coalesce((select ${sql.ref(`r.${column}`)} from ${table('memo_revisions')} as r
    where r.memo_seq = m.seq and r.replaced_at > ${at} order by r.revision limit 1), ${sql.ref(`m.${column}`)})`;
  return [
    {
      name: 'keywords',
      // A memo that was entered later (U-7) may be about a keyword that was made after its date.
      rows: sql`select x.* from ${table('keywords')} as x where x.created_at <= ${at}
        or exists (select 1 from ${table('memo_links')} as l where l.keyword_seq = x.seq and l.created_at <= ${at})`,
    },
    nothing(past, 'keyword_relations'),
    nothing(past, 'keyword_connections'),
    { ...since(past, 'memos', 'created_at'), name: there('memos') },
    {
      name: 'memos',
      rows: sql`select m.seq, m.id, ${replaced('summary')} as summary, ${replaced('full_text')} as full_text,
          m.source, ${depth} as search_depth, m.created_at from ${table('memos')} as m where m.created_at <= ${at}`,
    },
    since(past, 'memo_revisions', 'replaced_at'),
    since(past, 'memo_links', 'created_at'),
    nothing(past, 'conversations'),
  ];
}
