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
 *
 * With the coordinator of a Citus in PRECEDENT_BENCH_CITUS it is Citus that is compared, with PostgreSQL.
 */
const count = Number(process.argv[2] ?? 100_000);
const server = process.env.PRECEDENT_BENCH_POSTGRES ?? '';
const coordinator = process.env.PRECEDENT_BENCH_CITUS ?? '';
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
const file = join(folder, 'memory.db');
/** What is compared, and with what. */
const [product, floor] =
  coordinator === ''
    ? [
        { name: 'PostgreSQL', db: server },
        { name: 'SQLite', db: file },
      ]
    : [
        { name: 'Citus', db: coordinator },
        { name: 'PostgreSQL', db: server },
      ];
const names: [string, string] = [product.name, floor.name];
const servers = [product, floor].filter(({ db }) => db !== file);
try {
  machine();
  for (const { db } of servers) {
    const [of] = await ask(
      db,
      "select version(), current_setting('fsync') as fsync, current_setting('shared_buffers') as buffers",
    );
    print(`${of.version.split(' on ')[0]}, fsync ${of.fsync}, shared_buffers ${of.buffers}`);
  }
  if (coordinator !== '')
    print((await ask(coordinator, 'select citus_version() as version'))[0].version.split(' on ')[0]);
  await measure();
} finally {
  for (const { db } of servers) await ask(db, `drop schema if exists precedent cascade`);
  rmSync(folder, { recursive: true, force: true });
}

async function ask(connectionString: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function measure(): Promise<void> {
  const sqlite = await openMemory({ db: file, workspace });
  const raw = new DatabaseSync(file);
  fillSearch(raw, count);
  const frequent = words(raw);
  const open = async ({ name, db }: typeof product) => {
    if (db === file) return sqlite;
    const memory = await openMemory({ db, workspace });
    const started = performance.now();
    await copy(sqlite, memory);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    print(`${count} records copied from SQLite to ${name} in ${seconds} s`);
    // As autovacuum does by itself within a minute.
    for (const table of await tables(db)) await ask(db, `vacuum analyze ${table}`);
    return memory;
  };
  const [one, two] = [await open(product), await open(floor)];
  for (const [name, memory] of [
    [product.name, one],
    [floor.name, two],
  ] as const) {
    const { bytes } = await memory.inspect();
    print(`${name}: ${(bytes / 2 ** 20).toFixed(0)} MiB, ${Math.round(bytes / count)} bytes a record`);
  }

  heading(`${count} records on both`, names);
  const random = generator(3);
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)] as T;
  const both = (what: string, ask: (memory: Memory, n: number) => unknown, runs = RUNS) =>
    compare(
      what,
      runs,
      (n) => ask(one, n),
      (n) => ask(two, n),
    );
  const { results } = await sqlite.mama.search({ limit: 2 });
  const [basis, other] = results.map(({ id }) => id);
  const reasoning = `builds_on: ${basis}\ndebates: ${other}`;
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

  for (const side of [product, floor]) await throughput(side);
  await meaning();
  raw.close();
  await Promise.all([one.close(), two.close(), sqlite.close()]);
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

async function tables(db: string): Promise<string[]> {
  const rows = await ask(
    db,
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as "table" from pg_tables where schemaname = $1`,
    [workspace],
  );
  return rows.map(({ table }) => table);
}

/** Words by the share of records that they stand in. */
function words(raw: DatabaseSync) {
  const all = wordsOf(raw);
  const near = (share: number, many: number) => nearest(all, count, share, many);
  return { rare: near(0.0005, 60), middle: near(0.01, 60), common: near(0.2, 8) };
}

/** As many clients, each with its own connections, save at once. */
async function throughput({ name, db }: typeof product): Promise<void> {
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
async function meaning(): Promise<void> {
  const random = generator(4);
  const vector = () => {
    const numbers = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const length = Math.hypot(...numbers);
    return numbers.map((each) => each / length);
  };
  const embedder = { model: 'random', embed: async (texts: string[]) => texts.map(vector) };
  const open = ({ db }: typeof product) => openMemory({ db, workspace, embedder });
  const [one, two] = [await open(product), await open(floor)];
  for (const memory of [one, two]) await memory.embed();
  for (const { db } of servers) await ask(db, `vacuum analyze precedent.all_vectors`);
  heading(`Meaning among ${count} vectors of ${DIMENSIONS}`, names);
  await compare(
    'mem_search for a word that stands nowhere',
    20,
    () => one.mem.search({ query: 'zzzz' }),
    () => two.mem.search({ query: 'zzzz' }),
  );
  await Promise.all([one.close(), two.close()]);
}
