import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../dist/index.js';
import { operations } from '../src/operations/index.ts';
import type { Tx } from '../src/store/tx.ts';
import { recordSave } from '../src/store/undo/saves.ts';
import { compare, heading, machine, row } from './measure.ts';
import { openStore, WRITER } from './store.ts';

/**
 * What the product costs above the floor, both measured in one run on the same driver: raw prepared SQL on the same
 * schema. Prints medians and the spread; nothing is judged.
 *
 *   node bench/decisions.ts [decisions, default 10000]
 */
const count = Number(process.argv[2] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
const WORDS =
  'wall queue cache token index lock schema retry session bucket shard router parser ledger'.split(' ');
const word = (n: number) => WORDS[n % WORDS.length] as string;

try {
  machine();
  heading(`${count} decisions`);
  await fillAndMeasure();
  await measureStart();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fillAndMeasure(): Promise<void> {
  const file = join(folder, 'bench.db');
  const memory = await openMemory({ db: file });
  const base = await memory.decision.save({ text: 'The base of everything' });
  const other = await memory.decision.save({ text: 'The other opinion' });
  const raw = new DatabaseSync(file, { timeout: 1_000 });
  raw.exec('pragma synchronous = full; pragma foreign_keys = on');
  await fill(raw, base.decision.id);

  const reasoning = `builds_on: ${base.decision.id}\ndebates: ${other.decision.id}`;
  const text = (n: number) => `Rule ${n}: every ${word(n)} has one ${word(n + 3)} and no ${word(n + 5)}`;
  const input = (n: number) => ({ text: text(n), reasoning, evidence: ['measured'] });
  const rawSave = rawSaver(raw, base.decision.id, other.decision.id, reasoning);
  const store = await openStore(file);
  const operation = operations.find(({ name }) => name === 'decision_save');
  // As memory/run.ts runs it: what a save made is written down with it, so that it can be taken back.
  const save = async (tx: Tx, n: number) => {
    await operation?.run(tx, input(n) as never);
    await recordSave(tx);
  };
  await compare(
    'durable save, two edges, one evidence, without looking for close decisions',
    300,
    (n) => store.write(WRITER, (tx) => save(tx, n)),
    (n) => rawSave(text(n)),
    1.3,
  );
  await store.close();
  await compare(
    'durable save, two edges, one evidence, with close decisions',
    100,
    (n) => memory.decision.save(input(n)),
    (n) => rawSave(text(n)),
  );

  const query = (n: number) => `${word(n)} ${word(n + 3)} ${word(n + 5)}`;
  const rawSearch = raw.prepare(`select rowid, bm25(search_text, 3.0, 1.0) as score from search_text
    where search_text match ? order by score limit 10`);
  await compare(
    'search, 3 terms',
    50,
    (n) => memory.mama.search({ query: query(n) }),
    (n) => rawSearch.all(query(n).split(' ').map(stem).join(' OR ')),
  );
  raw.close();
  await memory.close();
}

/** The index holds stems; the few words of this benchmark that have another one. */
function stem(text: string): string {
  return { queue: 'queue', cache: 'cach', schema: 'schema', retry: 'retri' }[text] ?? text;
}

/** Fills through raw SQL, in one transaction: a hundred thousand durable saves would take a minute. */
async function fill(raw: DatabaseSync, baseId: string): Promise<void> {
  const save = rawSaver(raw, baseId, undefined, 'because');
  raw.exec('begin');
  for (let n = 0; n < count; n++) {
    save(
      `Rule ${n}: every ${word(n)} has one ${word(n * 7 + 3)} and no ${word(n * 3 + 5)} at number${n}`,
      false,
    );
  }
  raw.exec('commit');
}

/** The rows of one save, index included, as prepared statements. */
function rawSaver(raw: DatabaseSync, baseId: string, otherId: string | undefined, reasoning: string) {
  const record = raw.prepare('insert into records (kind, writer, session) values (?, 1, 1) returning seq');
  const decision =
    raw.prepare(`insert into decisions (seq, id, root_id, version, text, reasoning, strength, scope,
    confidence, is_active, withdrawn, created_at, updated_at) values (?, ?, ?, 1, ?, ?, 'normal', 'global', 0.5, 1, 0, ?, ?)`);
  const index = raw.prepare('insert into search_text (rowid, title, body) values (?, ?, ?)');
  const edge = raw.prepare('insert into decision_edges values (?, ?, ?, ?)');
  const evidence = raw.prepare(
    'insert into evidence (seq, id, decision_ref, content, timestamp) values (?, ?, ?, ?, ?)',
  );
  const save = raw.prepare(
    'insert into saves (writer, created_at, first_record, last_record) values (1, ?, ?, ?)',
  );
  const seqOf = (kind: string) => record.get(kind)?.seq as number;
  return (text: string, own = true) => {
    if (own) raw.exec('begin immediate');
    const now = Date.now();
    const id = crypto.randomUUID();
    const seq = seqOf('decision');
    decision.run(seq, id, id, text, reasoning, now, now);
    const tokens = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    index.run(seq, '', `${tokens.map(stem).join(' ')} ${reasoning.replace(/[^a-z0-9]+/g, ' ')}`);
    if (otherId) {
      edge.run(id, baseId, 'builds_on', now);
      edge.run(id, otherId, 'debates', now);
      const ground = seqOf('evidence');
      evidence.run(ground, crypto.randomUUID(), id, 'measured', now);
      index.run(ground, '', 'measur');
      save.run(now, seq, ground);
    }
    if (own) raw.exec('commit');
  };
}

/** From spawning the server to its answer to `initialize`, against a script that answers one line. */
async function measureStart(): Promise<void> {
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  };
  const server = ['dist/precedent.cjs', 'mcp', '--db', join(folder, 'start.db')];
  const bare = ['-e', "process.stdin.on('data', () => process.stdout.write('{}\\n'))"];
  const times: [number[], number[]] = [[], []];
  for (let n = -2; n < 15; n++) {
    for (const [side, args] of [server, bare].entries()) {
      const taken = await untilFirstLine(args, `${JSON.stringify(hello)}\n`);
      if (n >= 0) times[side as 0 | 1].push(taken);
    }
  }
  row('start, spawn to the answer of initialize', times[0], times[1], 3);
  if (process.platform !== 'linux') return;
  const resident = [server, bare].map((args) => residentAfterHello(args, `${JSON.stringify(hello)}\n`));
  const [product, floor] = await Promise.all(resident);
  row('resident memory of an idle server, MB', [product ?? 0], [floor ?? 0], 2);
}

/** Megabytes that a process holds, two seconds after it has answered. */
async function residentAfterHello(args: string[], line: string): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(line);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.kill();
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1024;
}

function untilFirstLine(args: string[], line: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      const taken = performance.now() - started;
      child.once('exit', () => resolve(taken));
      child.stdin.end();
    });
    child.stdin.write(line);
  });
}
