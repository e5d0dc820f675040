import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { readRecords } from '../scripts/records.ts';
import { fill } from '../src/cli/demo/show.ts';
import { withinProcessorTime } from './support/clock.ts';
import { inTurn } from './support/part.ts';
import { OF_PROGRAMS, PROGRAM, ROOT, workbench } from './support/program.ts';
import { until } from './support/until.ts';

const POSIX = { skip: process.platform === 'win32' && 'signals and terminals of POSIX' };
const hasScript = spawnSync('script', ['--version']).status === 0;
const TERMINAL = { skip: !hasScript && 'needs `script`, which gives a program a terminal (util-linux)' };
/** What the demo shows last. */
const SHOWN = /Ctrl-C ends it\./;
const LINK = /http:\/\/127\.0\.0\.1:\d+\/#token=prec_[\w…-]+/;

type Test = Parameters<typeof workbench>[0];

/** A place of one test's own for what is temporary. */
function place(test: Test) {
  const bench = workbench(test);
  const TMPDIR = join(bench.folder, 'temporary');
  mkdirSync(TMPDIR);
  return { ...bench, env: { TMPDIR }, leftovers: () => readdirSync(TMPDIR) };
}

/** The demo, once it shows what to look at. */
async function demo(bench: ReturnType<typeof place>) {
  const { child, exited } = bench.start(['open', '--demo'], { env: bench.env });
  const problem = text(child.stderr);
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    shown += part;
  });
  await Promise.race([
    until(() => SHOWN.test(shown)),
    exited.then(async (code) => SHOWN.test(shown) || assert.fail(`it ended with ${code}: ${await problem}`)),
  ]);
  const [link = ''] = LINK.exec(shown) ?? [];
  const { origin, hash } = new URL(link);
  const token = hash.replace('#token=', '');
  const ask = async (path: string, input?: object, given = token) => {
    const response = await fetch(`${origin}/api/v1/${path}`, {
      ...(input && { method: 'POST', body: JSON.stringify(input) }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${given}` },
    });
    // biome-ignore lint/suspicious/noExplicitAny: the results of several operations
    return { status: response.status, body: (await response.json()) as any };
  };
  return { ...bench, child, exited, shown, problem, ask };
}

describe('[X-4] what precedent open --demo shows', () => {
  const bench = place({ after });
  let running: Awaited<ReturnType<typeof demo>>;
  before(async () => {
    running = await demo(bench);
  });

  it('serves two filled memories to whoever has the link, for reading', async () => {
    const { ask } = running;
    const me = await ask('me');
    assert.deepEqual([me.body.workspaces, me.body.access], [['narae', 'precedent'], 'read']);
    const { results } = (await ask('narae/search', { query: '환불' })).body;
    assert(results.length > 3 && JSON.stringify(results[0]).includes('환불'));
    const saved = await ask('narae/mem_save', { title: 'a', content: 'b' });
    assert.equal(saved.status, 403);
    assert.equal((await ask('me', undefined, 'prec_guessed')).status, 401);
    assert.equal((await ask('bench/search', { query: 'a' })).status, 404);
  });

  it('prints commands that show what they say, in another terminal', async () => {
    const { shown, succeed } = running;
    const tries = [...shown.matchAll(/^ {2}precedent (--db .*)$/gm)].map(([, words = '']) =>
      [...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, inner]) => inner ?? word),
    );
    const [seats = '', refunds = '', folders = ''] = await Promise.all(tries.map((words) => succeed(words)));
    assert.match(seats, /v3 {2}active[\s\S]*partial — No double sales[\s\S]*v1[\s\S]*failed — Redis 장애/);
    assert.match(refunds, /payment:refunds {2}active[\s\S]*환불/);
    assert.match(folders, /failed before: [\s\S]*recursive mkdir/);
    assert.equal(tries.length, 3);
  });

  it('holds what a memory of why is for: reversals, failures, debates, grounds, in two languages', async () => {
    const { ask } = running;
    const failures = (await ask('narae/mama_search', { outcome_filter: 'failed', limit: 20 })).body.results;
    assert(failures.length >= 5, `${failures.length} failures`);
    const authors = (await ask('narae/list_names', { kind: 'authors' })).body.names;
    assert(authors.length >= 3, JSON.stringify(authors));
    const rows = readFileSync(join(ROOT, 'dist', 'demo', 'narae.jsonl'), 'utf8');
    for (const relationship of ['supersedes', 'builds_on', 'debates'])
      assert(rows.includes(`"relationship":"${relationship}"`), relationship);
    for (const table of ['evidence', 'anchors', 'relations', 'memos', 'checkpoints'])
      assert(rows.includes(`{"table":"${table}"`), table);
    assert(/[가-힣]/.test(rows) && /[a-z]{4}/.test(rows));
    // What its people did wrong is for the tests: a scanner of packages would take the key for one that leaked.
    assert.doesNotMatch(rows, /live_sk_|infar/);
  });

  it('has every decision of this project, with its grounds and failures', async () => {
    const { ask } = running;
    for (const { topic, decision } of readRecords().filter(({ supersededBy }) => !supersededBy)) {
      const { status, body } = await ask('precedent/decision_get', { id: topic });
      assert.equal(status, 200, topic);
      assert(JSON.stringify(body).includes(JSON.stringify(decision).slice(1, -1)), topic);
      assert(JSON.stringify(body).includes('"evidence":[{'), `evidence of ${topic}`);
    }
  });

  it('the page of the command line shows what it prints', () => {
    const { shown } = running;
    const alike = (printed: string) =>
      printed
        .replace(LINK, 'LINK')
        .replace(/\S*precedent-demo-\w+/g, 'FOLDER')
        .replaceAll('npx --no-install precedent', 'precedent')
        // Its own decisions become more with every record: the page need not follow at once.
        .replace(/^ +\d+ decisions$/m, 'DECISIONS')
        .trim();
    const [, block = ''] =
      readFileSync('docs/cli.md', 'utf8').match(/```console\n\$ .*npm start\n([\s\S]*?)```/) ?? [];
    assert.equal(alike(block), alike(shown));
  });
});

it('[X-4] precedent open --demo fills its memories in less than two seconds', async (test) => {
  const { folder } = workbench(test);
  const filled = await withinProcessorTime(2_000, () => fill(ROOT, folder));
  assert.deepEqual(
    filled.map(({ rows }) => rows.decisions),
    [59, readRecords().length],
  );
});

describe('[X-4] precedent open --demo', { concurrency: 2 }, () => {
  for (const signal of inTurn(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 0)) {
    it(`leaves nothing when ${signal} ends it, and touches no memory of the person`, POSIX, async (test) => {
      const { child, exited, leftovers, folder, db } = await demo(place(test));
      assert.equal(leftovers().length, 1);
      child.kill(signal);
      assert.equal(await exited, 0);
      assert.deepEqual(leftovers(), []);
      assert(!existsSync(db));
      assert.deepEqual(
        globSync('**', { cwd: folder, exclude: ['.cache'] }).filter(
          (path) => !/^(\.|temporary|)$/.test(path),
        ),
        [],
      );
    });
  }

  it('ends when the program that started it closes its input', async (test) => {
    const { child, exited, leftovers, problem } = await demo(place(test));
    child.stdin.end();
    assert.equal(await exited, 0);
    assert.equal(await problem, 'precedent: Standard input has ended, and the demo with it.\n');
    assert.deepEqual(leftovers(), []);
  });

  it('leaves nothing when nobody reads what it prints', POSIX, async (test) => {
    const { start, env, leftovers } = place(test);
    const { child, exited } = start(['open', '--demo'], { env });
    child.stdout.destroy();
    assert.equal(await exited, 0);
    assert.deepEqual(leftovers(), []);
  });

  it('leaves one temporary folder when it is killed', POSIX, async (test) => {
    const { child, exited, leftovers, folder } = await demo(place(test));
    child.kill('SIGKILL');
    await exited;
    const [left = '', ...others] = leftovers();
    assert.match(left, /^precedent-demo-/);
    assert.deepEqual(others, []);
    const files = readdirSync(join(folder, 'temporary', left));
    assert(
      files.every((name) => /^(narae|precedent)\.db(-owner|-wal|-shm)?$/.test(name)),
      files.join(),
    );
  });

  it('refuses the memory of somebody', async (test) => {
    const { run, db, env, leftovers } = place(test);
    for (const named of [
      ['--db', db],
      ['--workspace', 'shop'],
    ]) {
      const { code, stderr } = await run([...named, 'open', '--demo'], { env });
      assert.equal(code, 2);
      assert.match(stderr, /memories of its own/);
    }
    assert.deepEqual(leftovers(), []);
  });

  it(
    'opens the link in the browser of a person at a terminal, and ends with Ctrl-C',
    TERMINAL,
    async (test) => {
      const { folder, env, leftovers } = place(test);
      const [programs, opened] = [join(folder, 'bin'), join(folder, 'opened')];
      mkdirSync(programs);
      writeFileSync(
        join(programs, 'xdg-open'),
        `#!/bin/sh\nprintf '%s' "$1" > '${opened}.new'\nmv '${opened}.new' '${opened}'\n`,
      );
      chmodSync(join(programs, 'xdg-open'), 0o755);
      const PATH = `${programs}${delimiter}${process.env.PATH}`;
      const words = `exec '${process.execPath}' '${PROGRAM}' open --demo`;
      const child = spawn('script', ['-qec', words, '/dev/null'], {
        env: { ...env, ...OF_PROGRAMS, HOME: folder, PATH, DISPLAY: ':0' },
      });
      const exited = once(child, 'exit');
      // Its terminal goes with it, and with that the demo.
      test.after(() => child.kill('SIGKILL'));
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', (part) => {
        shown += part;
      });
      await until(() => existsSync(opened) && SHOWN.test(shown));
      assert.equal(readFileSync(opened, 'utf8'), LINK.exec(shown)?.[0]);
      child.stdin.write('\x03');
      assert.deepEqual(await exited, [0, null]);
      assert.deepEqual(leftovers(), []);
    },
  );
});

describe('[X-4] npm start', () => {
  /** A clone in which npm and the program only say what they were told. */
  function clone(test: Test) {
    const { folder, start } = workbench(test);
    mkdirSync(join(folder, 'scripts'));
    writeFileSync(join(folder, 'scripts', 'start.mjs'), readFileSync(join(ROOT, 'scripts', 'start.mjs')));
    const npm = join(folder, 'npm.cjs');
    writeFileSync(
      npm,
      `const { mkdirSync, writeFileSync } = require('node:fs');
       console.log('npm', ...process.argv.slice(2));
       if (process.env.BROKEN) process.exit(7);
       for (const made of ['node_modules', 'dist']) mkdirSync(made, { recursive: true });
       writeFileSync('dist/precedent.cjs', "console.log('precedent', ...process.argv.slice(2))");`,
    );
    const run = async (env: Record<string, string> = {}, args: string[] = []) => {
      const program = join(folder, 'scripts', 'start.mjs');
      const { child, exited } = start(args, { program, env: { ...env, npm_execpath: npm } });
      return { said: await text(child.stdout), code: await exited };
    };
    return { folder, run };
  }

  it('installs and builds what a new clone lacks, then shows the demo', async (test) => {
    const { folder, run } = clone(test);
    assert.deepEqual(await run(), { said: 'npm ci\nprecedent open --demo\n', code: 0 });
    assert.deepEqual(await run({}, ['--no-open']), { said: 'precedent open --demo --no-open\n', code: 0 });
    writeFileSync(join(folder, 'dist', 'precedent.cjs'), 'process.exit(5)');
    assert.deepEqual(await run(), { said: '', code: 5 });
  });

  it('builds what is not built, and ends where that fails', async (test) => {
    const { folder, run } = clone(test);
    mkdirSync(join(folder, 'node_modules'));
    assert.deepEqual(await run({ BROKEN: '1' }), { said: 'npm run build\n', code: 7 });
    assert.deepEqual(await run(), { said: 'npm run build\nprecedent open --demo\n', code: 0 });
  });
});
