import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openMemory } from '../dist/index.js';
import { fillSearch } from '../test/support/fill-search.ts';
import { inside } from '../test/support/postgres.ts';
import { machine, print, spread } from './measure.ts';

/**
 * What a page of the log and of the lists costs in a large memory: processor time of this process, and on PostgreSQL the
 * time on the wall too, since the server computes elsewhere.
 *
 *   node bench/lists.ts [records, default 100000]
 *
 * With PRECEDENT_TEST_POSTGRES the same on PostgreSQL, where no text is indexed: the words of a filter find nothing.
 */
const count = Number(process.argv[2] ?? 100_000);
const RUNS = 15;
/** Milliseconds of the processor that a first page may take. */
const BAR = 60;
/** Each listing, and which of its pages are measured. */
const LISTINGS: [name: string, operation: string, input: object][] = [
  ['log', 'timeline', {}],
  ['log of a scope', 'timeline', { scope: 'scope 3' }],
  ['log since a moment', 'timeline', { since: '1970-01-01T00:00:50Z' }],
  ['log with a word', 'timeline', { filter: 'FIRST' }],
  ['list', 'decision_list', {}],
  ['list of a scope', 'decision_list', { scope: 'scope 3' }],
  ['list without evidence', 'decision_list', { noEvidence: true }],
  ['list of observations', 'mem_list', {}],
  ['topics', 'list_names', { kind: 'topics' }],
  ['scopes', 'list_names', { kind: 'scopes' }],
  ['authors', 'list_names', { kind: 'authors' }],
  ['changed_since', 'changed_since', {}],
];

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const memory = await openMemory({ db: join(folder, 'lists.db') });
  const raw = new DatabaseSync(join(folder, 'lists.db'));
  fillSearch(raw, count);
  // The filler gives no names, which a topic has from its first save.
  raw.exec(`insert or ignore into topics (name, key, root_id, since)
    select topic, topic, root_id, created_at from decisions where version = 1 and topic is not null;
    insert or ignore into scopes (name, key, scope, since) select distinct scope, scope, scope, 0 from decisions`);
  raw.close();
  await table('SQLite', memory);
  const server = process.env.PRECEDENT_TEST_POSTGRES;
  if (server) {
    const workspace = `bench-lists-${process.pid}`;
    const other = await openMemory({ db: server, workspace });
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    for (const each of inside(workspace)) await client.query(each);
    for (const statement of fillPostgres(count)) await client.query(statement);
    await table('PostgreSQL', other);
    await other.close();
    await client.query(`drop schema if exists precedent cascade`);
    await client.end();
  }
  await memory.close();
}

/** As many decisions and observations as in the file, in scopes of the same size, with an outcome for every tenth. */
function fillPostgres(records: number): string[] {
  const numbers = `generate_series(1, ${records}) as n`;
  const id = "'00000000-0000-4000-8000-' || lpad(n::text, 12, '0')";
  return [
    "insert into writers (author, host, client, session) values ('', '', 'bench', 's')",
    `insert into records (seq, kind, writer, session)
      select n, case when n % 2 = 0 then 'observation' when n % 20 = 1 then 'outcome' else 'decision' end, 1, 1 from ${numbers}`,
    `insert into decisions (seq, id, root_id, version, topic, text, strength, scope, confidence, is_active, withdrawn, created_at, updated_at)
      select n, ${id}, ${id}, 1, 'topic ' || n, 'FIRST word ' || n, 'normal', 'scope ' || n % 12, 0.5, 1, 0, n, n
      from ${numbers} where n % 2 = 1 and n % 20 <> 1`,
    `insert into outcomes (seq, decision_id, outcome, reason, created_at)
      select n, '00000000-0000-4000-8000-' || lpad((n + 2)::text, 12, '0'), 'failed', 'why', n from ${numbers} where n % 20 = 1 and n + 2 <= ${records}`,
    `insert into observations (seq, title, content, content_hash, type, project, scope, revision_count, duplicate_count, created_at, updated_at, last_seen_at, writer)
      select n, 'title ' || n, 'content ' || n, n::text, 'manual', 'project', 'project', 0, 0, n, n, n, 1 from ${numbers} where n % 2 = 0`,
    'insert into topics (name, key, root_id, since) select topic, topic, id, created_at from decisions',
    'insert into scopes (name, key, scope, since) select distinct scope, scope, scope, 0 from decisions',
    'analyze',
  ];
}

type Memory = Awaited<ReturnType<typeof openMemory>>;

async function table(name: string, memory: Memory): Promise<void> {
  print(`\n${name}, ${count} records: the first page, and the second\n`);
  print('| what | processor, median | p90 | on the wall | second page | bar |');
  print('|---|---|---|---|---|---|');
  for (const [what, operation, input] of LISTINGS) {
    const word =
      'filter' in input ? { filter: wordIn(await memory.call('decision_list', { limit: 1 })) } : {};
    const asked = { ...input, ...word };
    const first = await times(() => memory.call(operation, asked));
    const { nextCursor, next_cursor: next } = await memory.call(operation, asked);
    const cursor = nextCursor ?? next;
    const second =
      cursor === undefined ? undefined : await times(() => memory.call(operation, { ...asked, cursor }));
    const { median, p90 } = spread(first.processor);
    const bar = median <= BAR ? '✔' : '✘';
    print(
      `| ${what} | ${median.toFixed(1)} | ${p90.toFixed(1)} | ${spread(first.wall).median.toFixed(1)} | ${second ? spread(second.processor).median.toFixed(1) : '–'} | ≤ ${BAR} ${bar} |`,
    );
  }
}

async function times(run: () => Promise<unknown>): Promise<{ processor: number[]; wall: number[] }> {
  const processor: number[] = [];
  const wall: number[] = [];
  await run();
  for (let n = 0; n < RUNS; n++) {
    const [before, started] = [process.cpuUsage(), performance.now()];
    await run();
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
    wall.push(performance.now() - started);
  }
  return { processor, wall };
}

/** A word of the newest decision. */
function wordIn({ decisions: [decision] }: { decisions: { text: string }[] }): string {
  return decision?.text.split(' ')[0] ?? '';
}
