import { type RawBuilder, sql } from 'kysely';
import { FIELD_NAMES } from '../../domain/decision.ts';
import { DECIDED } from '../decisions/decision.ts';
import { newestOfOutcomes } from '../decisions/outcome.ts';
import { NAMES, type NameTable } from '../names.ts';
import { snakeCase } from '../tables.ts';
import { isThere, MARKED, type Past, retractedAt, there, UNMARKED, type View } from './past.ts';

/** Decisions and what hangs on them. Texts never change: what was active, and how it turned out, follows from what was there. */
export function decisionViews(past: Past): View[] {
  const { at, table } = past;
  return [
    { name: there('decisions'), rows: sql`select d.seq, d.id ${saved(past)}` },
    { name: 'decisions', rows: versions(past) },
    {
      name: 'decision_edges',
      rows: sql`select x.* from ${table('decision_edges')} as x where x.created_at <= ${at}
        and ${isThere('decisions', sql`x.from_id`)} and ${isThere('decisions', sql`x.to_id`)}`,
    },
    {
      name: 'outcomes',
      rows: sql`select x.* from ${table('outcomes')} as x
        where x.created_at <= ${at} and ${isThere('decisions', sql`x.decision_id`)}`,
    },
    {
      name: 'evidence',
      rows: sql`select x.* from ${table('evidence')} as x
        where x.timestamp <= ${at} and ${isThere('decisions', sql`x.decision_ref`)}`,
    },
    {
      name: 'anchors',
      rows: sql`select x.* from ${table('anchors')} as x where x.created_at <= ${at}
        and (${isThere('decisions', sql`x.decision_ref`)} or ${isThere('evidence', sql`x.evidence_ref`)})`,
    },
    ...names(past, 'topics'),
    ...names(past, 'scopes'),
  ];
}

/**
 * A version is there once it and all before it were saved: clocks of several machines may differ. It was active while none
 * after it was there, and shows the newest outcome of its log.
 */
function versions(past: Past): RawBuilder<unknown> {
  const { at, table, text } = past;
  const [decisions, outcomes, changes] = [table('decisions'), table('outcomes'), table('changes')];
  const follower = sql`(select n.created_at from ${decisions} as n
    where n.root_id = d.root_id and n.version > d.version and n.created_at <= ${at}
      and not exists (${laterBefore(past, 'n')} and e.version > d.version) order by n.version limit 1)`;
  const counted = sql`o.created_at <= ${at} and ${retractedAt(past, sql`o.seq`, sql`r.retracted_at`)} is null`;
  const outcome = newestOfOutcomes(DECIDED, counted, [outcomes, table('records')]);
  const renamed = sql`from ${changes} as c where c.kind = 'renamed' and c.created_at > ${at}
    and c.record_seq in (select r.seq from ${decisions} as r where r.root_id = d.root_id)`;
  // A version that follows touches the active one, and an outcome that is given or retracted its decision.
  const touched = sql`(select max(t.at) from (
    select d.created_at as at
    union all select case when d.withdrawn = 0 then ${follower} end
    union all select o.created_at from ${outcomes} as o where o.decision_id = ${DECIDED} and o.created_at <= ${at}
    union all select c.created_at from ${outcomes} as o join ${changes} as c on c.record_seq = o.seq
      where o.decision_id = ${DECIDED} and c.kind in (${MARKED}, ${UNMARKED}) and c.created_at <= ${at}) as t)`;
  const said = sql.join(FIELD_NAMES.map((name) => sql.ref(`d.${snakeCase(name)}`)));
  return sql`select d.seq, d.id, d.root_id, d.version, d.previous_version, d.previous_version_id, d.based_on, d.tidies,
      case when exists (select 1 ${renamed})
        then (select ${text(sql.ref('c.before'), 'topic')} ${renamed} order by c.seq limit 1) else d.topic end as topic, ${said},
      case when d.withdrawn = 0 and ${follower} is null then 1 else 0 end as is_active, d.withdrawn,
      (select o.outcome from ${outcome}) as outcome, (select o.reason from ${outcome}) as outcome_reason, d.created_at,
      case when d.updated_at <= ${at} then d.updated_at else ${touched} end as updated_at
    ${saved(past)}`;
}

/** The versions `d` that were there. */
const saved = (past: Past) =>
  sql`from ${past.table('decisions')} as d where d.created_at <= ${past.at} and not exists (${laterBefore(past, 'd')})`;

/**
 * The versions `e` before one that were saved later than the moment. Other wordings, what was undone and what undid it are none
 * of them: a version that is entered later may have an earlier date (U-7).
 */
const laterBefore = ({ at, table }: Past, of: string) => sql`select 1 from ${table('decisions')} as e
  where e.root_id = ${sql.ref(`${of}.root_id`)} and e.version < ${sql.ref(`${of}.version`)} and e.created_at > ${at}
    and e.tidies is null and not exists (select 1 from ${table('records')} as u where u.seq = e.seq and u.retracted_at is not null)`;

/**
 * Names lead where they led before the first change that came later. Those that were dropped since, with the renaming
 * that had added them, are there too.
 */
function names(past: Past, name: NameTable): View[] {
  const { at, table, text, number, lost } = past;
  const { called, said } = NAMES[name];
  const target = snakeCase(NAMES[name].target);
  const later = `later_${name}`;
  const before = sql.ref('c.before');
  const changed = (kind: string) =>
    sql`from ${table('changes')} as c where c.kind = ${sql.lit(kind)} and c.created_at > ${at}`;
  const present =
    name === 'topics' && lost.topics
      ? sql`(select t.name, t.key, t.root_id, t.since from ${table('topics')} as t union all
          select ${text(before, 'name')}, ${text(before, 'key')}, ${text(before, 'chain')}, ${number(before, 'since')}
          ${changed('renamed')} and ${number(before, 'since')} is not null)`
      : table(name);
  const led = sql`coalesce((select l.target from ${sql.id(later)} as l where l.name = x.name order by l.seq limit 1),
    ${sql.ref(`x.${target}`)})`;
  return [
    {
      name: later,
      rows: sql`select c.seq, ${text(before, called)} as name, ${text(before, said)} as target
        ${changed('joined')} and ${text(before, called)} is not null`,
      once: true,
    },
    {
      name,
      rows: sql`select x.name, x.key, ${led} as ${sql.id(target)}, x.since from ${present} as x
        where x.since <= ${at} ${name === 'topics' ? sql`and ${isThere('decisions', led)}` : sql``}`,
    },
  ];
}
