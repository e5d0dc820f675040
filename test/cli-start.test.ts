import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Script } from 'node:vm';
import { PROGRAM, ROOT, workbench } from './support/program.ts';

/** Says at its end which parts of the program a process has read, and how large they are. */
const COUNTER = `
const fs = require('node:fs');
const { openSync } = fs;
const loaded = [];
fs.openSync = (file, ...how) => {
  if (/[\\\\/]dist[\\\\/][^\\\\/]*[.]cjs$/.test(file)) loaded.push([file, fs.statSync(file).size]);
  return openSync(file, ...how);
};
const { allocUnsafeSlow } = Buffer;
let rooms = 0;
Buffer.allocUnsafeSlow = (size) => (rooms++, allocUnsafeSlow(size));
process.on('exit', () => {
  const ofNode = process.moduleLoadList;
  fs.writeFileSync(process.env.LOADED, JSON.stringify({ loaded, ofNode, rooms }));
});
`;

/** Notes each answer of a server among what it loads. */
const ANSWERS = `
const { write } = process.stdout;
process.stdout.write = (text, ...how) => {
  if (text.length > 0) loaded.push(['answer', 0]);
  return write.call(process.stdout, text, ...how);
};
`;

/** What a command loads beside its launcher. Time differs from machine to machine; this does not. */
async function loadedBy(test: TestContext, args: string[], stdin?: string, more = '') {
  const bench = workbench(test);
  await bench.succeed(['decide', 'auth:token', 'Cookies']);
  const [counter, report] = [join(bench.folder, 'counter.cjs'), join(bench.folder, 'loaded.json')];
  writeFileSync(counter, COUNTER + more);
  const env = { NODE_OPTIONS: `--require=${counter}`, LOADED: report };
  // The first time it is compiled, which takes more.
  const input = stdin === undefined ? {} : { stdin };
  await bench.succeed(args, input);
  await bench.succeed(args, { env, ...input });
  const read = JSON.parse(readFileSync(report, 'utf8'));
  const all: [path: string, bytes: number][] = read.loaded;
  return {
    ofNode: read.ofNode as string[],
    rooms: read.rooms as number,
    names: all.map(([path]) => basename(path) ?? ''),
    kilobytes: all.reduce((sum, [, bytes]) => sum + bytes, 0) / 1024,
  };
}

describe('[U-9] a command loads its own operation and no other', () => {
  // A fifth more than each loads today, or twice as much where most of it is code.
  for (const [args, modules, kilobytes] of [
    [['--version'], 16, 260],
    [['tool', 'mama_save', '--help'], 16, 260],
    [['complete', '--', 'why', 'a'], 36, 1_400],
    [['--help'], 16, 260],
    [['tool', 'decision_get', 'auth:token'], 36, 1_700],
    [['list'], 36, 1_700],
    [['tool', 'mama_search', 'cookies'], 40, 1_700],
    [['search', 'cookies'], 40, 1_700],
    [['recall', 'cookies'], 40, 1_700],
  ] as const) {
    it(`precedent ${args.join(' ')}`, async (test) => {
      const { names, kilobytes: size } = await loadedBy(test, [...args]);
      assert(names.length <= modules, `${names.length} modules`);
      assert(size <= kilobytes, `${size.toFixed(0)} kB`);
      assert(!names.some((name) => /^(o200k|stdio|index)/.test(name)), names.join(', '));
    });
  }

  it('and neither the streams of Node nor its clock, where standard output is a pipe', async (test) => {
    const { ofNode } = await loadedBy(test, ['tool', 'decision_get', 'auth:token']);
    const needless = /^NativeModule (net|tty|stream|perf_hooks|internal\/streams\/readable)$/;
    assert.deepEqual(
      ofNode.filter((name) => needless.test(name)),
      [],
    );
  });

  it('into memory that it asks for once: each page that is new to a process takes it a microsecond', async (test) => {
    const { names, rooms } = await loadedBy(test, ['tool', 'decision_get', 'auth:token']);
    assert(names.length > 5);
    assert.equal(rooms, 1);
  });

  it('without a copy of the names that modules of Node have', () => {
    const [start = ''] = readdirSync(join(ROOT, 'dist')).filter((name) => /^start-.*[.]cjs$/.test(name));
    const text = readFileSync(join(ROOT, 'dist', start), 'utf8');
    assert.match(text, /\bnode_fs\b/);
    assert.doesNotMatch(text, /\bnode_\w+ = \w+\.i\(/);
  });

  it('from files that are functions already: to put one around its text would copy each', () => {
    const files = readdirSync(join(ROOT, 'dist')).filter((name) => /-[0-9a-f]{8}[.]cjs$/.test(name));
    assert(files.length > 50);
    for (const name of files) {
      const text = readFileSync(join(ROOT, 'dist', name), 'latin1');
      assert.equal(typeof new Script(text).runInThisContext(), 'function', name);
    }
  });

  it('its own operation alone', async (test) => {
    const { names } = await loadedBy(test, ['tool', 'decision_get', 'auth:token']);
    const operations = names.filter((name) =>
      /^(decision|mama|mem|memo|keywords|evidence|anchor)-/.test(name),
    );
    assert.deepEqual(
      operations.map((name) => name.replace(/-[^-]*\.cjs$/, '')),
      ['decision-get'],
    );
  });
});

describe('[U-9] a server answers what it is and what it offers', () => {
  it('before it loads the protocol’s library, an operation, or what opens a memory', async (test) => {
    const ask = (id: number, method: string, params = {}) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'it', version: '1' },
    };
    const stdin = ask(1, 'initialize', client) + ask(2, 'tools/list') + ask(3, 'ping');
    const { names } = await loadedBy(test, ['mcp'], stdin, ANSWERS);
    const before = names.slice(0, names.lastIndexOf('answer', names.lastIndexOf('answer') - 1));
    assert.equal(before.filter((name) => name === 'answer').length, 1);
    const needless =
      /^(server|serve-lines|store|operations|command|recall|(decision|mama|mem|memo|keywords|evidence|anchor|open)-.*)-[^-]*[.]cjs$/;
    assert.deepEqual(
      before.filter((name) => needless.test(name)),
      [],
    );
    const after = names.slice(before.length).map((name) => name.replace(/-[^-]*$/, ''));
    for (const part of ['server', 'recall', 'open-for-server']) assert(after.includes(part), after.join());
  });
});

describe('[U-8] help whose reader has seen enough', () => {
  for (const args of [['--version'], ['--help'], ['list', '--help'], ['completion', 'bash']])
    it(`precedent ${args.join(' ')}`, () => {
      // The reader is gone long before Node has started.
      const { stderr } = spawnSync('sh', ['-c', '"$0" "$@" | true', process.execPath, PROGRAM, ...args], {
        encoding: 'utf8',
      });
      assert.equal(stderr, '');
    });
});
