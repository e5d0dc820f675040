import { type RawBuilder, sql } from 'kysely';
import { GLOBAL_SCOPE } from '../../domain/decision.ts';
import type { Past, View } from './past.ts';

/** Decisions and what hangs on them. Texts never change: what stood, and how it turned out, follows from what was there. */
export function decisionViews(past: Past): View[] {
  const { at, table } = past;
  const attached = (name: string, moment: string, decision: string): View => ({
    name,
    rows: sql`select x.* from ${table(name)} as x
      where ${sql.ref(moment)} <= ${at} and ${isThere('decisions', sql.ref(decision))}`,
  });
  return [
    { name: 'decisions', rows: versions(past) },
    {
      name: 'decision_edges',
      rows: sql`select x.* from ${table('decision_edges')} as x where x.created_at <= ${at}
        and ${isThere('decisions', sql`x.from_id`)} and ${isThere('decisions', sql`x.to_id`)}`,
    },
    attached('outcomes', 'x.created_at', 'x.decision_id'),
    attached('evidence', 'x.timestamp', 'x.decision_ref'),
    {
      name: 'anchors',
      rows: sql`select x.* from ${table('anchors')} as x where x.created_at <= ${at}
        and (${isThere('decisions', sql`x.decision_ref`)} or ${isThere('evidence', sql`x.evidence_ref`)})`,
    },
    {
      name: 'checkpoints',
      rows: sql`select x.* from ${table('checkpoints')} as x where x.created_at <= ${at}`,
    },
    ...names(past, 'topics'),
    ...names(past, 'scopes'),
  ];
}

const isThere = (view: string, id: RawBuilder<unknown>) =>
  sql`exists (select 1 from ${sql.id(view)} as there where there.id = ${id})`;

/**
 * A version is there once it and all before it were saved: clocks of several machines may differ. It stood while no
 * version followed it, and shows the newest outcome of its log.
 */
function versions({ at, table, part }: Past): RawBuilder<unknown> {
  const [decisions, outcomes] = [table('decisions'), table('outcomes')];
  const follower = sql`from ${decisions} as n where n.root_id = d.root_id and n.version = d.version + 1 and n.created_at <= ${at}`;
  const newest = (column: string) => sql`(select ${sql.ref(column)} from ${outcomes} as o
    where o.decision_id = d.id and o.created_at <= ${at} order by o.seq desc limit 1)`;
  // Saving a version that follows touches what stood, and an outcome touches its decision.
  const touched = sql`(select max(t.at) from (
    select d.created_at as at
    union all select n.created_at ${follower} and d.withdrawn = 0
    union all select o.created_at from ${outcomes} as o where o.decision_id = d.id and o.created_at <= ${at}) as t)`;
  return sql`select d.seq, d.id, d.root_id, d.version, d.previous_version, d.previous_version_id, d.topic, d.text,
      d.reasoning, d.strength, d.scope, d.confidence,
      case when d.withdrawn = 0 and not exists (select 1 ${follower}) then 1 else 0 end as is_active, d.withdrawn,
      ${newest('o.outcome')} as outcome, ${newest('o.reason')} as outcome_reason, d.created_at,
      case when d.updated_at <= ${at} then d.updated_at else ${touched} end as updated_at
    from ${decisions} as d where d.created_at <= ${at} and not exists (select 1 from ${decisions} as e
      where e.root_id = d.root_id and e.version < d.version and e.created_at > ${at}) ${
        part
          ? sql`and exists (select 1 from ${decisions} as p where p.root_id = d.root_id
              and p.scope in (${sql.lit(part.scope ?? GLOBAL_SCOPE)}, ${sql.lit(GLOBAL_SCOPE)}))`
          : sql``
      }`;
}

/** Names lead where they led before the first change that came later. */
function names(past: Past, name: 'topics' | 'scopes'): View[] {
  const { at, table, text } = past;
  const { called, target, said } = NAMES[name];
  const later = `later_${name}`;
  const before = sql.ref('c.before');
  const led = sql`coalesce((select l.target from ${sql.id(later)} as l where l.name = x.name order by l.seq limit 1),
    ${sql.ref(`x.${target}`)})`;
  return [
    {
      name: later,
      rows: sql`select c.seq, ${text(before, called)} as name, ${text(before, said)} as target
        from ${table('changes')} as c
        where c.kind = 'joined' and c.created_at > ${at} and ${text(before, called)} is not null`,
      once: true,
    },
    {
      name,
      rows: sql`select x.name, x.key, ${led} as ${sql.id(target)}, x.since from ${table(name)} as x
        where x.since <= ${at} ${name === 'topics' ? sql`and ${isThere('decisions', led)}` : sql``}`,
    },
  ];
}

/** How a change says what a name is called and where it led, and the column that says where it leads. */
const NAMES = {
  topics: { called: 'topic', said: 'chain', target: 'root_id' },
  scopes: { called: 'name', said: 'scope', target: 'scope' },
} as const;
