import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openMemory } from '../dist/index.js';
import { fillSearch } from '../test/support/fill-search.ts';
import { machine, print, spread } from './measure.ts';
import { install } from './reach/install.ts';
import { type Server, startServer } from './reach/mcp.ts';

/**
 * Speed as a user meets it: calls of the library, and whole processes for a hook, a sync and an import, on SQLite files of several
 * sizes. Then saves and searches over MCP, beside two other memories.
 *
 *   npm run build && node bench/speed.ts [--calls] [--peers FOLDER] [records, default 10000 100000]
 *
 * `--calls` measures the calls alone, for a million records. `--peers` installs the others there, or takes what is there; without
 * it they are left out.
 */
const { values, positionals } = parseArgs({
  options: { calls: { type: 'boolean' }, peers: { type: 'string' } },
  allowPositionals: true,
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000];
const CALLS = 25;
const PROCESSES = 9;
/** Lines of an import. */
const IMPORTED = 5_000;
/** A word of a question stands in this share of the records. */
const SHARE = 0.01;
/** So many entities a peer gets in one call. */
const AT_ONCE = 50;
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'precedent.cjs');
const folder = mkdtempSync(join(tmpdir(), 'precedent-speed-'));
/** The processor time of a whole process is known to the process alone. */
const REPORT = join(folder, 'report.cjs');
const PEERS: {
  name: string;
  package: string;
  program: string;
  env: (home: string) => { [name: string]: string };
}[] = [
  {
    name: 'server-memory',
    package: '@modelcontextprotocol/server-memory@2026.8.31',
    program: '@modelcontextprotocol/server-memory/dist/index.js',
    env: (home) => ({ MEMORY_FILE_PATH: join(home, 'memory.jsonl') }),
  },
  {
    name: 'mcp-memory-libsql',
    package: 'mcp-memory-libsql@0.0.17',
    program: 'mcp-memory-libsql/dist/index.js',
    env: (home) => ({ LIBSQL_URL: `file:${join(home, 'memory.db')}` }),
  },
];

try {
  machine();
  writeFileSync(
    REPORT,
    "process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)+'\\n')})",
  );
  const rows = new Map<string, string[]>();
  for (const size of sizes)
    for (const [what, cell] of await measure(size)) rows.set(what, [...(rows.get(what) ?? []), cell]);
  print('\nMilliseconds of the processor, the median (p10 … p90); seconds where a cell says so\n');
  print(`| what | ${sizes.map((size) => `${size.toLocaleString('en')} records`).join(' | ')} |`);
  print(`|---|${sizes.map(() => '---').join('|')}|`);
  for (const [what, cells] of rows) print(`| ${what} | ${cells.join(' | ')} |`);
  if (values.peers) await beside(values.peers, sizes[0] as number);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(size: number): Promise<[string, string][]> {
  const own = join(folder, String(size));
  mkdirSync(own);
  const db = join(own, 'memory.db');
  const memory = await openMemory({ db });
  const raw = new DatabaseSync(db);
  fillSearch(raw, size);
  const words = raw
    .prepare('select term from search_terms where length(term) > 2 order by abs(ln(doc * 1.0 / ?)) limit 30')
    .all(SHARE * size)
    .map(({ term }) => String(term));
  const idOf = raw.prepare('select id from decisions order by seq limit 1 offset ?');
  const id = (n: number) => String(idOf.get((n * 97) % (size / 2 - 1))?.id);
  // Texts as long as those of people; a memory of three words alone would be one of near duplicates.
  const texts = raw
    .prepare('select text from decisions order by seq limit ?')
    .all(IMPORTED)
    .map(({ text }) => String(text));
  const query = (n: number) => [0, 7, 13].map((step) => words[(n + step) % words.length]).join(' ');
  const then = new Date(size / 2).toISOString();
  const calls: [string, (n: number) => Promise<unknown>][] = [
    [
      'save a decision (`mama_save`), close ones named',
      (n) => memory.mama.save({ topic: `new:${n}`, decision: `${query(n)} ${n}`, reasoning: query(n + 1) }),
    ],
    ['save a note (`mem_save`)', (n) => memory.mem.save({ title: `Note ${n}`, content: query(n) })],
    ['read a decision (`decision_get`)', (n) => memory.decision.get({ id: id(n) })],
    ['search of three words of 1 % each (`mama_search`)', (n) => memory.mama.search({ query: query(n) })],
    ['the same as of a date', (n) => memory.search({ query: query(n), as_of: then })],
    ['`recall`', (n) => memory.recall({ task: query(n) })],
  ];
  const found: [string, string][] = [];
  for (const [what, call] of calls) {
    const times: number[] = [];
    for (let n = -3; n < CALLS; n++) {
      const before = process.cpuUsage();
      await call(n + 3);
      if (n >= 0) times.push(milliseconds(process.cpuUsage(before)));
    }
    found.push([what, cell(times)]);
  }
  raw.close();
  await memory.close();
  found.push(['the file', `${(statSync(db).size / 2 ** 20).toFixed(0)} MB`]);
  if (values.calls) return found;

  const run = (on: string, ...args: string[]) => cpuOf(['--db', on, ...args]);
  const hook = (n: number) =>
    cpuOf(
      ['--db', db, 'hook', 'claude'],
      JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: query(n), session_id: `s${n}` }),
    );
  found.push(['a hook at a prompt, the whole process', cell(times(PROCESSES, hook))]);
  const shared = join(own, 'shared');
  const other = join(own, 'other.db');
  found.push(['first sync, out', seconds(run(db, 'sync', '--init', shared, '--yes'))]);
  found.push(['first sync, in', seconds(run(other, 'sync', '--init', shared, '--yes'))]);
  const synced = times(PROCESSES, (n) => {
    run(db, 'decide', `synced:${n}`, query(n), '--why', 'measured');
    return run(db, 'sync') + run(other, 'sync');
  });
  found.push(['sync of one decision, out and in, two processes', cell(synced)]);
  const lines = join(own, 'lines.jsonl');
  writeFileSync(lines, texts.map((text, n) => lineOf(n, text)).join('\n'));
  const imported = run(join(own, 'imported.db'), 'import', lines);
  found.push([`import of ${texts.length.toLocaleString('en')} lines`, seconds(imported)]);
  return found;
}

/** Saves and searches over MCP in turns, in a memory of `count` records each. */
async function beside(peers: string, count: number): Promise<void> {
  const text = (n: number) => `Rule ${n} of area${n % 97} and part${n % 89}, for reason${n % 83}`;
  const home = join(folder, 'peers');
  mkdirSync(home);
  const servers: {
    name: string;
    server: Server;
    save: (n: number) => unknown;
    search: (n: number) => unknown;
  }[] = [];
  for (const { name, package: spec, program, env } of PEERS) {
    const file = join(install(peers, spec), 'node_modules', program);
    const server = await startServer(process.execPath, [file], { env: env(home), cwd: home });
    const entity = (n: number) => ({ name: `topic ${n}`, entityType: 'decision', observations: [text(n)] });
    for (let n = 0; n < count; n += AT_ONCE)
      await server.call('create_entities', {
        entities: Array.from({ length: AT_ONCE }, (_, at) => entity(n + at)),
      });
    servers.push({
      name,
      server,
      save: (n) => server.call('create_entities', { entities: [entity(count + n)] }),
      search: (n) => server.call('search_nodes', { query: `area${n % 97}` }),
    });
  }
  const db = join(home, 'precedent.db');
  const lines = join(home, 'lines.jsonl');
  writeFileSync(lines, Array.from({ length: count }, (_, n) => lineOf(n, text(n))).join('\n'));
  cpuOf(['--db', db, 'import', lines]);
  const ours = await startServer(process.execPath, [PROGRAM, '--db', db, 'mcp'], { cwd: home });
  servers.unshift({
    name: 'precedent',
    server: ours,
    save: (n) => ours.call('mama_save', { topic: `new:${n}`, decision: text(n), reasoning: 'measured' }),
    search: (n) => ours.call('mama_search', { query: `area${n % 97}` }),
  });
  const taken = servers.map(() => ({ save: [] as number[], search: [] as number[] }));
  for (let n = -3; n < CALLS; n++)
    for (const [at, each] of servers.entries())
      for (const what of ['save', 'search'] as const) {
        const started = performance.now();
        await each[what](n + 3);
        if (n >= 0) taken[at]?.[what].push(performance.now() - started);
      }
  print(
    `\nOver MCP, in turns, ${count.toLocaleString('en')} records each: milliseconds on the wall, the median (p10 … p90)\n`,
  );
  print('| memory | save | search |\n|---|---|---|');
  for (const [at, { name, server }] of servers.entries()) {
    print(`| ${name} | ${cell(taken[at]?.save ?? [])} | ${cell(taken[at]?.search ?? [])} |`);
    await server.close();
  }
}

/** A line of an import: two of three are decisions, the others notes. */
function lineOf(n: number, text: string): string {
  return JSON.stringify(
    n % 3 === 2
      ? { operation: 'mem_save', title: `Note ${n}`, content: text }
      : { operation: 'mama_save', topic: `area${n % 40}:${n}`, decision: text, reasoning: `Load ${n}` },
  );
}

/** Milliseconds of the processor that the program takes. */
function cpuOf(args: string[], input = ''): number {
  const { stderr, status } = spawnSync(process.execPath, ['--require', REPORT, PROGRAM, ...args], {
    input,
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return Number(stderr.match(/cpu (\d+)/)?.[1]) / 1000;
}

function times(count: number, run: (n: number) => number): number[] {
  return Array.from({ length: count + 1 }, (_, n) => run(n)).slice(1);
}

function cell(taken: number[]): string {
  const { p10, median, p90 } = spread(taken);
  const digits = median < 10 ? 1 : 0;
  return `${median.toFixed(digits)} (${p10.toFixed(digits)} … ${p90.toFixed(digits)})`;
}

function seconds(taken: number): string {
  return `${(taken / 1000).toFixed(1)} s`;
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
