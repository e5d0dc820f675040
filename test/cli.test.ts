import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { catalogue } from '../src/cli/catalogue/catalogue.ts';
import { loadAllOwn } from '../src/cli/catalogue/own-commands.ts';
import { openMemory } from '../src/index.ts';
import { operations } from '../src/operations/index.ts';
import { optionOf } from '../src/operations/names.ts';
import { givesNothingAway, PROGRAM, ROOT, workbench } from './support/program.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
/** What a terminal obeys: all control characters but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const NASTY = '\u001b[31mred\u001b]0;owned\u0007 \u009b2J\r\u0008end';

/** A workbench, and the library on the same memory. */
async function shared(test: TestContext) {
  const bench = workbench(test, 'here');
  const memory = await openMemory({ db: bench.db, workspace: 'bench' });
  test.after(() => memory.close());
  return { bench, memory };
}

const flat = (text: string) => text.replace(/\s+/g, ' ');

/** What `--help` prints for each command, from one process for all. */
async function helpsWith(test: TestContext, commands: string[][]): Promise<string[]> {
  const bench = workbench(test, 'here');
  const program = join(bench.folder, 'help.mjs');
  const main = pathToFileURL(join(dirname(PROGRAM), 'main.cjs')).href;
  // A form feed, and the help of a command, and so on, each when what is before it is written.
  const each = `await new Promise((done) => process.stdout.write('\\f', done)); process.exitCode ||= await main([0, 0, ...words, '--help']);`;
  const script = `for (const words of ${JSON.stringify(commands)}) { ${each} }`;
  writeFileSync(program, `import all from '${main}';\nconst { main } = all;\n${script}\n`);
  const [, ...helps] = (await bench.succeed([], { program })).split('\f').map(flat);
  return helps;
}

describe('CLI', { concurrency: 4 }, () => {
  it('helps with every operation, naming all of its fields', async (test) => {
    const helps = await helpsWith(
      test,
      operations.map(({ name }) => ['tool', name]),
    );
    for (const [index, { name, summary, input }] of operations.entries()) {
      const help = helps[index] ?? '';
      const { properties } = z.toJSONSchema(input, { io: 'input' }) as {
        properties: Record<string, { description?: string; cli?: string; option?: string }>;
      };
      assert(help.startsWith(`Usage: precedent tool ${name} `), help);
      assert(help.includes(flat(summary)), name);
      assert(help.includes('--json'), name);
      for (const [field, { description = '', cli: own, option }] of Object.entries(properties)) {
        const kebab =
          option ?? field.replace(/[A-Z]|_/g, (found) => `-${found.replace('_', '').toLowerCase()}`);
        assert(help.includes(kebab) && help.includes(flat(own ?? description)), `${name} ${field}`);
      }
    }
  });

  it('helps with every command that is no operation, naming all of its arguments and options', async (test) => {
    const commands = await loadAllOwn();
    const helps = await helpsWith(
      test,
      commands.map(({ name }) => name.split(' ')),
    );
    for (const [index, own] of commands.entries()) {
      const help = helps[index] ?? '';
      assert(help.startsWith(`Usage: precedent ${own.name} `), help);
      const words = Object.entries(own.arguments ?? {});
      const options = Object.entries(own.options ?? {});
      const named = [...words, ...options.map(([name, option]) => [`--${optionOf(name)}`, option] as const)];
      for (const [name, { about = own.summary }] of [['', own], ...named] as const)
        assert(help.includes(name) && help.includes(flat(about)), `${own.name} ${name}`);
      assert.equal(
        help.includes('--json'),
        !['mcp', 'serve', 'open', 'completion'].includes(own.name),
        own.name,
      );
    }
  });

  it('a command that is no operation stands in a file of its name, and is in the list', async () => {
    const files = globSync('src/cli/commands/**/*.ts', { cwd: ROOT }).map((file) =>
      relative('src/cli/commands', file).replace(/\.ts$/, '').replaceAll(sep, ' '),
    );
    const names = (await loadAllOwn()).map(({ name }) => name);
    assert.deepEqual(files.filter((name) => name !== 'index').sort(), names.toSorted());
    const typed = catalogue.map(({ words }) => words.join(' '));
    assert.deepEqual(typed.toSorted(), [...new Set(typed)].sort(), 'each command once');
  });

  it('[D-9] shares a memory with the library, and answers --json in its shape', async (test) => {
    const { bench, memory } = await shared(test);
    const json = async (...args: string[]) => JSON.parse(await bench.succeed([...args, '--json']));
    const { id } = await memory.mama.save({ topic: 'ui:grid', decision: 'Eight pixels' });
    await json('tool', 'mama_update', id, 'failed', 'Too coarse');
    assert.equal((await memory.decision.get({ id })).decision.outcomeReason, 'Too coarse');
    const next = await memory.mama.save({ topic: 'ui:grid', decision: 'Four', evidence: ['a', 'b'] });
    await memory.mama.save({ type: 'checkpoint', summary: '절반', open_files: ['a.ts'] });
    for (const [args, expected] of [
      [['tool', 'mama_search', 'four', '--history'], memory.mama.search({ query: 'four', history: true })],
      [['tool', 'mama_load_checkpoint'], memory.mama.loadCheckpoint()],
      [['tool', 'decision_get', next.id], memory.decision.get({ id: next.id })],
      [['tool', 'decision_retrieve', 'ui'], memory.decision.retrieve({ domain: 'ui' })],
    ] as const) {
      assert.deepEqual(await json(...args), { ...(await expected), workspace: 'bench' });
    }
    const { bytes, agents, ...health } = await json('doctor');
    const { bytes: _, ...expected } = await memory.inspect();
    assert(bytes > 0);
    assert(Array.isArray(agents));
    assert.deepEqual(health, { ok: true, ...expected });
  });

  it('takes Korean, and a folder and a file whose names have spaces and Korean letters', async (test) => {
    const bench = workbench(test, 'here');
    const here = { cwd: join(bench.folder, '내 작업 폴더'), env: { PRECEDENT_DB: undefined } };
    mkdirSync(here.cwd);
    const db = ['--db', '결정 기록/메모리 1.db'];
    const [topic, decision] = ['인증:토큰', '토큰은 10분만 유효하다 🔑'];
    await bench.succeed([...db, 'tool', 'mama_save', '--topic', topic, '--decision', decision], here);
    assert(existsSync(join(here.cwd, '결정 기록', '메모리 1.db')));
    const { results } = JSON.parse(
      await bench.succeed([...db, 'tool', 'mama_search', '토큰', '--json'], here),
    );
    assert.deepEqual([results[0].topic, results[0].decision], [topic, decision]);
    assert((await bench.succeed(['tool', 'mama_search', '유효', ...db], here)).includes(decision));
  });

  it('says what kind of error it was by its exit code, and with --json as JSON', async (test) => {
    const { bench, memory } = await shared(test);
    const { id } = await memory.mama.save({ topic: 'a', decision: 'b' });
    await memory.mama.save({ topic: 'a', decision: 'c' });
    const cases: [number, string, string[]][] = [
      [2, 'invalid', ['tool', 'mama_search', '--limit', '0']],
      [2, 'invalid', ['tool', 'mama_search', '--limit', 'many']],
      [2, 'invalid', ['--workspace', '../x', 'doctor']],
      [3, 'not_found', ['tool', 'decision_get', UNKNOWN_ID]],
      [4, 'conflict', ['tool', 'decision_revise', id, '--text', 'd']],
      [5, 'unavailable', ['--db', bench.folder, 'tool', 'mama_search']],
    ];
    for (const [code, name, args] of cases) {
      const { stderr, ...ran } = await bench.run([...args, '--json']);
      assert.deepEqual(ran, { code, stdout: '' }, args.join(' '));
      assert.equal(JSON.parse(stderr).error.code, name);
      givesNothingAway(stderr);
    }
    const plain = await bench.run(['tool', 'decision_get']);
    const json = await bench.run(['tool', 'decision_get', '--json']);
    const { message, workspace } = JSON.parse(json.stderr).error;
    assert.equal(workspace, 'bench', '[K-3]');
    assert.deepEqual(plain, {
      code: 2,
      stdout: '',
      // The operation's name is for programs.
      stderr: `precedent: ${message.replace('decision_get: ', '')}\n(invalid/missing, see "precedent tool decision_get --help")\n  workspace bench\n`,
    });
  });

  it('says that there are no sessions yet', async (test) => {
    const bench = workbench(test);
    await bench.succeed(['decide', 'a', 'A']);
    assert.match(await bench.succeed(['list', 'sessions']), /^No sessions of agents yet\./);
  });

  it('suggests a near command or option for one that does not exist', async (test) => {
    const bench = workbench(test, 'here');
    for (const [args, meant] of [
      [['docter'], 'doctor'],
      [['serch', 'x'], 'search'],
      [['mem_search', 'x'], 'precedent tool mem_search'],
      [['tool', 'mama_serch', 'x'], 'mama_search'],
      [['tool', 'mama_save', '--topik', 'x'], '--topic'],
    ] as const) {
      const { code, stdout, stderr } = await bench.run([...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert(stderr.includes(meant), stderr);
    }
  });

  it('[U-8] for an unknown option of a command does not suggest --version', async (test) => {
    const bench = workbench(test, 'here');
    const { code, stderr } = await bench.run(['withdraw', 'a:b', '--decision', 'x']);
    assert.equal(code, 2);
    assert.match(stderr, /unknown option '--decision'\n\(invalid/);
    assert.match((await bench.run(['--versoin'])).stderr, /Did you mean --version/);
  });

  it('takes the name of a tool as a text, a value and a workspace', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'mem_search', 'how it ranks', '--project', 'mem_save']);
    const found = async (...args: string[]) =>
      JSON.parse(await bench.succeed([...args, '--json'])).results.map(
        (each: { title: string }) => each.title,
      );
    const elsewhere = ['--db', bench.db, '--workspace', 'mem_save'];
    assert.deepEqual(await found(...elsewhere, 'tool', 'mem_search', 'mem_search'), ['mem_search']);
    assert.deepEqual(await found('tool', 'mem_search', 'ranks', '--project', 'mem_save'), ['mem_search']);
    assert.deepEqual(await found('search', 'mem_search'), ['mem_search']);
  });

  it('reads a field from standard input, 150,000 characters long', async (test) => {
    const { bench, memory } = await shared(test);
    const { id } = (await memory.decision.save({ text: 'Measure first' })).decision;
    const stdin = '측정값 9.5ms\n'.repeat(15_000);
    assert.equal(stdin.length, 150_000);
    await bench.succeed(['tool', 'evidence_save', id, '-'], { stdin });
    const { evidence } = await memory.decision.get({ id, evidenceCharacters: 200_000 });
    assert.equal(evidence[0]?.content, stdin);
    const twice = await bench.run(['tool', 'evidence_save', '-', '-'], { stdin });
    assert.equal(twice.code, 2);
    assert.match(twice.stderr, /standard input/);
  });

  it('prints no control character of what was saved in an answer', async (test) => {
    const { bench, memory } = await shared(test);
    const reasoning = `builds_on: ${NASTY}`;
    const { id } = await memory.mama.save({ topic: NASTY, decision: NASTY, reasoning, evidence: [NASTY] });
    // Sequences are cut when they are saved; an earlier version kept them.
    const database = new DatabaseSync(bench.db);
    database
      .prepare('update decisions set topic = $nasty, text = $nasty, reasoning = $nasty')
      .run({ nasty: NASTY });
    database.prepare('update evidence set content = ?').run(NASTY);
    database.close();
    assert.equal((await memory.decision.get({ id })).decision.text, NASTY);
    const answers = await Promise.all([
      bench.succeed(['tool', 'mama_search', 'end']),
      bench.succeed(['tool', 'decision_get', id]),
      bench.succeed(['tool', 'mama_update', id, 'failed', NASTY]),
      bench.succeed(['tool', 'decision_save', NASTY, '--scope', 'global', '--strength', 'axis']),
    ]);
    answers.push(await bench.succeed(['tool', 'decision_retrieve']));
    for (const answer of answers) {
      assert(answer.includes('red'), answer);
      assert.doesNotMatch(answer, CONTROL);
    }
  });

  it('prints no control character of what was saved in a refusal', async (test) => {
    const { bench, memory } = await shared(test);
    const { id } = await memory.mama.save({ topic: NASTY, decision: 'b' });
    await memory.decision.revise({ id, withdrawn: true, reasoning: 'It is over' });
    const { code, stderr } = await bench.run(['tool', 'decision_revise', id, '--text', 'c']);
    assert.equal(code, 4);
    assert.doesNotMatch(stderr, CONTROL);
  });

  it('colours for a terminal or when FORCE_COLOR says so, and never against NO_COLOR', async (test) => {
    const { bench, memory } = await shared(test);
    await memory.mama.save({ topic: 't', decision: 'a' });
    const said = async (env: Record<string, string>) =>
      (await bench.run(['tool', 'mama_search'], { env })).stdout;
    const [plain, forced] = [await said({}), await said({ FORCE_COLOR: '1' })];
    assert.doesNotMatch(plain, CONTROL);
    assert.match(forced, CONTROL);
    assert.equal(stripVTControlCharacters(forced), plain);
    assert.equal(await said({ FORCE_COLOR: '1', NO_COLOR: '1' }), plain);
  });

  it('does not colour when FORCE_COLOR is 0', async (test) => {
    const { stdout } = await workbench(test, 'here').run(['tool', 'mama_search'], {
      env: { FORCE_COLOR: '0' },
    });
    assert.doesNotMatch(stdout, CONTROL);
  });

  it('doctor makes no memory where there is none', async (test) => {
    const bench = workbench(test, 'here');
    assert.match(await bench.succeed(['doctor']), /^No memory yet at .*\nThe first save makes it\.\n$/);
    assert.equal(JSON.parse(await bench.succeed(['doctor', '--json'])).exists, false);
    const typed = await bench.run(['doctor', '--db', 'mistyped.db']);
    assert.deepEqual([typed.code, /^No memory yet at /.test(typed.stdout)], [3, true]);
    assert(!existsSync(bench.db));
  });

  it('doctor says where the memory is, what it holds and that it is sound', async (test) => {
    const { bench, memory } = await shared(test);
    await memory.decision.save({ text: 'one' });
    const said = await bench.succeed(['doctor']);
    for (const part of [bench.db, 'bench', 'SQLite', '1 active decision', 'sound'])
      assert(said.includes(part), part);
    if (process.platform !== 'win32') assert.equal(statSync(bench.db).mode & 0o077, 0);
  });

  it('survives a reader that hangs up, as `| head` does', async (test) => {
    const { bench, memory } = await shared(test);
    await memory.mama.save({ topic: 't', decision: 'a' });
    const { child, exited } = bench.start(['tool', 'mama_search']);
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), exited]);
    assert.equal(stderr, '');
  });

  it('[D-12] an unforeseen error is internal: the detail on standard error, then the error', async (test) => {
    const bench = workbench(test, 'here');
    const program = join(bench.folder, 'broken.cjs');
    const broken =
      "Object.defineProperty(process, 'stdout', { get() { throw new TypeError('the detail'); } });";
    writeFileSync(program, `${broken}\nrequire(${JSON.stringify(PROGRAM)});\n`);
    const message = 'Something unforeseen went wrong; the log has the detail.';
    for (const [args, last] of [
      [[], `precedent: ${message}\n(internal/unforeseen)`],
      [['--json'], JSON.stringify({ error: { code: 'internal', reason: 'unforeseen', message } })],
    ] as const) {
      const { code, stderr } = await bench.run(['tool', 'trigger', 'memo', ...args], { program });
      assert.equal(code, 1);
      assert.match(stderr, /^precedent: internal error: TypeError: the detail\n/);
      assert(stderr.trimEnd().endsWith(`\n${last}`), stderr);
    }
  });

  it('says what is wrong with a folder that was removed, and with a name too long for a file', {
    skip:
      process.platform === 'win32' && 'Windows keeps a folder that is in use, and calls a long name missing',
  }, async (test) => {
    const bench = workbench(test, 'here');
    const cwd = join(bench.folder, 'removed');
    mkdirSync(cwd);
    const program = join(bench.folder, 'removed.cjs');
    // Node remembers the working folder until it is changed.
    const remove = `process.chdir('.');\nrequire('node:fs').rmdirSync(${JSON.stringify(cwd)});`;
    writeFileSync(program, `require(${JSON.stringify(PROGRAM)});\n${remove}\n`);
    const gone = await bench.run(['doctor'], { program, cwd });
    assert.equal(gone.code, 5);
    assert.match(gone.stderr, /^precedent: Expected a working folder, .*\n\(unavailable\/folder_gone\)\n$/);
    for (const command of [['backup', '--restore'], ['import']]) {
      const { code, stderr } = await bench.run([...command, 'x'.repeat(300)]);
      assert.equal(code, 5);
      assert.match(
        stderr,
        /^precedent: Expected a .* cannot be read \(ENAMETOOLONG\)\.\n\(unavailable\/no_access\)\n$/,
      );
    }
  });

  it('says in one line that a Node is too old', async (test) => {
    const bench = workbench(test, 'here');
    const program = join(bench.folder, 'other-node.cjs');
    const runOn = (version: string) => {
      const versions = `{ value: { ...process.versions, node: '${version}' } }`;
      const launch = `require(${JSON.stringify(PROGRAM)});`;
      writeFileSync(program, `Object.defineProperty(process, 'versions', ${versions});\n${launch}\n`);
      return bench.run(['--version'], { program });
    };
    for (const version of ['18.20.4', '22.17.1']) {
      const { code, stdout, stderr } = await runOn(version);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`^.*22\\.18.*${version}.*Install a newer one.*\\n$`));
      // In a clone, what it names works.
      const [, node = '', named = ''] = /or run "(.+)" "(.+)"\n$/.exec(stderr) ?? [];
      assert.match(execFileSync(node, [named, '--version'], { encoding: 'utf8' }), /^\d+\./);
    }
    for (const version of ['22.18.0', '24.0.0']) assert.equal((await runOn(version)).code, 0, version);
  });
});
