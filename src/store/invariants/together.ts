import { type RawBuilder, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { RECORD_KINDS } from '../../domain/kinds.ts';
import { LARGEST_NUMBER } from '../columns.ts';
import { newestVersion } from '../decisions/decision.ts';
import { WRONG_OUTCOMES } from '../decisions/outcome.ts';
import { numbersIn } from '../json-list.ts';
import { KINDS_WITH_ID, STORED } from '../kinds/kinds.ts';
import { WRONG_CONNECTIONS } from '../memos/keyword.ts';
import { hashOf } from '../observations/observation.ts';
import { rowsOf } from '../rows.ts';
import { query } from '../statements.ts';
import { NUMBERED, TABLES, type Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import { type Finding, findingOf } from './finding.ts';
import type { Broken, Row } from './rows.ts';

const KINDS = RECORD_KINDS.map((kind) => [kind, STORED[kind].table] as const);
type Numbered = (typeof NUMBERED)[number];
/** The last number that each numbered table gave out. */
export type Last = Record<Numbered, number>;

/** For a memory that has given out no number yet. */
export const NONE_GIVEN_OUT = Object.fromEntries(NUMBERED.map((table) => [table, 0])) as Last;

/** The last numbers of a memory. A number too large to be read counts as the largest safe integer. */
export async function lastGivenOut(tx: Tx): Promise<Last> {
  const last = { ...NONE_GIVEN_OUT };
  for (const table of NUMBERED) {
    last[table] = await tx.numbering.last(tx.db, table).catch((error: unknown) => {
      if (tx.fault(error).kind !== 'bug') throw error;
      return Number.MAX_SAFE_INTEGER;
    });
  }
  return last;
}

/** A rule for several rows. */
interface Check {
  table: Table;
  /** Selects the rows that break it. */
  rows: RawBuilder<unknown>;
  broken: Broken | ((row: Row) => Broken);
  /** Which record the finding names. Default: the row. */
  record?: (row: Row) => string;
}

/** Rules for `records` and the tables of its kinds. */
const OF_KINDS: Check[] = KINDS.flatMap(([kind, table]) => [
  {
    table: 'records',
    rows: sql`select r.seq from records as r where r.kind = ${kind}
      and not exists (select 1 from ${sql.table(table)} as t where t.seq = r.seq) order by r.seq`,
    broken: { expected: `a row in ${table}, as its kind "${kind}" says`, found: 'none' },
  },
  {
    table: 'records',
    rows: sql`select r.seq, r.kind from ${sql.table(table)} as t join records as r on r.seq = t.seq
      where r.kind <> ${kind} order by r.seq`,
    broken: (row) => ({
      expected: `the kind "${kind}", since it has a row in ${table}`,
      found: `"${row.kind}"`,
      mended: true,
    }),
  },
]);

/** Rules for the versions of decisions and their links. */
const OF_DECISIONS: Check[] = [
  {
    // Exactly the newest version of a chain is active; none is if it withdrew the decision (D-3, D-15).
    table: 'decisions',
    rows: sql`select d.seq, d.id, d.root_id from decisions as d
      where d.version = ${newestVersion(sql`d.root_id`)}
        and (d.is_active + d.withdrawn <> 1
          or (select sum(is_active) from decisions as each_one where each_one.root_id = d.root_id) <> d.is_active)
      order by d.seq`,
    broken: { expected: 'its newest version alone to be active', found: 'another or none', mended: true },
    record: (row) => `chain ${row.rootId}`,
  },
  {
    // An undone version is not active (K-6).
    table: 'decisions',
    rows: sql`select d.seq, d.id from decisions as d join records as r on r.seq = d.seq
      where d.is_active = 1 and r.retracted_at is not null order by d.seq`,
    broken: { expected: 'what is active to be no mistake', found: 'it retracted' },
  },
  {
    // A version follows the one directly before it in its chain (D-4).
    table: 'decisions',
    rows: sql`select d.seq, d.id, d.version from decisions as d
      left join decisions as before on before.id = d.previous_version_id and before.root_id = d.root_id
        and before.version = d.version - 1
      where d.version > 1 and before.id is null order by d.seq`,
    broken: ({ version }) => ({
      expected: `version ${Number(version) - 1} of its chain before version ${version}`,
      found: 'another or none',
    }),
  },
  {
    table: 'decisions',
    rows: sql`select d.seq, d.id from decisions as d join decisions as first on first.id = d.root_id
      where d.topic is distinct from first.topic order by d.seq`,
    broken: { expected: 'the topic of its chain', found: 'another' },
  },
  {
    // A name leads to the topic and the scope of what is active (D-19).
    table: 'decisions',
    rows: sql`select d.seq, d.id from decisions as d where d.is_active = 1 and (
        (d.topic is not null and not exists (select 1 from topics as t where t.root_id = d.root_id))
        or not exists (select 1 from scopes as s where s.scope = d.scope))
      order by d.seq`,
    broken: { expected: 'names for its topic and its scope', found: 'none', mended: true },
  },
  {
    // A version links the one before it (G-1) …
    table: 'decisions',
    rows: sql`select d.seq, d.id, d.previous_version_id from decisions as d
      where d.version > 1 and not exists (select 1 from decision_edges as e where e.from_id = d.id
        and e.to_id = d.previous_version_id and e.relationship = 'supersedes')
      order by d.seq`,
    broken: ({ previousVersionId }) => ({
      expected: `a link "supersedes" to ${previousVersionId}`,
      found: 'none',
      mended: true,
    }),
  },
  {
    // … and supersedes no other.
    table: 'decisionEdges',
    rows: sql`select e.from_id, e.to_id, e.relationship from decision_edges as e
      where e.relationship = 'supersedes' and not exists (select 1 from decisions as d
        where d.id = e.from_id and d.previous_version_id = e.to_id)
      order by e.from_id, e.to_id`,
    broken: ({ toId }) => ({ expected: 'it to lead to the version before', found: `${toId}`, mended: true }),
  },
  {
    // A decision shows the newest entry of its log (O-7).
    table: 'decisions',
    rows: WRONG_OUTCOMES,
    broken: { expected: 'it to show its newest outcome with its reason', found: 'another', mended: true },
  },
];

/** Earlier texts are numbered from 1 on, and there are as many as an observation says. */
const OF_OBSERVATIONS: Check[] = [
  {
    table: 'observations',
    rows: sql`select o.id, o.revision_count, count(r.revision) as texts, coalesce(max(r.revision), 0) as newest
      from observations as o left join observation_revisions as r on r.observation_id = o.id
      group by o.id, o.revision_count
      having count(r.revision) <> o.revision_count or coalesce(max(r.revision), 0) <> o.revision_count
      order by o.id`,
    broken: ({ revisionCount, texts, newest }) => ({
      expected: `revisions 1 to ${revisionCount}, as its revisionCount says`,
      found: `${texts}, and the last is ${newest}`,
      ...(texts === newest && { mended: true }),
    }),
  },
];

const OF_MEMOS: Check[] = [
  {
    table: 'keywordConnections',
    rows: WRONG_CONNECTIONS,
    broken: ({ difference }) => ({
      expected: 'its strength to be the sum of their relations',
      found: `it off by ${difference} tenths`,
      mended: true,
    }),
  },
  {
    // No link is of a step that its memo has not taken (M-5).
    table: 'memos',
    rows: sql`select m.seq, m.id, m.search_depth, max(l.depth) as deepest from memos as m
      join memo_links as l on l.memo_seq = m.seq group by m.seq, m.id, m.search_depth
      having max(l.depth) > m.search_depth order by m.seq`,
    broken: ({ searchDepth, deepest }) => ({
      expected: `links of at most depth ${searchDepth}, as its searchDepth says`,
      found: `one of depth ${deepest}`,
    }),
  },
  {
    // Earlier texts are numbered from 1 on (U-6).
    table: 'memos',
    rows: sql`select m.seq, m.id, count(*) as texts, max(r.revision) as newest from memos as m
      join memo_revisions as r on r.memo_seq = m.seq group by m.seq, m.id
      having max(r.revision) <> count(*) order by m.seq`,
    broken: ({ newest, texts }) => ({ expected: `revisions 1 to ${newest}`, found: `${texts} of them` }),
  },
];

/** Numbers of records that may be gone: each was given out once. */
const neverGivenOut = (last: Last): Check[] =>
  (
    [
      ['evidence', 'observationId', last.observations],
      ['redactions', 'recordSeq', last.records],
      ['changes', 'recordSeq', last.records],
      ['saves', 'lastRecord', last.records],
      ['saves', 'lastChange', last.changes],
    ] as const
  ).map(([table, column, most]) => ({
    table,
    rows: sql`select * from ${sql.table(table)} where ${sql.ref(column)} > ${most} order by ${sql.join(TABLES[table].map((key) => sql.ref(key)))}`,
    broken: (row) => ({
      expected: `${column} to be a number that was given out, at most ${most}`,
      found: String(row[column]),
    }),
  }));

/**
 * Finds rows that are valid alone but break a rule for several rows. Reads every row once or twice, so a large memory takes
 * longer.
 * @param last the last numbers that were given out; an export names them before the memory has them
 * @param limit findings of each rule at most
 */
export async function checkTogether(tx: Tx, last: Last, limit: number): Promise<Finding[]> {
  const found: Finding[] = [];
  const check = async (checks: Check[]) => {
    for (const each of checks) append(found, await breaking(tx, each, limit));
  };
  await check(OF_KINDS);
  append(found, await sharedIds(tx, limit));
  for (const table of NUMBERED) append(found, wrongNumbering(table, last[table], await highestOf(tx, table)));
  await check([...neverGivenOut(last), ...OF_DECISIONS, ...OF_OBSERVATIONS, ...OF_MEMOS]);
  return found;
}

async function breaking(tx: Tx, { table, rows, broken, record }: Check, limit: number): Promise<Finding[]> {
  const found = await query<Row>(tx)`${rows} limit ${limit}`;
  return found.map((row) => ({
    ...findingOf(table, row, typeof broken === 'function' ? broken(row) : broken),
    ...(record && { record: record(row) }),
  }));
}

/** Ids that two records share, of whatever kinds. */
async function sharedIds(tx: Tx, limit: number): Promise<Finding[]> {
  const ids = sql.join(
    KINDS_WITH_ID.map((kind) => {
      const { table } = STORED[kind];
      return sql`select ${sql.lit(table)} as name, id from ${sql.table(table)}`;
    }),
    sql` union all `,
  );
  const rows = await query<{ id: string; name: Table }>(tx)`
    select id, max(name) as name from (${ids}) as every_id group by id having count(*) > 1
    order by id limit ${limit}`;
  const found: Finding[] = [];
  for (const { id, name } of rows) {
    const same = await query<Row>(tx)`select * from ${sql.table(name)} where id = ${id}`;
    const broken = { expected: 'an id of its own', found: 'that of a record of another kind' };
    append(
      found,
      same.slice(0, 1).map((row) => findingOf(name, row, broken)),
    );
  }
  return found;
}

/** The numbering is behind the highest number in use, or has too few numbers left. */
function wrongNumbering(table: Numbered, last: number, highest: number): Finding[] {
  const finding = (broken: Broken): Finding[] => [
    { ...findingOf(table, {}, broken), record: `the numbers of ${table}` },
  ];
  if (last > LARGEST_NUMBER)
    return finding({ expected: `numbers up to ${LARGEST_NUMBER}`, found: `that ${last} was given out` });
  if (last >= highest) return [];
  return finding({ expected: `to go on after ${highest}`, found: `to go on after ${last}`, mended: true });
}

async function highestOf(tx: Tx, table: Numbered): Promise<number> {
  const [key = ''] = TABLES[table];
  const rows = await query<{ last: number }>(tx)`
    select coalesce(max(${sql.ref(key)}), 0) as last from ${sql.table(table)}`;
  return rows[0]?.last ?? 0;
}

/** Gives each record the kind of the table that holds it. */
export async function repairKinds(tx: Tx): Promise<void> {
  for (const [kind, table] of KINDS) {
    await query(tx)`update records set kind = ${kind} where kind <> ${kind}
      and seq in (select seq from ${sql.table(table)})`;
  }
}

/** Continues the numbering of each table after its highest number. */
export async function repairNumbering(tx: Tx): Promise<void> {
  for (const table of NUMBERED) {
    const highest = await highestOf(tx, table);
    if (highest <= LARGEST_NUMBER) await tx.numbering.raise(tx.db, table, highest);
  }
}

/** Makes the links between versions anew: each version supersedes the one before it, and nothing else. */
export async function repairSupersedes(tx: Tx): Promise<void> {
  await query(tx)`delete from decision_edges where relationship = 'supersedes' and not exists (
    select 1 from decisions as d where d.id = decision_edges.from_id
      and d.previous_version_id = decision_edges.to_id)`;
  await query(tx)`insert into decision_edges (from_id, to_id, relationship, created_at)
    select d.id, d.previous_version_id, 'supersedes', d.created_at from decisions as d
    where d.version > 1 and d.previous_version_id is not null and not exists (
      select 1 from decision_edges as e where e.from_id = d.id and e.to_id = d.previous_version_id
        and e.relationship = 'supersedes')`;
}

/** Computes hashes and counts anew where they are wrong. */
export async function repairObservations(tx: Tx): Promise<void> {
  for await (const { id, content, contentHash } of rowsOf(tx, 'observations', [
    'id',
    'content',
    'contentHash',
  ])) {
    const hash = hashOf(String(content));
    if (hash === contentHash) continue;
    await query(tx)`update observations set content_hash = ${hash} where id = ${id}`;
  }
  // A missing revision is not invented; the next revision gets a free number.
  const newest = sql`(select coalesce(max(revision), 0) from observation_revisions as r where r.observation_id = observations.id)`;
  await query(tx)`update observations set revision_count = ${newest} where revision_count <> ${newest}`;
}

/** Takes whatever is no number out of the keywords of conversations. */
export async function repairConversations(tx: Tx): Promise<void> {
  for await (const row of rowsOf(tx, 'conversations', ['sessionId', 'previousKeywords'])) {
    const kept = JSON.stringify(numbersIn(row.previousKeywords));
    if (kept === row.previousKeywords) continue;
    await query(tx)`update conversations set previous_keywords = ${kept} where session_id = ${row.sessionId}`;
  }
}
