import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../dist/index.js';
import { fillSearch } from '../test/support/fill-search.ts';
import { machine, print, spread } from './measure.ts';

/**
 * What a page of the log and of the lists costs in a large memory: processor time of this process, and on PostgreSQL the
 * time on the wall too, since the server computes elsewhere.
 *
 *   node bench/lists.ts [records, default 100000]
 *
 * With PRECEDENT_TEST_POSTGRES the same on PostgreSQL, into which the memory is copied first.
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
  ['topics', 'topic_list', {}],
  ['scopes', 'scope_list', {}],
  ['authors', 'author_list', {}],
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
    const lines: string[] = [];
    await memory.export('jsonl', (line) => lines.push(line));
    const other = await openMemory({ db: server, workspace: `bench-lists-${process.pid}` });
    await other.import(lines);
    await table('PostgreSQL', other);
    await other.close();
  }
  await memory.close();
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
function wordIn(page: Record<string, unknown>): string {
  const [decision] = page.decisions as { text: string }[];
  return decision?.text.split(' ')[0] ?? '';
}
