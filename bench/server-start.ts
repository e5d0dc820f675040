import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fillWithCommonWords } from './common-words.ts';
import { machine, print } from './measure.ts';

/**
 * What a server that an agent starts costs until each of its first answers, on Linux: medians of processor time, in turns
 * with a Node that does nothing, 10,000 records on SQLite. The client pauses after each answer, as models do.
 *
 *   node bench/server-start.ts [folders of builds to compare, default dist]
 */
const ROUNDS = 15;
const PAUSE = 500;
const given = process.argv.slice(2);
const builds = given.length > 0 ? given : ['dist'];
const folder = mkdtempSync(join(tmpdir(), 'precedent-start-'));
const db = join(folder, 'why.db');
const recall = { method: 'tools/call', params: { name: 'recall', arguments: { task: 'webhook seat' } } };
const clientInfo = { name: 'bench', version: '1' };
const ASKED: [what: string, request: { method: string; params: object }][] = [
  [
    'start to the answer of initialize',
    { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  ],
  ['tools/list', { method: 'tools/list', params: {} }],
  ['the first recall', recall],
  ['the second recall', recall],
  ['the third recall', recall],
];

try {
  machine();
  await fillWithCommonWords(db);
  const bare: number[] = [];
  const times = builds.map(() => ASKED.map(() => [] as number[]));
  // The first two turns compile.
  for (let round = -2; round < ROUNDS; round++) {
    const floor = cpuOfBareNode();
    if (round >= 0) bare.push(floor);
    for (const [at, build] of builds.entries()) {
      const taken = await converse(build);
      if (round >= 0) for (const [step, time] of taken.entries()) times[at]?.[step]?.push(time);
    }
  }
  print(`\na bare Node takes ${shown(bare)} ms\n\n| build | what | ms | of bare Node |\n|---|---|---|---|`);
  for (const [at, build] of builds.entries())
    for (const [step, [what]] of ASKED.entries()) {
      const all = times[at]?.[step] ?? [];
      print(`| ${build} | ${what} | ${shown(all)} | ${(quarter(all, 2) / quarter(bare, 2)).toFixed(1)} × |`);
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a server and asks it. @returns milliseconds until each answer, without what it does in the pauses */
async function converse(build: string): Promise<number[]> {
  const server = spawn(process.execPath, [join(build, 'precedent.cjs'), 'mcp'], {
    env: { ...process.env, XDG_CACHE_HOME: folder, PRECEDENT_DB: db },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface(server.stdout)[Symbol.asyncIterator]();
  const taken: number[] = [];
  let before = 0;
  for (const [id, [, request]] of ASKED.entries()) {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    await answers.next();
    taken.push(cpuOf(server) - before);
    await setTimeout(PAUSE);
    before = cpuOf(server);
  }
  server.stdin.end();
  await answers.next();
  return taken;
}

/** Milliseconds that all threads of a process took so far. */
function cpuOf({ pid }: ChildProcessByStdio<Writable, Readable, null>): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const taken = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return taken.reduce((sum, line) => sum + Number(line.split(' ')[0]), 0) / 1e6;
}

function cpuOfBareNode(): number {
  const report = "process.on('exit',()=>{const{user,system}=process.cpuUsage();console.log(user+system)})";
  return Number(spawnSync(process.execPath, ['-e', report], { encoding: 'utf8' }).stdout) / 1000;
}

function shown(times: number[]): string {
  const [low, median, high] = [1, 2, 3].map((count) => quarter(times, count).toFixed(0));
  return `${median} (${low} … ${high})`;
}

/** @param count of quarters: 2 is the median */
function quarter(times: number[], count: number): number {
  return times.toSorted((a, b) => a - b)[(times.length * count) >> 2] ?? 0;
}
