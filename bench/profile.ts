import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../src/index.ts';
import { fillSearch } from '../test/support/fill-search.ts';
import { machine, print } from './measure.ts';

/**
 * Where the time of a save, a search and a context goes, by sampling: in SQLite, in the query builder, in which of our
 * files, in Node.
 *
 *   node bench/profile.ts [records, default 100000]
 */
const count = Number(process.argv[2] ?? 100_000);
/** Parts smaller than this share are put together. */
const SMALL = 0.02;
/** What node:sqlite calls its functions. */
const NATIVE = ['all', 'run', 'get', 'exec', 'iterate', 'prepare'];

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  const file = join(folder, 'memory.db');
  const memory = await openMemory({ db: file });
  const raw = new DatabaseSync(file);
  fillSearch(raw, count);
  raw.close();
  const word = (n: number) => `w${n % 50}`;
  await profile('decision_save', 150, (n) =>
    memory.decision.save({ text: `Rule ${n} of ${word(n)} and ${word(n * 7)}`, evidence: ['measured'] }),
  );
  await profile('mem_save', 500, (n) => memory.mem.save({ title: `Note ${n}`, content: `${word(n)} ${n}` }));
  const words = (await memory.mem.getObservation({ id: 3 })).content.split(' ');
  const three = (n: number) => [0, 5, 11].map((step) => words[(n + step) % words.length]).join(' ');
  await profile('mama_search', 60, (n) => memory.mama.search({ query: three(n) }));
  await profile('mem_get_observation', 2_000, (n) => memory.mem.getObservation({ id: 1 + (n % 1_000) }));
  await profile('mem_build_context, depth 5', 200, (n) =>
    memory.mem.buildContext({ observation_id: 1 + (n % 1_000), depth: 5 }),
  );
  await memory.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function profile(what: string, runs: number, run: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < Math.min(runs, 20); n++) await run(n);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const started = performance.now();
  for (let n = 0; n < runs; n++) await run(n + 20);
  const each = (performance.now() - started) / runs;
  const { profile: taken } = await session.post('Profiler.stop');
  session.disconnect();

  const nodes = new Map(taken.nodes.map((node) => [node.id, node]));
  const shares = new Map<string, number>();
  let total = 0;
  for (const [index, id] of (taken.samples ?? []).entries()) {
    const node = nodes.get(id);
    const spent = taken.timeDeltas?.[index] ?? 0;
    if (!node || node.callFrame.functionName === '(idle)') continue;
    const part = partOf(node.callFrame.url, node.callFrame.functionName);
    shares.set(part, (shares.get(part) ?? 0) + spent);
    total += spent;
  }
  const parts = [...shares].map(([part, spent]) => [part, spent / total] as const);
  const large = parts.filter(([, share]) => share >= SMALL).toSorted((a, b) => b[1] - a[1]);
  const rest = 1 - large.reduce((sum, [, share]) => sum + share, 0);
  print(`\n${what}, ${each.toFixed(2)} ms each, ${count} records\n`);
  print('| where | share |');
  print('|---|---|');
  for (const [part, share] of large) print(`| ${part} | ${(100 * share).toFixed(0)} % |`);
  if (rest > 0.005) print(`| everything else | ${(100 * rest).toFixed(0)} % |`);
}

/** What a place in the code belongs to, as a reader of the table would name it. */
function partOf(url: string, name: string): string {
  if (url.includes('/store/sqlite/driver.ts') || (url === '' && NATIVE.includes(name))) {
    return 'SQLite, commits to disk included';
  }
  const library = url.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1];
  if (library) return library;
  if (url.includes('/src/')) return relative(process.cwd(), new URL(url).pathname);
  return name === '(garbage collector)' ? 'garbage collection' : 'Node';
}
