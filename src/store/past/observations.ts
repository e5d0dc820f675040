import { type RawBuilder, sql } from 'kysely';
import type { Past, View } from './past.ts';

/** Observations by their revisions and the list of changes. What was deleted for good is in no past. */
export function observationViews(past: Past): View[] {
  const { at, table } = past;
  return [
    { name: 'observations', rows: observations(past) },
    {
      name: 'observation_revisions',
      rows: sql`select x.* from ${table('observation_revisions')} as x where x.replaced_at <= ${at}
        and ${isThere(sql`x.observation_id`)}`,
    },
    { name: 'relations', rows: relations(past) },
  ];
}

const isThere = (id: RawBuilder<unknown>) =>
  sql`exists (select 1 from observations as there where there.id = ${id})`;

/** What an observation was before the first change of each kind that came later; without one, what it is. */
function observations({ at, table, text, number, part }: Past): RawBuilder<unknown> {
  const [revisions, changes] = [table('observation_revisions'), table('changes')];
  // What is entered later with a date replaces, as of that date, what was replaced since by mistake.
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
  return sql`select o.id, o.seq, coalesce(${replaced('title')}, o.title) as title,
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
    from ${table('observations')} as o where o.created_at <= ${at} ${
      part
        ? part.project === undefined
          ? sql`and 1 = 0`
          : sql`and ${project} = ${sql.lit(part.project)}`
        : sql``
    }`;
}

/** Those that are there, and those that were removed later; a removed one has lost its note for good. */
function relations({ at, table, text, number, lost }: Past): RawBuilder<unknown> {
  const standing = sql`select x.* from ${table('relations')} as x
    where x.created_at <= ${at} and ${isThere(sql`x.from_id`)} and ${isThere(sql`x.to_id`)}`;
  if (!lost.relations) return standing;
  const before = sql.ref('c.before');
  const value = (name: string) => number(before, name);
  return sql`${standing} union all
    select ${value('relation')}, ${value('from')}, ${value('to')}, ${text(before, 'type')}, null, ${value('createdAt')},
      ${value('writer')}, null from ${table('changes')} as c
    where c.kind = 'unrelated' and c.created_at > ${at} and ${value('createdAt')} <= ${at}
      and ${isThere(value('from'))} and ${isThere(value('to'))}`;
}
