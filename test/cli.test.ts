import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { openMemory } from '../src/index.ts';
import { operations } from '../src/operations/index.ts';
import { givesNothingAway, PROGRAM, workbench } from './support/program.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
/** What a terminal obeys: all control characters but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const NASTY = '\u001b[31mred\u001b]0;owned\u0007 \u009b2J\r\u0008end';

describe('CLI', () => {
  it('helps with every operation, naming all of its fields', async (test) => {
    const bench = workbench(test);
    const flat = (text: string) => text.replace(/\s+/g, ' ');
    const check = async ({ name, summary, input }: (typeof operations)[number]) => {
      const [group = '', ...rest] = name.split('_');
      const help = flat(await bench.succeed([group, rest.join('-'), '--help']));
      const { properties } = z.toJSONSchema(input) as {
        properties: Record<string, { description?: string }>;
      };
      assert(help.includes(flat(summary)), name);
      for (const [field, { description = '' }] of Object.entries(properties)) {
        const kebab = field.replace(/[A-Z]|_/g, (found) => `-${found.replace('_', '').toLowerCase()}`);
        assert(help.includes(kebab) && help.includes(flat(description)), `${name} ${field}`);
      }
    };
    await Promise.all(operations.map(check));
  });

  it('[D-9] answers --json in the shape of the library, on the same memory', async (test) => {
    const bench = workbench(test);
    const json = async (...args: string[]) => JSON.parse(await bench.succeed([...args, '--json']));
    const first = await json('mama', 'save', '--topic', 'ui:grid', '--decision', 'Eight pixels');
    await json('mama', 'update', first.id, 'failed', 'Too coarse');
    const saved = await json(
      'mama',
      'save',
      '--topic',
      'ui:grid',
      '--decision',
      'Four',
      '--evidence',
      'a',
      '--evidence',
      'b',
    );
    await json('mama', 'save', '--type', 'checkpoint', '--summary', 'Half done', '--open-files', 'a.ts');
    assert.equal(saved.version, 2);
    assert.equal(saved.evidence.length, 2);
    const memory = await openMemory({ db: bench.db, workspace: 'bench' });
    test.after(() => memory.close());
    assert.deepEqual(
      await json('mama', 'search', 'four', '--history'),
      await memory.mama.search({ query: 'four', history: true }),
    );
    assert.deepEqual(await json('mama', 'load-checkpoint'), await memory.mama.loadCheckpoint());
    assert.deepEqual(await json('decision', 'get', saved.id), await memory.decision.get({ id: saved.id }));
    assert.deepEqual(
      await json('decision', 'retrieve', 'ui'),
      await memory.decision.retrieve({ domain: 'ui' }),
    );
    const { bytes: _, ...health } = await json('doctor');
    const { bytes, ...expected } = await memory.inspect();
    assert(bytes > 0);
    assert.deepEqual(health, { ok: true, ...expected });
  });

  it('takes Korean, and a folder and a file whose names have spaces and Korean letters', async (test) => {
    const bench = workbench(test);
    const cwd = join(bench.folder, '내 작업 폴더');
    mkdirSync(cwd);
    const here = { cwd, env: { PRECEDENT_DB: undefined } };
    const db = ['--db', '결정 기록/메모리 1.db'];
    await bench.succeed(
      [...db, 'mama', 'save', '--topic', '인증:토큰', '--decision', '토큰은 10분만 유효하다 🔑'],
      here,
    );
    assert(existsSync(join(cwd, '결정 기록', '메모리 1.db')));
    const found = JSON.parse(await bench.succeed([...db, 'mama', 'search', '토큰', '--json'], here));
    assert.deepEqual(
      [found.results[0].topic, found.results[0].decision],
      ['인증:토큰', '토큰은 10분만 유효하다 🔑'],
    );
    assert.match(await bench.succeed(['mama', 'search', '유효', ...db], here), /토큰은 10분만 유효하다 🔑/);
  });

  it('says what kind of error it was by its exit code, and with --json as JSON', async (test) => {
    const bench = workbench(test);
    const { id } = JSON.parse(
      await bench.succeed(['mama', 'save', '--topic', 'a', '--decision', 'b', '--json']),
    );
    await bench.succeed(['mama', 'save', '--topic', 'a', '--decision', 'c']);
    const cases: [number, string, string[]][] = [
      [2, 'invalid', ['mama', 'search', '--limit', '0']],
      [2, 'invalid', ['mama', 'search', '--limit', 'many']],
      [2, 'invalid', ['mama', 'update', id, 'faild']],
      [2, 'invalid', ['decision', 'get']],
      [2, 'invalid', ['--workspace', '../x', 'doctor']],
      [3, 'not_found', ['decision', 'get', UNKNOWN_ID]],
      [4, 'conflict', ['decision', 'revise', id, '--text', 'd']],
      [5, 'unavailable', ['--db', bench.folder, 'mama', 'search']],
    ];
    const check = async ([code, name, args]: (typeof cases)[number]) => {
      const [plain, json] = await Promise.all([bench.run(args), bench.run([...args, '--json'])]);
      const { error } = JSON.parse(json.stderr);
      assert.deepEqual([plain.code, json.code, error.code], [code, code, name], args.join(' '));
      assert.deepEqual([plain.stdout, json.stdout], ['', '']);
      assert.equal(plain.stderr, `precedent: ${error.message}\n`);
      givesNothingAway(plain.stderr);
    };
    await Promise.all(cases.map(check));
  });

  it('suggests a near command or option for one that does not exist', async (test) => {
    const bench = workbench(test);
    for (const [args, meant] of [
      [['docter'], 'doctor'],
      [['mama', 'serch', 'x'], 'search'],
      [['mama', 'save', '--topik', 'x'], '--topic'],
    ] as const) {
      const { code, stdout, stderr } = await bench.run([...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert(stderr.includes(meant), stderr);
    }
  });

  it('reads a field from standard input, 150,000 characters long', async (test) => {
    const bench = workbench(test);
    const { decision } = JSON.parse(await bench.succeed(['decision', 'save', 'Measure first', '--json']));
    const stdin = '측정값 9.5ms\n'.repeat(15_000);
    assert.equal(stdin.length, 150_000);
    await bench.succeed(['evidence', 'save', decision.id, '-'], { stdin });
    const whole = ['decision', 'get', decision.id, '--evidence-characters', '200000', '--json'];
    const { evidence } = JSON.parse(await bench.succeed(whole));
    assert.equal(evidence[0].content, stdin);
    const twice = await bench.run(['evidence', 'save', '-', '-'], { stdin });
    assert.equal(twice.code, 2);
    assert.match(twice.stderr, /standard input/);
  });

  describe('control characters in what was saved', () => {
    it('never reach the terminal in an answer', async (test) => {
      const bench = workbench(test);
      const args = [
        'save',
        '--topic',
        `t:${NASTY}`,
        '--decision',
        NASTY,
        '--reasoning',
        `builds_on: ${NASTY}`,
      ];
      const saved = await bench.succeed(['mama', ...args]);
      const [row] = JSON.parse(await bench.succeed(['mama', 'search', '--json'])).results;
      assert.equal(row.decision, NASTY);
      const shown = await Promise.all([
        bench.succeed(['mama', 'search', 'end']),
        bench.succeed(['decision', 'get', row.id]),
        bench.succeed(['decision', 'retrieve']),
        bench.succeed(['mama', 'update', row.id, 'failed', NASTY]),
      ]);
      for (const answer of [saved, ...shown]) assert.doesNotMatch(answer, CONTROL);
      assert(shown[0].includes('end'));
    });

    it('never reach the terminal in a refusal', async (test) => {
      const bench = workbench(test);
      const args = ['mama', 'save', '--topic', NASTY, '--decision', 'b', '--json'];
      const { id } = JSON.parse(await bench.succeed(args));
      await bench.succeed(['decision', 'revise', id, '--withdrawn', '--reasoning', 'It is over']);
      const { code, stderr } = await bench.run(['decision', 'revise', id, '--text', 'c']);
      assert.equal(code, 4);
      assert.doesNotMatch(stderr, CONTROL);
    });
  });

  it('colours for a terminal or when forced, and never against NO_COLOR', async (test) => {
    const bench = workbench(test);
    await bench.succeed(['decision', 'save', 'Red is for failures']);
    const search = async (env: Record<string, string>) =>
      (await bench.run(['mama', 'search'], { env })).stdout;
    const plain = await search({});
    const forced = await search({ FORCE_COLOR: '1' });
    assert.doesNotMatch(plain, CONTROL);
    assert.match(forced, CONTROL);
    assert.equal(stripVTControlCharacters(forced), plain);
    assert.equal(await search({ FORCE_COLOR: '1', NO_COLOR: '1' }), plain);
    assert.equal(await search({ FORCE_COLOR: '0' }), plain);
  });

  it('doctor says where the memory is, what it holds and that it is sound', async (test) => {
    const bench = workbench(test);
    await bench.succeed(['decision', 'save', 'one']);
    const said = await bench.succeed(['doctor']);
    for (const part of [bench.db, 'bench', 'SQLite', '1 decision', 'sound'])
      assert(said.includes(part), part);
    if (process.platform !== 'win32') assert.equal(statSync(bench.db).mode & 0o077, 0);
  });

  it('survives a reader that hangs up, as `| head` does', async (test) => {
    const bench = workbench(test);
    await bench.succeed(['decision', 'save', 'one']);
    const { child, exited } = bench.start(['mama', 'search']);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    await exited;
    assert.equal(stderr, '');
  });

  it('says in one line that a Node is too old', async (test) => {
    const bench = workbench(test);
    for (const [version, isTooOld] of [
      ['18.20.4', true],
      ['22.17.1', true],
      ['22.18.0', false],
      ['24.0.0', false],
    ] as const) {
      const program = join(bench.folder, 'old.cjs');
      const versions = `{ value: { ...process.versions, node: '${version}' } }`;
      const script = `Object.defineProperty(process, 'versions', ${versions});\nrequire(${JSON.stringify(PROGRAM)});\n`;
      writeFileSync(program, script);
      const { code, stdout, stderr } = await bench.run(['--version'], { program });
      assert.deepEqual([code, stdout === ''], isTooOld ? [1, true] : [0, false], version);
      assert.match(stderr, isTooOld ? new RegExp(`^.*22\\.18.*${version}.*\\n$`) : /^$/);
    }
  });
});
