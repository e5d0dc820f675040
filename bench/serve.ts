import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Memory, openMemory } from '../dist/index.js';
import { writeTokens } from '../src/http/access/token-file.ts';
import { hashOf, newToken } from '../src/http/access/tokens.ts';
import { fillSearch } from '../test/support/fill-search.ts';
import { generator } from '../test/support/random.ts';
import { machine, print, spread } from './measure.ts';
import { BARE, type Face, type Servers, startServers } from './serving/servers.ts';
import { nearest, wordsOf } from './words.ts';

/**
 * What `precedent serve` bears, and what it costs over the operation itself: by API and by MCP, with 1, 16 and 64
 * connections, on SQLite and on PostgreSQL, where one server answers and where two do. The callers run on the same
 * processors.
 *
 *   [PRECEDENT_BENCH_POSTGRES=postgres://…] node bench/serve.ts [records, default 1000] [share: the face's alone]
 */
const RECORDS = Number(process.argv[2] ?? 1_000);
const CONNECTIONS = [1, 16, 64];
const FACES: readonly Face[] = ['API', 'MCP'];
const OF_ALL_TIMES: readonly Face[] = [...FACES, 'MCP of 2025'];
/** Calls of a row. */
const CALLS = 128;
/** The face's share: so many calls a turn, so many turns, after so many in which code is compiled. */
const [TURN, TURNS, WARM] = [100, 9, 4];
const address = process.env.PRECEDENT_BENCH_POSTGRES;

const folder = mkdtempSync(join(tmpdir(), 'precedent-serve-'));
const file = join(folder, 'precedent', 'bench.db');
const here = { XDG_DATA_HOME: folder, PRECEDENT_TOKENS: join(folder, 'tokens.jsonl') };
const tokens = Array.from({ length: 64 }, newToken);
const random = generator(5);
const workspace = 'bench';

try {
  machine();
  print(
    `${RECORDS} records; load ${loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')} when it began`,
  );
  mkdirSync(join(folder, 'precedent'));
  writeTokens(
    here.PRECEDENT_TOKENS,
    tokens.map((token, n) => ({
      name: `t${n}`,
      author: 'Bench',
      person: false,
      workspaces: undefined,
      access: 'write',
      expires: Date.now() + 3_600_000,
      hash: hashOf(token),
    })),
  );
  const memory = await openMemory({ db: file, workspace });
  const raw = new DatabaseSync(file);
  fillSearch(raw, RECORDS);
  await memory.mama.save({ type: 'checkpoint', summary: 'Half of it' });
  const words = nearest(wordsOf(raw), RECORDS, 0.01, 60);
  raw.close();
  const word = () => words[Math.floor(random() * words.length)];
  let saves = 0;
  const operations: Record<string, [name: string, input: () => object]> = {
    search: ['mama_search', () => ({ query: `${word()} ${word()} ${word()}` })],
    recall: ['recall', () => ({ task: `${word()} ${word()}` })],
    save: [
      'mama_save',
      () => ({ topic: `load:${saves++}`, decision: `Rule of ${word()}`, reasoning: `${word()} ${word()}` }),
    ],
  };

  await ofTheFace(memory, operations);
  if (process.argv[3] !== 'share') await ofTheLoad(operations);
  await memory.close();
  print(
    `\nload ${loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')} when it ended`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

type Asked = Record<string, [name: string, input: () => object]>;

/** What the servers bear. */
async function ofTheLoad(operations: Asked): Promise<void> {
  print(
    '\n| engine, servers | face | operation | connections | a second | p50 ms | p99 ms | processor of the servers, ms a call | told to wait |',
  );
  print('|---|---|---|---|---|---|---|---|---|');
  await load('SQLite, 1', await startServers(1, here, tokens), operations);
  if (address === undefined) print('\nPRECEDENT_BENCH_POSTGRES names no PostgreSQL: it was left out.');
  else await onPostgres(address, operations);
}

/** What a call takes of the processor over the same operation called in a process of its own, in turns. */
async function ofTheFace(memory: Memory, operations: Asked): Promise<void> {
  const servers = await startServers(1, here, tokens);
  const bare = await startServers(1, {}, tokens, BARE);
  for (const each of [servers, bare]) each.connect(1);
  print(
    `\n| milliseconds of the processor a call, ${TURNS} turns of ${TURN} | itself | Node's server alone | by API | more | by MCP | more | by MCP of 2025 | more |`,
  );
  print('|---|---|---|---|---|---|---|---|---|');
  const trifle: Asked = { 'a checkpoint': ['mama_load_checkpoint', () => ({})] };
  for (const [what, [name, input]] of Object.entries({ ...trifle, ...operations })) {
    const itself: number[] = [];
    const sockets: number[] = [];
    const by: Record<Face, number[]> = { API: [], MCP: [], 'MCP of 2025': [] };
    const through = async (asked: Servers, face: Face, inputs: object[]) => {
      const begun = asked.processorTime();
      for (const [n, each] of inputs.entries())
        await asked.call(face, name, name === 'mama_save' ? input() : each, n);
      return (asked.processorTime() - begun) / TURN;
    };
    for (let turn = -WARM; turn < TURNS; turn++) {
      const inputs = Array.from({ length: TURN }, input);
      const before = process.cpuUsage();
      for (const each of inputs) await memory.call(name as 'recall', name === 'mama_save' ? input() : each);
      const { user, system } = process.cpuUsage(before);
      if (turn >= 0) itself.push((user + system) / 1_000 / TURN);
      const alone = await through(bare, 'API', inputs);
      if (turn >= 0) sockets.push(alone);
      for (const face of OF_ALL_TIMES) {
        const taken = await through(servers, face, inputs);
        if (turn >= 0) by[face].push(taken);
      }
    }
    const floor = spread(itself).median;
    const shown = (times: number[]) => {
      const { p10, median, p90 } = spread(times);
      return `${median.toFixed(2)} (${p10.toFixed(2)} … ${p90.toFixed(2)})`;
    };
    const cells = OF_ALL_TIMES.flatMap((face) => [
      shown(by[face]),
      (spread(by[face]).median - floor).toFixed(2),
    ]);
    print(`| ${[what, shown(itself), shown(sockets), ...cells].join(' | ')} |`);
  }
  await servers.end();
  await bare.end();
}

/** The same records there, saved one by one: what was filled in raw SQL is no memory that an import takes. */
async function onPostgres(address: string, operations: Asked): Promise<void> {
  const admin = new pg.Client({ connectionString: address });
  await admin.connect();
  try {
    const { rows } = await admin.query("select version(), current_setting('fsync') as fsync");
    const there = await openMemory({ db: address, workspace });
    for (const { topic = '', text = '', scope = '' } of rowsOf(
      'select topic, text, scope from decisions order by seq',
    ))
      await there.mama.save({ topic, decision: text, ...(scope !== '' && { scope }) });
    for (const { title = '', content = '' } of rowsOf('select title, content from observations order by seq'))
      await there.mem.save({ title, content });
    await there.close();
    const env = { ...here, PRECEDENT_DB: address };
    for (const count of [1, 2])
      await load(`PostgreSQL, ${count}`, await startServers(count, env, tokens), operations);
    print(
      `\n${rows[0].version.split(' on ')[0]}, fsync ${rows[0].fsync}; its own processor time is not counted.`,
    );
  } finally {
    await admin.query(`drop schema if exists precedent cascade`);
    await admin.end();
  }
}

function rowsOf(sql: string): Partial<Record<string, string>>[] {
  const raw = new DatabaseSync(file, { readOnly: true });
  try {
    return raw.prepare(sql).all() as Record<string, string>[];
  } finally {
    raw.close();
  }
}

/** As many callers as connections, each with its next call as soon as it has the answer to the last. */
async function load(what: string, servers: Servers, operations: Asked): Promise<void> {
  let n = 0;
  for (const face of FACES)
    for (const [shown, [name, input]] of Object.entries(operations)) {
      for (const connections of CONNECTIONS) {
        servers.connect(connections);
        // Connections are made, and code is compiled, before it counts.
        await Promise.all(Array.from({ length: connections }, () => servers.call(face, name, input(), n++)));
        const times: number[] = [];
        let waited = 0;
        let left = CALLS;
        const [begun, processor] = [performance.now(), servers.processorTime()];
        const caller = async () => {
          while (left-- > 0) {
            const started = performance.now();
            const status = await servers.call(face, name, input(), n++);
            times.push(performance.now() - started);
            if (status === 503) waited++;
            else if (status !== 200) throw new Error(`${status} to ${name}`);
          }
        };
        await Promise.all(Array.from({ length: connections }, caller));
        const seconds = (performance.now() - begun) / 1_000;
        const sorted = times.toSorted((one, other) => one - other);
        const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
        const cells = [
          what,
          face,
          shown,
          connections,
          (CALLS / seconds).toFixed(0),
          at(0.5),
          at(0.99),
          ((servers.processorTime() - processor) / CALLS).toFixed(1),
          waited,
        ];
        print(`| ${cells.join(' | ')} |`);
      }
    }
  await servers.end();
}
