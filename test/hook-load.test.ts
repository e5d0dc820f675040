import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { saveHistories } from './support/history.ts';
import { ROOT, workbench } from './support/program.ts';

/** Bytes of code that a hook may have before it answers: each hundred thousand cost it 2 ms. */
const MOST_BYTES = 455_000;
/** Statements that may be sent with a prompt that something is told of, and at the start of a session. */
const MOST_WITH_PROMPT = 22;
const MOST_AT_START = 18;
const PROMPT = 'We store the login session in the browser: where should the token go?';

/** Reports, when the process ends, what was loaded, how many statements were run, and whether ICU was. */
const REPORT = `
  const before = new Set(process.moduleLoadList);
  const { DatabaseSync } = require('node:sqlite');
  const prepare = DatabaseSync.prototype.prepare;
  const counts = { statements: 0, segmenters: 0 };
  DatabaseSync.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    for (const name of ['all', 'get', 'run', 'iterate']) {
      const run = statement[name];
      statement[name] = (...given) => (counts.statements++, run.apply(statement, given));
    }
    return statement;
  };
  const { Segmenter } = Intl;
  Intl.Segmenter = class extends Segmenter {
    constructor(...given) { super(...given); counts.segmenters++; }
  };
  process.on('exit', () => {
    const loaded = process.moduleLoadList.filter((name) => !before.has(name));
    process.stderr.write(JSON.stringify({ ...counts, loaded }));
  });`;

describe('what a hook loads and asks for, on which its time depends on every machine', () => {
  async function bench(test: Parameters<typeof workbench>[0]) {
    const bench = workbench(test);
    const memory = await openMemory({ db: bench.db });
    await saveHistories(memory, ['backend', 'product']);
    await memory.close();
    mkdirSync(join(bench.folder, 'precedent'));
    const report = join(bench.folder, 'report.cjs');
    writeFileSync(report, REPORT);
    let sessions = 0;
    const hook = (
      fields: object,
      env: Record<string, string> = {},
      { isFile = false, ...options }: { program?: string; isFile?: boolean } = {},
    ) => {
      const event = { session_id: `s${++sessions}`, cwd: bench.folder, ...fields };
      const stdin = JSON.stringify(event);
      const file = join(bench.folder, 'event.json');
      if (isFile) writeFileSync(file, stdin);
      return bench.run(['hook', 'claude'], {
        ...(isFile ? { under: ['sh', '-c', `"$0" "$@" < '${file}'`] } : { stdin }),
        ...options,
        env: { XDG_DATA_HOME: bench.folder, XDG_CACHE_HOME: undefined, ...env },
      });
    };
    return {
      folder: bench.folder,
      hook,
      reported: { NODE_OPTIONS: `--require=${report}` },
      cache: join(bench.folder, '.cache', 'precedent'),
    };
  }
  const withPrompt = { hook_event_name: 'UserPromptSubmit', prompt: PROMPT };
  const atStart = { hook_event_name: 'SessionStart', source: 'startup' };

  it('[A-3] its bundles are small, and hold no schema library, command line, tokenizer or server', () => {
    const names = readdirSync(join(ROOT, 'dist')).filter((name) => /^hook.*\.cjs$/.test(name));
    assert.equal(names.length, 2);
    const code = names.map((name) => readFileSync(join(ROOT, 'dist', name), 'utf8')).join('\n');
    assert(code.length < MOST_BYTES, `${code.length} bytes`);
    for (const part of ['ZodError', 'commander.', 'o200k', 'pg_catalog', 'modelcontextprotocol'])
      assert(!code.includes(part), part);
  });

  it('[A-3] it loads no module of Node and no part of ICU that it can do without, and sends few statements', async (test) => {
    const { hook, reported } = await bench(test);
    await hook(withPrompt);
    for (const [event, most, said] of [
      [withPrompt, MOST_WITH_PROMPT, /auth:token/],
      [atStart, MOST_AT_START, /mama_save/],
    ] as const) {
      const { code, stdout, stderr } = await hook(event, reported);
      assert.equal(code, 0);
      assert.match(stdout, said);
      const { statements, segmenters, loaded } = JSON.parse(stderr);
      test.diagnostic(`${statements} statements`);
      assert(statements > 5 && statements <= most, `${statements} statements`);
      assert.equal(segmenters, 0);
      const needless =
        /^NativeModule (crypto|child_process|http|tls|zlib|perf_hooks|internal\/util\/(parse_args|comparisons).*|fs\/promises|net|stream|internal\/streams\/.*|.*webcrypto|.*esm\/module_job)$/;
      assert.deepEqual(
        loaded.filter((name: string) => needless.test(name)),
        [],
      );
    }
  });

  it('[A-3] its code is compiled once for a machine, wherever it lies', async (test) => {
    const { folder, hook, cache } = await bench(test);
    await hook(withPrompt);
    const kept = readdirSync(cache).filter((name) => name.startsWith('hook'));
    assert.equal(kept.length, 2, 'both bundles');
    const times = () => kept.map((name) => statSync(join(cache, name)).mtimeMs);
    const before = times();
    assert.match((await hook(withPrompt)).stdout, /auth:token/);
    await hook(atStart);
    const copy = join(folder, 'app');
    cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
    const fromCopy = await hook(withPrompt, {}, { program: join(copy, 'dist', 'precedent.cjs') });
    assert.match(fromCopy.stdout, /auth:token/);
    assert.deepEqual(times(), before);
    assert.deepEqual(
      readdirSync(cache).filter((name) => name.startsWith('hook')),
      kept,
    );
    for (const name of kept) assert.equal(statSync(join(cache, name)).mode & 0o777, 0o600);
  });

  it('[A-2] [A-3] kept code that was damaged, or that V8 refuses, is made anew, and not run', async (test) => {
    const { hook, cache } = await bench(test);
    await hook(withPrompt);
    for (const name of readdirSync(cache).filter((each) => each.startsWith('hook'))) {
      const file = join(cache, name);
      const whole = readFileSync(file);
      const middle = whole.length >> 1;
      // What another Node compiled is whole in both its copies, and V8 refuses it.
      const refused = Buffer.from(whole)
        .fill(1, 4, 8)
        .fill(1, middle + 4, middle + 8);
      for (const damaged of [
        Buffer.from(whole).fill(0, middle, middle + 4096),
        whole.subarray(0, middle),
        '',
        refused,
      ]) {
        writeFileSync(file, damaged);
        const { code, stdout, stderr } = await hook(withPrompt);
        assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, name);
        assert.match(stdout, /auth:token/);
        assert(readFileSync(file).length > 0.9 * whole.length, 'kept anew');
      }
    }
  });

  it('[A-2] [A-3] it reads a file, and the stream of a Node that lends no pipe', async (test) => {
    const { folder, hook } = await bench(test);
    const lendsNone = join(folder, 'lends-none.cjs');
    writeFileSync(lendsNone, 'process.binding = () => { throw new Error("none") };');
    for (const { code, stdout, stderr } of [
      await hook(withPrompt, {}, { isFile: true }),
      await hook(withPrompt, { NODE_OPTIONS: `--require=${lendsNone}` }),
      await hook(withPrompt, { NODE_PENDING_DEPRECATION: '1' }),
    ]) {
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.match(stdout, /auth:token/);
    }
  });

  it('[A-2] [A-3] it answers without a word where its code cannot be kept', async (test) => {
    const { folder, hook, cache } = await bench(test);
    mkdirSync(join(folder, '.cache'));
    writeFileSync(cache, 'no folder');
    const { code, stdout, stderr } = await hook(withPrompt);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /auth:token/);
  });
});
