import { sql } from 'kysely';
import { RECORD_KINDS } from '../../domain/kinds.ts';
import { STORED } from '../kinds/kinds.ts';
import type { Past, View } from './past.ts';
import { retractedAt } from './retracted.ts';

/** What spans the kinds: the list of records, what changed, and who had written by then. */
export function recordViews(past: Past): View[] {
  const { at, table } = past;
  const isThere = RECORD_KINDS.map(
    (kind) =>
      sql`when ${sql.lit(kind)} then (select count(*) from ${sql.id(STORED[kind].table)} as there where there.seq = r.seq)`,
  );
  // An observation that is deleted has a date of its own.
  const mark = retractedAt(past, sql`r.seq`, sql`r.retracted_at`);
  return [
    { name: 'changes', rows: sql`select x.* from ${table('changes')} as x where x.created_at <= ${at}` },
    {
      name: 'records',
      rows: sql`select r.seq, r.kind, r.session, r.writer,
          case when r.kind = 'observation' then null else ${mark} end as retracted_at, r.uid
        from ${table('records')} as r where case r.kind ${sql.join(isThere, sql` `)} else 0 end = 1`,
    },
    {
      name: 'writers',
      // By way of the session, by which records are indexed, and which is itself the number of a writer.
      rows: sql`select w.* from ${table('writers')} as w where exists (select 1 from records as r where r.session = w.id)
        or exists (select 1 from records as r where r.writer = w.id
            and r.session = (select min(s.id) from ${table('writers')} as s where s.session = w.session))
        or w.id in (select c.writer from changes as c)
        or w.id in (select x.writer from relations as x)
        or w.id in (select o.writer from observations as o)
        or w.id in (select v.writer from observation_revisions as v)`,
    },
    // What can be undone is of today.
    { name: 'saves', rows: sql`select x.* from ${table('saves')} as x where 1 = 0` },
    // Where it came from is kept with what it is today.
    { name: 'origins', rows: sql`select x.* from ${table('origins')} as x where 1 = 0` },
    // What a text means is computed from what it says today.
    { name: 'vectors', rows: sql`select x.* from ${table('vectors')} as x where 1 = 0` },
  ];
}
