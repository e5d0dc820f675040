import { sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import {
  type Filter,
  type FilterKey,
  givenKeys,
  type ListedKind,
  OF_WRITER,
} from '../../domain/filter/filter.ts';
import { SAVED_KINDS, type SavedKind } from '../../domain/kinds.ts';
import {
  allOf,
  type Condition,
  holding,
  MEANS,
  type Meant,
  ofDecision,
  within,
  writtenBy,
} from '../kinds/condition.ts';
import type { Source } from '../kinds/kind.ts';
import { SEARCHED_KINDS, STORED } from '../kinds/kinds.ts';
import { ofObservation } from '../kinds/observation.ts';
import { EVIDENCE, passing } from '../record.ts';
import { paged } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

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

const ALWAYS: FilterKey[] = ['kinds', 'since', 'until'];

/**
 * A change that nothing else in the log tells: its revision tells that the text of an observation was rewritten, and the version
 * that an undo makes, that a decision was undone.
 */
const OF_ITS_OWN = sql`(x.kind <> 'rewritten'
  or not exists (select 1 from observations as o where o.seq = x.record_seq))
  and (x.kind not in ('retracted', 'reinstated') or not exists (select 1 from decisions as d where d.seq = x.record_seq))`;

/** The writer of the text that replaced this one: the next that was replaced, or the current one. */
const REPLACED_BY = sql`coalesce(
  (select n.writer from observation_revisions as n where n.observation_id = x.observation_id and n.revision = x.revision + 1),
  (select o.writer from observations as o where o.id = x.observation_id))`;

/** The change that tells of a text that replaced another one, of `observation_revisions as x`. */
export const REWRITING = sql`(select c.seq from observations as o join changes as c on c.record_seq = o.seq
  where o.id = x.observation_id and c.kind = 'rewritten' and c.created_at = x.replaced_at limit 1)`;

/** Rows of the log besides records: changes, and texts of observations that others replaced. */
const OTHERS: Record<Exclude<SourceName, SavedKind>, Source> = {
  change: {
    rank: 1,
    from: sql`changes as x`,
    at: sql`x.created_at`,
    number: sql`x.seq`,
    answers: [...OF_WRITER, 'topic'],
    where: (tx, filter) => [
      OF_ITS_OWN,
      within(sql`x.created_at`, filter, sql`x.seq`, 'change'),
      writtenBy(tx, sql`x.writer`, filter),
      ofTopic(tx, filter),
    ],
  },
  revision: {
    rank: 0,
    from: sql`observation_revisions as x`,
    at: sql`x.replaced_at`,
    number: sql`x.observation_id`,
    second: sql`x.revision`,
    answers: [...OF_WRITER, 'topic', 'project', 'type', 'words'],
    where: (tx, filter) => [
      within(sql`x.replaced_at`, filter, REWRITING, 'change'),
      writtenBy(tx, REPLACED_BY, filter),
      ...[...ofObservation('o', filter), holding(tx, sql`o.seq`, filter.words)].map(
        (each) => each && sql`x.observation_id in (select o.id from observations as o where ${each})`,
      ),
    ],
  },
};

/** A change, as `changes as x`, of a record that the log lists under a topic: its renaming, too (TR-3). */
function ofTopic(tx: Tx, { topic, rootId }: Meant): Condition | undefined {
  if (topic === undefined) return undefined;
  const records = SAVED_KINDS.map((kind) => STORED[kind].log).filter(({ answers }) =>
    answers.includes('topic'),
  );
  const numbers = records.map(
    ({ number, from, where }) =>
      sql`select ${number} from ${from} where ${allOf(where(tx, { topic, rootId }))}`,
  );
  return sql`x.record_seq in (${sql.join(numbers, sql` union all `)})`;
}

const SOURCE_NAMES: SourceName[] = [...SAVED_KINDS, 'change', 'revision'];

function sourceOf(name: SourceName): Source {
  return name === 'change' || name === 'revision' ? OTHERS[name] : STORED[name].log;
}

/**
 * Everything that happened, the newest first, of every kind that a filter can name (U-3). No entry changes its place, so a
 * page goes on after the last one shown, whatever is saved meanwhile (W-6).
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
  const rows = await query<Happened>(tx)`
    select * from (${sql.join(parts, sql` union all `)}) as happened
    order by at desc, rank desc, number desc, second desc limit ${limit + 1}`;
  const [happened, next] = paged(rows, limit, placeOf);
  return { happened, next };
}

/** The place of something that happened, after which a page may begin. */
export const placeOf = ({ source, at, number, second }: Happened): Place => [
  at,
  sourceOf(source).rank,
  number,
  second,
];

/**
 * The records that a filter leaves, as a condition on `records as r`; evidence counts as the decision that depends on it,
 * and as itself. Entries that only the log shows do not count.
 */
export function recordsOf(tx: Tx, given: Meant): Condition | undefined {
  if (givenKeys(given).length === 0) return undefined;
  const filter: Meant = { ...given, byDate: true };
  // An index names what is newer than a moment, the versions of a chain, and those with an outcome.
  const areNew = filter.since !== undefined;
  const areFew = areNew || filter.rootId !== undefined || (filter.outcome ?? 'pending') !== 'pending';
  const sources = new Map(sourcesOf(filter));
  const ofDecisions = allOf([ofDecision(tx, filter)]);
  const found = SEARCHED_KINDS.flatMap((kind) => {
    const source = sources.get(kind as SavedKind);
    if (source === undefined) return [];
    const { from, number: seq, where } = source;
    return [
      passing(
        { kind, from, seq, where: kind === 'decision' ? ofDecisions : allOf(where(tx, filter)) },
        kind === 'decision' ? areFew : areNew,
      ),
    ];
  });
  if (sources.has('decision')) {
    found.push(passing({ kind: 'evidence', from: EVIDENCE, seq: sql`e.seq`, where: ofDecisions }, areFew));
  }
  return found.length === 0 ? sql`1 = 0` : sql`(${sql.join(found, sql` or `)})`;
}

/** The sources that a filter can be asked of. A text that replaced another one counts as the observation. */
function sourcesOf(filter: Meant): [SourceName, Source][] {
  const asked = givenKeys(filter as Filter).map((key) => MEANS[key as keyof typeof MEANS] ?? key);
  const all = SOURCE_NAMES.map((name): [SourceName, Source] => [name, sourceOf(name)]);
  return all.filter(([name, { answers }]) => {
    const kind = name === 'revision' ? 'observation' : name;
    const isWanted = filter.kinds === undefined || filter.kinds.includes(kind);
    return isWanted && asked.every((key) => ALWAYS.includes(key) || answers.includes(key));
  });
}

/** The rows after a place in the order of {@link listTimeline}. */
function before({ rank, at, number, second }: Source, [moment = 0, ...last]: Place): Condition {
  const [rankThen = 0, numberThen = 0, secondThen = 0] = last;
  if (rank !== rankThen) return rank < rankThen ? sql`${at} <= ${moment}` : sql`${at} < ${moment}`;
  return second
    ? sql`(${at}, ${number}, ${second}) < (${moment}, ${numberThen}, ${secondThen})`
    : sql`(${at}, ${number}) < (${moment}, ${numberThen})`;
}

/**
 * How far a memory is, as numbers that only grow: its newest record and change, and when a text of an observation was
 * replaced last; neither says it alone. Each is the end of an index.
 */
export async function stateOf(tx: Tx): Promise<{ record: number; change: number; revised: number }> {
  const rows = await query<{ record: number | null; change: number | null; revised: number | null }>(tx)`
    select (select max(seq) from records) as record, (select max(seq) from changes) as change,
      (select max(replaced_at) from observation_revisions) as revised`;
  const [{ record, change, revised } = { record: 0, change: 0, revised: 0 }] = rows;
  return { record: record ?? 0, change: change ?? 0, revised: revised ?? 0 };
}
