import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { tools } from '../src/operations/index.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { newWorkspace, query, SERVER } from './support/postgres.ts';
import { workbench } from './support/program.ts';

const READS = tools.filter(({ access }) => access === 'read').map(({ name }) => name);
const schemas = (name: string) =>
  query('select 1 from precedent.workspaces where name = $1', [name]).then((rows) => rows.length);
/** What is in a home, but for the compiled code of the program, which all tests of a run may share. */
const made = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name !== '.cache')
    .sort();

describe('a read', () => {
  it('[K-2] of a memory that is named and not there is refused, and creates no file and no folder', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const db = join(bench.folder, 'new', 'typo.db');
    for (const args of [
      ['tool', 'mama_search'],
      ['recall', 'x'],
      ['tool', 'mem_stats'],
      ['tool', 'memo_list'],
    ]) {
      const { code, stderr } = await bench.run([...args, '--db', db]);
      assert.deepEqual(
        [code, stderr],
        [
          3,
          `precedent: Expected a memory, found none at ${db}. Name another one with --db or --workspace.\n(not_found/no_memory)\n  workspace bench\n`,
        ],
      );
    }
    const named = await bench.run(['tool', 'mem_stats', '--workspace', 'typo'], {
      env: { PRECEDENT_DB: undefined },
    });
    assert.equal(named.code, 3);
    assert.deepEqual(made(bench.folder), []);
  });

  it('[K-2] nor does a write that needs something that is there', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const db = join(bench.folder, 'typo.db');
    for (const args of [
      ['tool', 'mama_update', 't', 'failed', 'r'],
      ['tool', 'decision_revise', 't', '--text', 'x'],
      ['tool', 'evidence_save', 't', 'x'],
      ['tool', 'mem_update', '1', '--title', 'x'],
      ['tool', 'delete', '1'],
      ['tool', 'rename', 'a', 'b', '--join'],
      ['tool', 'memo_expand'],
    ]) {
      assert.equal((await bench.run([...args, '--db', db])).code, 3, args.join(' '));
    }
    const server = await bench.connect();
    const { isError } = await server.ask('mama_update', { id: 't', outcome: 'failed' });
    assert.equal(isError, true);
    assert.deepEqual(made(bench.folder), []);
  });

  it('[K-2] in a repository without a memory is empty, says so, and creates nothing', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const cwd = join(bench.folder, 'app');
    mkdirSync(join(cwd, '.git'), { recursive: true });
    const options = { cwd, env: { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined } };
    const { code, stdout, stderr } = await bench.run(['tool', 'mama_search', 'x', '--json'], options);
    const { workspace, ...empty } = JSON.parse(stdout);
    const looked = { what: 'decision', records: 0, languages: [] };
    assert.deepEqual([code, empty], [0, { answered: false, looked, results: [], total: 0 }]);
    assert.match(workspace, /^app~\w+$/);
    const begin =
      'Begin with "precedent decide TOPIC TEXT", or take over what is written here: "precedent import --from auto".';
    assert.equal(stderr, `precedent: Nothing was saved yet in workspace "${workspace}". ${begin}\n`);
    assert(!existsSync(join(bench.folder, '.local')));
    await bench.succeed(['tool', 'mem_save', 'first', 'saved'], options);
    assert.match(await bench.succeed(['tool', 'mem_search', 'saved'], options), /first/);
  });

  it('[K-2] [R-17] over MCP is empty until something is saved, by this server or by another process', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const [one, two] = [await bench.connect(), await bench.connect()];
    for (const server of [one, two]) {
      for (const name of READS) await server.ask(name, { query: 'x', task: 'x' });
      assert.equal((await server.call('mama_search', { query: 'x' })).total, 0);
    }
    assert(!existsSync(bench.db));
    await one.call('mama_save', { topic: 'x', decision: 'saved by one' });
    assert.equal((await one.call('mama_search', { query: 'saved' })).total, 1);
    assert.equal((await two.call('mama_search', { query: 'saved' })).total, 1);
  });

  it('[K-3] a first save that is refused makes nothing, and the next one says that it does', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const lines = join(bench.folder, 'history.jsonl');
    const save = { operation: 'mem_save', title: 't', content: 'c' };
    writeFileSync(
      lines,
      [save, { ...save, date: '2999-01-01' }].map((each) => JSON.stringify(each)).join('\n'),
    );
    for (const args of [
      ['decide', 't', 'x', '--date', '2999-01-01'],
      ['decide', 't', ' '],
      ['note', 't', 'x', '--capture', '1'],
      ['import', lines],
    ]) {
      const { code, stderr } = await bench.run(args);
      assert.notEqual(code, 0, args.join(' '));
      assert.doesNotMatch(stderr, /New workspace/);
    }
    const server = await bench.connect();
    const { isError } = await server.ask('mama_save', { topic: 'x', decision: 'y', date: '2999-01-01' });
    assert.equal(isError, true);
    assert.deepEqual(made(bench.folder), ['history.jsonl']);
    const { stderr } = await bench.run(['decide', 't', 'x']);
    assert.match(stderr, /New workspace/);
    assert.equal((await server.call('mama_search', {})).total, 1);
  });

  it('[K-3] what is damaged, or holds nothing, makes nothing when it is taken in', async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const [damaged, empty] = [join(bench.folder, 'damaged'), join(bench.folder, 'empty')];
    writeFileSync(damaged, 'neither a stream nor a backup\n');
    mkdirSync(empty);
    const db = join(bench.folder, 'new.db');
    for (const args of [
      ['import', damaged],
      ['backup', '--restore', damaged],
    ]) {
      const { code, stderr } = await bench.run([...args, '--db', db]);
      assert.notEqual(code, 0, args.join(' '));
      assert.doesNotMatch(stderr, /New workspace/);
    }
    const { code, stdout, stderr } = await bench.run(['import', '--from', 'adr', empty, '--db', db]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /nothing to import/);
    assert.deepEqual(made(bench.folder), ['damaged', 'empty']);
  });

  it('[K-3] nor a schema on PostgreSQL', optionsOf(postgres), async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const workspace = newWorkspace();
    const env = { PRECEDENT_DB: SERVER, PRECEDENT_WORKSPACE: workspace };
    const server = await bench.connect({ env });
    const refused = { topic: 'x', decision: 'y', date: '2999-01-01' };
    assert.equal((await server.ask('mama_save', refused)).isError, true);
    assert.notEqual((await bench.run(['decide', 'x', 'y', '--date', '2999-01-01'], { env })).code, 0);
    const lines = [
      { operation: 'mem_save', title: 't', content: 'c' },
      { operation: 'mama_save', ...refused },
    ];
    const stdin = lines.map((each) => JSON.stringify(each)).join('\n');
    assert.notEqual((await bench.run(['import', '-'], { env, stdin })).code, 0);
    assert.notEqual((await bench.run(['import', '-'], { env, stdin })).code, 0);
    assert.equal(await schemas(workspace), 0);
    await bench.succeed(['decide', 'x', 'y'], { env });
    assert.equal(await schemas(workspace), 1);
  });

  it('[K-2] creates no schema on PostgreSQL', optionsOf(postgres), async (test) => {
    const bench = workbench(test, 'here', { isOfPerson: false });
    const workspace = newWorkspace();
    const env = { PRECEDENT_DB: SERVER, PRECEDENT_WORKSPACE: workspace };
    assert.equal((await bench.run(['tool', 'mem_stats'], { env })).code, 3);
    const server = await bench.connect({ env });
    assert.equal((await server.call('mama_search', {})).total, 0);
    assert.equal(await schemas(workspace), 0);
    await server.call('mama_save', { topic: 'x', decision: 'saved' });
    assert.equal((await server.call('mama_search', {})).total, 1);
    const memory = await openMemory({ db: SERVER, workspace });
    assert.equal((await memory.inspect()).records.decision, 1);
    await memory.close();
  });
});
