import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { saveHistories } from './support/history.ts';
import { workbench } from './support/program.ts';

/** Bytes of code that a hook may load before it answers. */
const MOST_BYTES = 805_000;
/** Statements that may be sent with a prompt that something is told of, its names and hints too, and at the start of a session. */
const MOST_WITH_PROMPT = 28;
const MOST_AT_START = 23;
const PROMPT = 'We store the login session in the browser: where should the token go?';

/** Reports, when the process ends, which parts of the program were loaded, and how many statements were run. */
const REPORT = `
  const { DatabaseSync } = require('node:sqlite');
  const prepare = DatabaseSync.prototype.prepare;
  let statements = 0;
  DatabaseSync.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    for (const name of ['all', 'get', 'run', 'iterate']) {
      const run = statement[name];
      statement[name] = (...given) => (statements++, run.apply(statement, given));
    }
    return statement;
  };
  process.on('exit', () => {
    const files = Object.keys(require.cache).filter((file) => /dist[\\\\/][^\\\\/]*[.]cjs$/.test(file));
    process.stderr.write(JSON.stringify({ statements, files }));
  });`;

describe('what a hook loads and asks for, on which its time depends on every machine', () => {
  async function bench(test: Parameters<typeof workbench>[0]) {
    const bench = workbench(test);
    const memory = await openMemory({ db: bench.db });
    await saveHistories(memory, ['backend', 'product']);
    await memory.mama.save({ topic: 'file:lock', decision: 'No clock', strength: 'lock', files: 'src/**' });
    await memory.close();
    mkdirSync(join(bench.folder, 'precedent'));
    const report = join(bench.folder, 'report.cjs');
    writeFileSync(report, REPORT);
    let sessions = 0;
    const hook = (fields: object, env: Record<string, string> = {}, { isFile = false } = {}) => {
      const event = { session_id: `s${++sessions}`, cwd: bench.folder, ...fields };
      const stdin = JSON.stringify(event);
      const file = join(bench.folder, 'event.json');
      if (isFile) writeFileSync(file, stdin);
      return bench.run(['hook', 'claude'], {
        ...(isFile ? { under: ['sh', '-c', `"$0" "$@" < '${file}'`] } : { stdin }),
        env: { XDG_DATA_HOME: bench.folder, XDG_CACHE_HOME: undefined, ...env },
      });
    };
    return { hook, reported: { NODE_OPTIONS: `--require=${report}` } };
  }
  const withPrompt = { hook_event_name: 'UserPromptSubmit', prompt: PROMPT };
  const withFile = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: 'src/a.ts' },
  };
  const atStart = { hook_event_name: 'SessionStart', source: 'startup' };

  it('[A-3] [F-4] loads little code and no schema library, command line, tokenizer or server, and sends few statements', async (test) => {
    const { hook, reported } = await bench(test);
    for (const [event, most, said] of [
      [withPrompt, MOST_WITH_PROMPT, /auth:token/],
      [atStart, MOST_AT_START, /mama_save/],
      [withFile, MOST_AT_START, /No clock/],
    ] as const) {
      const { code, stdout, stderr } = await hook(event, reported);
      assert.equal(code, 0);
      assert.match(stdout, said);
      const { statements, files } = JSON.parse(stderr);
      test.diagnostic(`${statements} statements`);
      assert(statements > 5 && statements <= most, `${statements} statements`);
      const text = files.map((file: string) => readFileSync(file, 'utf8')).join('\n');
      assert(text.length > MOST_BYTES / 2 && text.length < MOST_BYTES, `${text.length} bytes`);
      for (const part of ['ZodError', 'commander.', 'o200k', 'pg_catalog', 'modelcontextprotocol'])
        assert(!text.includes(part), part);
    }
  });

  it('[A-2] reads a file', async (test) => {
    const { hook } = await bench(test);
    const { code, stdout, stderr } = await hook(withPrompt, {}, { isFile: true });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /auth:token/);
  });
});
