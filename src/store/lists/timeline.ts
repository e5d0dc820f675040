import { sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import { type FilterKey, givenKeys, type ListedKind, OF_VERSION } from '../../domain/filter/filter.ts';
import { EVIDENCE, passing } from '../record.ts';
import type { Tx } from '../tx.ts';
import {
  allOf,
  type Condition,
  holding,
  is,
  ofChain,
  ofDecision,
  within,
  writerOf,
  writtenBy,
} from './condition.ts';
import type { Meant } from './meant.ts';

/** Something that happened: a row of one of the tables below, by its number. */
export interface Happened {
  source: SourceName;
  /** Milliseconds UTC. */
  at: number;
  /** The number of the record, of the change, or of the observation. */
  number: number;
  /** Of an observation's text, which revision it replaced; else 0. */
  second: number;
}
export type SourceName = ListedKind | 'revision';

interface Source {
  /** Of what happened in the same millisecond, a higher rank comes first; records among themselves by number. */
  rank: number;
  /** The table, as `x`; its rows are read in the order of an index. */
  from: Condition;
  at: Condition;
  number: Condition;
  second?: Condition;
  /** The parts of a filter that it can answer: with any other it has nothing to show. */
  answers: FilterKey[];
  where(tx: Tx, filter: Meant): (Condition | undefined)[];
}

const RECORDS = 2;
const ALWAYS: FilterKey[] = ['kinds', 'since', 'until'];
const OF_CHAIN: FilterKey[] = ['scope', 'topic'];

/** What is said of a decision, by the condition that an expression is its id. */
const about = (tx: Tx, id: Condition, filter: Meant) => {
  const conditions = [ofChain(filter), holding(tx, sql`d.seq`, filter.words)];
  if (conditions.every((each) => each === undefined)) return undefined;
  const chain = allOf(conditions);
  // An index names the versions of a chain; those of a scope may be as many as there are, and are looked up.
  return filter.rootId === undefined
    ? sql`exists (select 1 from decisions as d where d.id = ${id} and ${chain})`
    : sql`${id} in (select d.id from decisions as d where ${chain})`;
};

/** @param alias the table of observations */
const ofObservation = (alias: string, { topic, project, type }: Meant): (Condition | undefined)[] => [
  is(sql.ref(`${alias}.topic_key`), topic),
  is(sql.ref(`${alias}.project`), project),
  is(sql.ref(`${alias}.type`), type),
];

/** A table of records: its rows have a number in the list of records, which says who wrote them. */
const records = (
  table: string,
  answers: FilterKey[],
  where: Source['where'],
  at = sql`x.created_at`,
): Source => ({
  rank: RECORDS,
  from: sql`${sql.table(table)} as x`,
  at,
  number: sql`x.seq`,
  answers: ['by', ...answers],
  where: (tx, filter) => [
    writtenBy(tx, writerOf(sql`x.seq`), filter.authors),
    within(at, filter),
    ...where(tx, filter),
  ],
});

const OWNER = sql`coalesce(x.decision_ref, (select e.decision_ref from evidence as e where e.id = x.evidence_ref))`;

const SOURCES: Record<SourceName, Source> = {
  decision: {
    rank: RECORDS,
    from: sql`decisions as d`,
    at: sql`d.created_at`,
    number: sql`d.seq`,
    answers: [...OF_VERSION],
    where: (tx, filter) => [ofDecision(tx, filter)],
  },
  outcome: records('outcomes', [...OF_CHAIN, 'outcome', 'words'], (tx, filter) => [
    filter.outcome === 'pending' ? sql`1 = 0` : is(sql`x.outcome`, filter.outcome),
    about(tx, sql`x.decision_id`, filter),
  ]),
  evidence: records(
    'evidence',
    [...OF_CHAIN, 'words'],
    (tx, { words, ...filter }) => [holding(tx, sql`x.seq`, words), about(tx, sql`x.decision_ref`, filter)],
    sql`x.timestamp`,
  ),
  anchor: records('anchors', OF_CHAIN, (tx, filter) => [about(tx, OWNER, filter)]),
  checkpoint: records('checkpoints', ['words'], (tx, { words }) => [holding(tx, sql`x.seq`, words)]),
  observation: {
    ...records('observations', ['topic', 'project', 'type', 'words'], (tx, filter) => [
      ...ofObservation('x', filter),
      holding(tx, sql`x.seq`, filter.words),
    ]),
  },
  memo: records('memos', ['words'], (tx, { words }) => [holding(tx, sql`x.seq`, words)]),
  redaction: records('redactions', [], () => []),
  change: {
    rank: 1,
    from: sql`changes as x`,
    at: sql`x.created_at`,
    number: sql`x.seq`,
    answers: ['by'],
    where: (tx, filter) => [
      OF_ITS_OWN,
      within(sql`x.created_at`, filter),
      writtenBy(tx, sql`x.writer`, filter.authors),
    ],
  },
  revision: {
    rank: 0,
    from: sql`observation_revisions as x`,
    at: sql`x.replaced_at`,
    number: sql`x.observation_id`,
    second: sql`x.revision`,
    answers: ['by', 'topic', 'project', 'type'],
    where: (tx, filter) => [
      within(sql`x.replaced_at`, filter),
      writtenBy(tx, REPLACED_BY, filter.authors),
      ...ofObservation('o', filter).map(
        (each) => each && sql`x.observation_id in (select o.id from observations as o where ${each})`,
      ),
    ],
  },
};

/** A change that nothing else in the log tells: its revision tells that the text of an observation was rewritten. */
const OF_ITS_OWN = sql`(x.kind <> 'rewritten'
  or not exists (select 1 from observations as o where o.seq = x.record_seq))`;

/** Who wrote the text that took the place of this one: the next that was replaced, or the one that stands. */
const REPLACED_BY = sql`coalesce(
  (select n.writer from observation_revisions as n where n.observation_id = x.observation_id and n.revision = x.revision + 1),
  (select o.writer from observations as o where o.id = x.observation_id))`;

/**
 * What happened, the newest first, of every kind that a filter can be asked of (U-3). Nothing of it changes its place, so
 * a page goes on after the last one shown, whatever is saved meanwhile (W-6).
 * @param from the place of the last one shown
 * @returns at most `limit`, and where the next page begins: undefined on the last
 */
export async function listTimeline(
  tx: Tx,
  filter: Meant,
  limit: number,
  from?: Place,
): Promise<{ happened: Happened[]; next: Place | undefined }> {
  const sources = sourcesOf(filter);
  if (sources.length === 0) return { happened: [], next: undefined };
  // Each source gives its newest few in the order of its index; the union sorts those.
  const parts = sources.map(([name, source]) => {
    const second = source.second ?? sql`0`;
    const order = source.second ? sql`, ${source.second} desc` : sql``;
    return sql`select * from (
      select ${sql.lit(name)} as source, ${sql.lit(source.rank)} as rank, ${source.at} as at,
        ${source.number} as number, ${second} as second
      from ${source.from} where ${allOf([...source.where(tx, filter), from && before(source, from)])}
      order by ${source.at} desc, ${source.number} desc${order} limit ${limit + 1}) as part`;
  });
  const { rows } = await sql<Happened>`
    select * from (${sql.join(parts, sql` union all `)}) as happened
    order by at desc, rank desc, number desc, second desc limit ${limit + 1}`.execute(tx.db);
  const happened = rows.slice(0, limit);
  const last = rows.length > limit ? happened.at(-1) : undefined;
  return { happened, next: last && placeOf(last) };
}

/** The place of something that happened, behind which a page may begin. */
export const placeOf = ({ source, at, number, second }: Happened): Place => [
  at,
  SOURCES[source].rank,
  number,
  second,
];

/**
 * The records that a filter leaves, as a condition on `records as r`; evidence counts as the decision that rests on it,
 * and as itself. What only the log shows is none.
 */
export function recordsOf(tx: Tx, filter: Meant): Condition | undefined {
  if (givenKeys(filter).length === 0) return undefined;
  // An index names what is newer than a moment, the versions of a chain, and those with an outcome.
  const areNew = filter.since !== undefined;
  const areFew = areNew || filter.rootId !== undefined || (filter.outcome ?? 'pending') !== 'pending';
  const sources = new Map(sourcesOf(filter));
  const found = FOUND_BY_WORDS.flatMap((kind) => {
    const source = sources.get(kind);
    if (source === undefined) return [];
    const { from, number: seq, where } = source;
    return [
      passing({ kind, from, seq, where: allOf(where(tx, filter)) }, kind === 'decision' ? areFew : areNew),
    ];
  });
  if (sources.has('decision')) {
    const where = allOf([ofDecision(tx, filter)]);
    found.push(passing({ kind: 'evidence', from: EVIDENCE, seq: sql`e.seq`, where }, areFew));
  }
  return found.length === 0 ? sql`1 = 0` : sql`(${sql.join(found, sql` or `)})`;
}

const FOUND_BY_WORDS = ['decision', 'evidence', 'observation', 'memo', 'checkpoint'] as const;

/** The sources that a filter can be asked of. A text that replaced another one counts as the observation. */
export function sourcesOf(filter: Meant): [SourceName, Source][] {
  const { authors, rootId: _, ...named } = filter;
  const asked: FilterKey[] = [...givenKeys(named), ...(authors ? (['by'] as const) : [])];
  return (Object.entries(SOURCES) as [SourceName, Source][]).filter(([name, { answers }]) => {
    const kind = name === 'revision' ? 'observation' : name;
    const isWanted = filter.kinds === undefined || filter.kinds.includes(kind);
    return isWanted && asked.every((key) => ALWAYS.includes(key) || answers.includes(key));
  });
}

/** What stands after a place in the order of {@link listTimeline}. */
function before({ rank, at, number, second }: Source, [moment = 0, ...last]: Place): Condition {
  const [rankThen = 0, numberThen = 0, secondThen = 0] = last;
  if (rank !== rankThen) return rank < rankThen ? sql`${at} <= ${moment}` : sql`${at} < ${moment}`;
  return second
    ? sql`(${at}, ${number}, ${second}) < (${moment}, ${numberThen}, ${secondThen})`
    : sql`(${at}, ${number}) < (${moment}, ${numberThen})`;
}
