import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { type Memory, openMemory } from '../dist/index.js';
import { fillSearch } from '../test/support/fill-search.ts';
import { generator } from '../test/support/random.ts';
import { compare, heading, machine, print, spread } from './measure.ts';
import { nearest, wordsOf } from './words.ts';

/**
 * The same memory on both engines, asked the same in turns; how long a copy takes, what a record takes on disk, and how
 * many saves a second twenty clients get.
 *
 *   PRECEDENT_BENCH_POSTGRES=postgres://… node bench/engines.ts [records, default 100000]
 */
const count = Number(process.argv[2] ?? 100_000);
const server = process.env.PRECEDENT_BENCH_POSTGRES ?? '';
const workspace = `bench-${process.pid}`;
const RUNS = 60;
const CLIENTS = 20;
const SAVES = 25;
const DIMENSIONS = 384;

if (server === '') {
  print(
    'Name a PostgreSQL in PRECEDENT_BENCH_POSTGRES: scripts/postgres.sh start DIR PORT -c fsync=on starts one.',
  );
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
const admin = new pg.Client({ connectionString: server });
await admin.connect();
try {
  machine();
  const { rows } = await admin.query(
    "select version(), current_setting('fsync') as fsync, current_setting('shared_buffers') as buffers",
  );
  print(`${rows[0].version.split(' on ')[0]}, fsync ${rows[0].fsync}, shared_buffers ${rows[0].buffers}`);
  await measure();
} finally {
  await admin.query(`drop schema if exists "${workspace}" cascade`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const file = join(folder, 'memory.db');
  const sqlite = await openMemory({ db: file, workspace });
  const raw = new DatabaseSync(file);
  fillSearch(raw, count);
  const frequent = words(raw);
  const postgres = await openMemory({ db: server, workspace });
  const started = performance.now();
  await copy(sqlite, postgres);
  print(
    `${count} records copied from SQLite to PostgreSQL in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  // As autovacuum does by itself within a minute.
  for (const { table } of await tables()) await admin.query(`vacuum analyze ${table}`);
  for (const [name, memory] of Object.entries({ sqlite, postgres })) {
    const { bytes } = await memory.inspect();
    print(`${name}: ${(bytes / 2 ** 20).toFixed(0)} MiB, ${Math.round(bytes / count)} bytes a record`);
  }

  heading(`${count} records on both engines`, ['PostgreSQL', 'SQLite']);
  const random = generator(3);
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)] as T;
  const both = (what: string, ask: (memory: Memory, n: number) => unknown, runs = RUNS) =>
    compare(
      what,
      runs,
      (n) => ask(postgres, n),
      (n) => ask(sqlite, n),
    );
  const { results } = await sqlite.mama.search({ limit: 2 });
  const [one, other] = results.map(({ id }) => id);
  const reasoning = `builds_on: ${one}\ndebates: ${other}`;
  await both('decision_save, two edges, one evidence', (memory, n) =>
    memory.decision.save({
      text: `Rule ${n} of ${pick(frequent.middle)}`,
      reasoning,
      evidence: ['measured'],
    }),
  );
  await both('mem_save', (memory, n) =>
    memory.mem.save({ title: `Note ${n}`, content: `The content of ${n}` }),
  );
  const ids = Array.from({ length: RUNS + 5 }, () => 1 + Math.floor(random() * (count / 2 - 1)));
  await both('mem_get_observation', (memory, n) => memory.mem.getObservation({ id: ids[n] as number }));
  await both('mem_build_context, depth 3', (memory, n) =>
    memory.mem.buildContext({ observation_id: ids[n] as number, depth: 3 }),
  );
  await both('decision_retrieve', (memory) => memory.decision.retrieve({ limit: 20 }));
  for (const [kind, from] of Object.entries(frequent)) {
    const asked = Array.from({ length: RUNS + 5 }, () => [pick(from), pick(from), pick(from)].join(' '));
    const query = (n: number) => asked[n] as string;
    await both(`mama_search, three ${kind} words`, (memory, n) => memory.mama.search({ query: query(n) }));
    await both(`mem_search, three ${kind} words`, (memory, n) => memory.mem.search({ query: query(n) }));
  }
  await both('recall', (memory) =>
    memory.recall({ task: `${pick(frequent.middle)} ${pick(frequent.rare)}` }),
  );

  await throughput('PostgreSQL', server);
  await throughput('SQLite', file);
  await meaning({ sqlite, postgres });
  raw.close();
  await Promise.all([sqlite.close(), postgres.close()]);
}

async function copy(from: Memory, to: Memory): Promise<void> {
  const lines = new PassThrough({ objectMode: true });
  const sent = from.export(
    'jsonl',
    (line) => lines.write(line) || new Promise((go) => lines.once('drain', go)),
  );
  sent.then(
    () => lines.end(),
    (error) => lines.destroy(error),
  );
  await to.import(lines);
}

async function tables(): Promise<{ table: string }[]> {
  const { rows } = await admin.query(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as "table" from pg_tables where schemaname = $1`,
    [workspace],
  );
  return rows;
}

/** Words by the share of records that they stand in. */
function words(raw: DatabaseSync) {
  const all = wordsOf(raw);
  const near = (share: number, many: number) => nearest(all, count, share, many);
  return { rare: near(0.0005, 60), middle: near(0.01, 60), common: near(0.2, 8) };
}

/** As many clients, each with its own connections, save at once. */
async function throughput(name: string, db: string): Promise<void> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openMemory({ db, workspace })));
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    clients.map(async (memory, client) => {
      for (let n = 0; n < SAVES; n++) {
        const began = performance.now();
        await memory.mem.save({
          title: `Client ${client}`,
          content: `The content ${n} of ${client} ${name}`,
        });
        times.push(performance.now() - began);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const { median, p90 } = spread(times);
  print(
    `\n${name}: ${CLIENTS} clients of one workspace save ${Math.round(times.length / seconds)} a second; one takes ${median.toFixed(0)} ms (median), ${p90.toFixed(0)} ms (p90)`,
  );
  await Promise.all(clients.map((memory) => memory.close()));
}

/** The nearest of as many vectors as there are records. */
async function meaning(memories: { sqlite: Memory; postgres: Memory }): Promise<void> {
  const random = generator(4);
  const vector = () => {
    const numbers = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const length = Math.hypot(...numbers);
    return numbers.map((each) => each / length);
  };
  const embedder = { model: 'random', embed: async (texts: string[]) => texts.map(vector) };
  const file = (await memories.sqlite.inspect()).location;
  const [sqlite, postgres] = [
    await openMemory({ db: file, workspace, embedder }),
    await openMemory({ db: server, workspace, embedder }),
  ];
  for (const memory of [sqlite, postgres]) await memory.embed();
  await admin.query(`vacuum analyze "${workspace}".vectors`);
  heading(`Meaning among ${count} vectors of ${DIMENSIONS}`, ['PostgreSQL', 'SQLite']);
  await compare(
    'mem_search for a word that stands nowhere',
    20,
    () => postgres.mem.search({ query: 'zzzz' }),
    () => sqlite.mem.search({ query: 'zzzz' }),
  );
  await Promise.all([sqlite.close(), postgres.close()]);
}
