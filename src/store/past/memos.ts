import { sql } from 'kysely';
import type { Past, View } from './past.ts';

/**
 * Memos and their keywords. How often a keyword was visited, and how strong its connections were, is counted and not
 * kept: no answer about the past shows it, so the graph is left out.
 */
export function memoViews({ at, table, number }: Past): View[] {
  const nothing = (name: string): View => ({
    name,
    rows: sql`select x.* from ${table(name)} as x where 1 = 0`,
  });
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
    nothing('keyword_relations'),
    nothing('keyword_connections'),
    {
      name: 'memos',
      rows: sql`select m.seq, m.id, ${replaced('summary')} as summary, ${replaced('full_text')} as full_text,
          m.source, ${depth} as search_depth, m.created_at from ${table('memos')} as m where m.created_at <= ${at}`,
    },
    {
      name: 'memo_revisions',
      rows: sql`select x.* from ${table('memo_revisions')} as x where x.replaced_at <= ${at}`,
    },
    {
      name: 'memo_links',
      rows: sql`select x.* from ${table('memo_links')} as x where x.created_at <= ${at}`,
    },
    nothing('conversations'),
  ];
}
