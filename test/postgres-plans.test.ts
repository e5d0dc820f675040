import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type pg from 'pg';
import { type Memory, openMemory } from '../src/index.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { localModel } from './support/model.ts';
import { holder, inside, newDatabaseWithTables, newWorkspace, query, queryIn } from './support/postgres.ts';
import { statementsOf } from './support/statements.ts';

const DIMENSIONS = 8;
const model = localModel({ dimensions: DIMENSIONS });

/** Records that a workspace has beside its own, so few that a two-hundredth of them is one, and many; and words of each. */
const FEW_RECORDS = [250, 20] as const;
const MANY = [20_000, 1] as const;
const copies = (
  [rows, words]: readonly [number, number],
  each = `from generate_series(100001, ${100_000 + rows}) as n`,
) => [
  `insert into records (seq, kind, writer, session) select n, 'decision', 1, 1 ${each}`,
  `insert into decisions (seq, id, root_id, version, topic, text, strength, scope, confidence, is_active, withdrawn, created_at, updated_at)
    select n, n::text, n::text, 1, 'topic ' || n, 'text', 'normal', 'general', 0.5, 1, 0, n, n ${each}`,
  `insert into topics (name, key, root_id, since) select 'topic ' || n, 'topic ' || n, n::text, n ${each}`,
  `insert into decision_edges (from_id, to_id, relationship, created_at)
    select n::text, (n - 1)::text, 'builds_on', n ${each} where n > 100001`,
  `insert into search_documents (seq, length, digest) select n, 1, n::text ${each}`,
  `insert into search_postings (term, seq, weight, length) select 'term' || (n * ${words} + w) % 1000, n, 1, 1
    ${each} cross join generate_series(1, ${words}) as w`,
  `insert into vectors (seq, model, dimensions, vector)
    select n, 'test-model', ${DIMENSIONS}, array_fill(0.1::real, array[${DIMENSIONS}]) ${each}`,
];
/** Rows of so many workspaces that the statistics see little else than their few rows. */
const TINY = 600;
const OF_TINY = [
  `insert into precedent.all_search_postings (workspace, term, seq, weight, length)
    select 1000 + n / 3, 'tiny' || n % 3, n % 3, 1, 1 from generate_series(0, ${3 * TINY - 1}) as n`,
  `insert into precedent.all_search_documents (workspace, seq, length, digest)
    select 1000 + n / 3, n % 3, 1, 'x' from generate_series(0, ${3 * TINY - 1}) as n`,
];
/** The tables that hold many rows: any other is read as a whole when that is a page or two. */
const LARGE = /\ball_(records|decisions|topics|decision_edges|search_documents|search_postings|vectors)\b/;

/** What an agent does most. */
const CALLS: [name: string, input: object][] = [
  [
    'mama_save',
    {
      topic: 'auth:plan',
      decision: 'Cookies and a queue',
      reasoning: 'Safer. builds_on: auth',
      evidence: ['seen'],
    },
  ],
  ['mem_save', { title: 'Queue', content: 'Retry with backoff' }],
  ['search', { query: 'cookie queue backoff' }],
  ['mama_search', { query: 'cookie queue' }],
  ['recall', { task: 'store the cookie in a queue', domain: 'auth' }],
];

/** Each scan of a plan, with the condition of its index. */
function scansOf(node: Plan): Scan[] {
  const { 'Node Type': how, 'Relation Name': table, 'Index Name': index, Plans: inner = [] } = node;
  const loops = node['Actual Loops'];
  if (table !== undefined && /Scan$/.test(how))
    return [{ table, how, index, condition: conditionOf(node), loops }];
  return inner.flatMap(scansOf);
}

const conditionOf = (node: Plan): string =>
  node['Index Cond'] ?? (node.Plans ?? []).map(conditionOf).join(' or ');

interface Scan {
  table: string;
  how: string;
  index: string | undefined;
  condition: string;
  /** How often it was done, where that was tried. */
  loops: number | undefined;
}
interface Plan {
  'Node Type': string;
  'Total Cost': number;
  'Actual Loops'?: number;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** What has no more than the workspace in its index, since it reads all of that: each vector, and what a count counts. */
const WHOLE = /from vectors as v|^select scope, count/;
/** Indexes of few rows: what was retracted, and versions whose author had not seen the one before. */
const FEW = ['records_retracted', 'decisions_forked'];
/** What the server may take a statement to cost before it compiles it, which takes longer than any of these (JIT). */
const OF_PROGRAMS = 100_000;

/**
 * What of the calls in a workspace is not found by the workspace and more.
 * @param isYoung whether it is so small that it may be read as a whole, but not for each row of a join: that is tried
 */
async function missing(memory: Memory, client: pg.Client, isYoung: boolean): Promise<string[]> {
  const wrong: string[] = [];
  let seen = 0;
  for (const [name, input] of CALLS)
    for (const { text, values } of await statementsOf(() => memory.call(name, input))) {
      if (!(isYoung ? /^\s*(select|with)\b/i : /^\s*(select|with|insert|update|delete)\b/i).test(text))
        continue;
      // Who may be trusted is asked before a transaction is told to read no table as a whole.
      if (text.includes('pg_catalog.pg_roles')) continue;
      const { rows } = await client.query(
        `explain (${isYoung ? 'analyze, ' : ''}format json) ${text}`,
        values,
      );
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Plan }];
      const told = `${name}: ${text.replace(/\s+/g, ' ')}`;
      if (plan['Total Cost'] >= OF_PROGRAMS) wrong.push(`costs ${plan['Total Cost']}: ${told}`);
      for (const { table, how, condition, index, loops } of scansOf(plan)) {
        if (!LARGE.test(table)) continue;
        seen++;
        const narrows = condition !== '' && condition.split(' or ').every((each) => each.includes(' AND '));
        const isAll =
          condition.startsWith('(workspace = ') && (FEW.includes(index ?? '') || WHOLE.test(text.trim()));
        if (!narrows && !isAll && (loops ?? 3) > 2)
          wrong.push(`${how} of ${table} by ${condition || 'nothing'}: ${told}`);
      }
    }
  assert(seen > (isYoung ? 100 : 150), `${seen} scans`);
  return wrong;
}

describe('plans on PostgreSQL', { ...optionsOf(postgres), concurrency: 1 }, () => {
  it('[N-5] each access of a save, a search and a recall has the workspace and more in its index', async (test) => {
    const { db } = await newDatabaseWithTables();
    const role = newWorkspace();
    await query(`create role "${role}" login`);
    const url = Object.assign(new URL(db), { username: role }).href;
    const large = await openMemory({ db, workspace: 'large' });
    await large.close();
    for (const text of [
      'create extension vector',
      `grant usage on schema precedent to "${role}"`,
      `grant select, insert, update, delete on all tables in schema precedent to "${role}"`,
    ])
      await query(text, [], db);
    test.after(async () => {
      await query(`drop owned by "${role}"`, [], db);
      await query(`drop role "${role}"`);
    });
    const open = async (workspace: string) => {
      const memory = await openMemory({ db: url, workspace, embedder: model });
      test.after(() => memory.close());
      for (const topic of ['auth', 'queue', 'proxy', 'cookie', 'store'])
        await memory.mama.save({
          topic,
          decision: `A cookie for the ${topic}`,
          evidence: ['measured in a queue'],
        });
      return memory;
    };
    const check = async (workspace: string, memory: Memory) => {
      const client = await holder(url, ...inside(workspace), 'set enable_seqscan to off');
      try {
        assert.deepEqual(await missing(memory, client, workspace === 'young'), [], workspace);
      } finally {
        await client.end();
      }
    };
    const young = await open('young');
    for (const text of copies(FEW_RECORDS)) await queryIn('young', text, [], db);
    await query('analyze', [], db);
    await check('young', young);
    const memories = { small: await open('small'), grown: await open('grown'), copied: await open('copied') };
    for (const text of copies(MANY)) await queryIn('grown', text, [], db);
    for (const text of OF_TINY) await query(text, [], db);
    await query('analyze', [], db);
    for (const text of copies(MANY)) await queryIn('copied', text, [], db);
    for (const [workspace, memory] of Object.entries(memories)) await check(workspace, memory);
  });
});
