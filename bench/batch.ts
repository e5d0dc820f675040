import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { machine, print } from './measure.ts';

/**
 * How long `precedent batch` takes: two of five lines save a decision, two an observation, one an outcome. First into a
 * memory that is made for it, then into the same one.
 *
 *   PRECEDENT_BENCH_POSTGRES=postgres://… node bench/batch.ts [lines, default 10000]
 */
const count = Number(process.argv[2] ?? 10_000);
const server = process.env.PRECEDENT_BENCH_POSTGRES ?? '';
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
const workspace = `bench-${process.pid}`;
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'precedent.cjs');

try {
  machine();
  print('\n| engine | into | lines | seconds |\n|---|---|---|---|');
  run('SQLite', ['--db', join(folder, 'memory.db')]);
  if (server !== '') run('PostgreSQL', ['--db', server, '--workspace', workspace]);
} finally {
  rmSync(folder, { recursive: true, force: true });
  if (server !== '') {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(`drop schema if exists precedent cascade`);
    await admin.end();
  }
}

function run(engine: string, place: string[]): void {
  for (const into of ['a new memory', 'one that is there']) {
    const file = join(folder, 'history.jsonl');
    writeFileSync(file, Array.from({ length: count }, (_, at) => JSON.stringify(save(at, into))).join('\n'));
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'import', file, ...place, '--json'], {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    });
    const seconds = (performance.now() - started) / 1000;
    if (status !== 0) throw new Error(stderr);
    print(`| ${engine} | ${into} | ${count} | ${seconds.toFixed(1)} |`);
  }
}

function save(at: number, into: string): object {
  const topic = (number: number) => `area${number % 40}:${into.length}-${number}`;
  if (at % 5 === 4) {
    return {
      operation: 'mama_update',
      id: topic(at - 4),
      outcome: 'success',
      reason: `held ${at}`,
      date: '2026-03-02',
    };
  }
  const date = '2026-03-01';
  return at % 5 < 2
    ? {
        operation: 'mama_save',
        topic: topic(at),
        decision: `Rule ${at} about caching`,
        reasoning: `Load ${at}`,
        date,
      }
    : { operation: 'mem_save', title: `Note ${at}`, content: `Learned ${into} ${at}`, date };
}
