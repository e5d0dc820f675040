import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openMemory } from '../src/memory/memory.ts';
import { sqliteWorkspaces } from '../src/store/sqlite/workspaces.ts';
import { scratch } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { machine } from './support/machine.ts';
import { isTried } from './support/part.ts';
import { PROGRAM, type Ran } from './support/program.ts';

/** Machines on which rounds are played at the same time: one that waits for a lock does nothing else. */
const AT_ONCE = 2;
const NAMES = ['one', 'two'] as const;

/**
 * A memory that has a name, and then the other one, and in which something is saved: one process does the one in the midst
 * of the other.
 */
async function table(test: TestContext, commands: (from: string, to: string, text: string) => string[][]) {
  const { data, run, json, repository } = machine(test, undefined, undefined, 'here');
  const app = repository('app', 'first');
  const names: [string, string] = [...NAMES];
  await json(app, ['tool', 'mem_save', 'saved 0', 'saved', '--workspace', names[0]]);
  await json(app, ['workspaces', 'join', names[0]]);
  const saved = ['saved 0'];
  let count = 0;

  /**
   * @param at the number of the call of the first process before which the second runs to its end; 0 for none
   * @returns the calls of the first, and what is wrong now
   */
  return async (at: number): Promise<{ calls: string[]; wrong: string[] }> => {
    const text = `saved ${++count}`;
    const [inner, outer] = commands(...names, text).reverse() as [string[], string[]];
    const report = join(data, '..', 'calls.json');
    const told = JSON.stringify({ folder: data, at, program: [PROGRAM, ...inner], report });
    const ran = await run(app, outer, {
      NODE_OPTIONS: `--import=${import.meta.resolve('./support/at-call.js')}`,
      PRECEDENT_TEST_AT_CALL: told,
    });
    const { calls, other } = JSON.parse(readFileSync(report, 'utf8')) as { calls: string[]; other?: Ran };
    const both = [
      { args: outer, ran },
      { args: inner, ran: other },
    ].flatMap(({ args, ran }) => (ran ? [{ isSave: args[0] === 'tool', ...ran }] : []));
    const wrong: string[] = [];
    for (const { isSave, code, stderr } of both) {
      if (isSave && code === 0) saved.push(text);
      if (!isSave && code === 0) names.reverse();
      // Whoever finds it in use is told so, and changes nothing.
      if (code !== 0 && code !== (isSave ? 5 : 4) && !/another process/i.test(stderr)) wrong.push(stderr);
      if (/New workspace|read-only/.test(stderr)) wrong.push(stderr);
    }
    const files = readdirSync(data).filter((name) => /\.db$/.test(name));
    if (files.join() !== `${names[0]}.db`) wrong.push(`there are ${files}`);
    const memory = await openMemory({ db: join(data, `${names[0]}.db`) });
    const { problems } = await memory.inspect();
    const { results } = await memory.mem.search({ query: 'saved', limit: 50 });
    await memory.close();
    const found = results.map(({ title }) => title);
    const lost = saved.filter((title) => !found.includes(title));
    if (lost.length > 0 || found.length !== saved.length) wrong.push(`lost ${lost}, found ${found}`);
    wrong.push(...problems);
    return { calls, wrong: wrong.map((each) => `at ${at}, ${calls[at - 1]}: ${each}`) };
  };
}

/** Plays a round for every call of the first of two processes. @returns what went wrong */
async function playAll(
  test: TestContext,
  commands: (from: string, to: string, text: string) => string[][],
): Promise<string[]> {
  const tables = await Promise.all(Array.from({ length: AT_ONCE }, () => table(test, commands)));
  const [first] = tables;
  assert(first);
  const { calls, wrong } = await first(0);
  // Once it is open, one statement is as the other.
  const opened = calls.findIndex((call) => call.startsWith('exec pragma'));
  const waiting = calls
    .flatMap((call, index) => (index > opened && call.startsWith('prepare') ? [] : [index + 1]))
    .filter((_, index) => isTried(index));
  await Promise.all(
    tables.map(async (play) => {
      for (let at = waiting.shift(); at; at = waiting.shift()) wrong.push(...(await play(at)).wrong);
    }),
  );
  return wrong;
}

describe('a memory that is renamed in the midst of a save, and saved in while it is renamed', () => {
  it('[K-3] [D-9] a rename between any two calls of a save loses nothing and makes nothing anew', async (test) => {
    const commands = (from: string, to: string, text: string) => [
      ['tool', 'mem_save', text, 'saved'],
      ['workspaces', 'rename', from, to],
    ];
    assert.deepEqual(await playAll(test, commands), []);
  });

  it('[K-3] [D-9] a save between any two calls of a rename loses nothing and makes nothing anew', async (test) => {
    const commands = (from: string, to: string, text: string) => [
      ['workspaces', 'rename', from, to],
      // By the name that it has when it is typed.
      ['tool', 'mem_save', text, 'saved', '--workspace', from],
    ];
    assert.deepEqual(await playAll(test, commands), []);
  });

  it('[K-3] [D-9] it is not renamed under whoever opens it between two steps of the rename', async (test) => {
    const folder = scratch();
    const file = join(folder, 'one.db');
    const memory = await openMemory({ db: file });
    await memory.mem.save({ title: 'saved', content: 'saved' });
    await memory.close();
    const { exec } = DatabaseSync.prototype;
    let other: DatabaseSync | undefined;
    test.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
      if (sql === 'begin exclusive' && !other) {
        other = new DatabaseSync(file);
        exec.call(other, 'pragma journal_mode = wal');
      }
      return exec.call(this, sql);
    });
    await refuses(
      sqliteWorkspaces(folder, () => {}).rename('one', 'two'),
      'conflict',
      'another process has it open',
    );
    assert(other, 'somebody opened it');
    other.close();
    assert.deepEqual(readdirSync(folder), ['one.db']);
  });
});
