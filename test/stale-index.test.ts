import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { COLUMN_WEIGHTS } from '../src/domain/ranking/weights.ts';
import { type Memory, type MemoryOptions, openMemory } from '../src/index.ts';
import { fixed, optionsOf, postgres, scratch } from './support/engines.ts';
import { newWorkspace, SERVER } from './support/postgres.ts';
import { copyOfSource, libraryOf } from './support/source.ts';

/** The product as it would be with a word of a title worth four times as much. */
const heavier = () =>
  libraryOf(copyOfSource({ 'src/domain/ranking/weights.ts': [[WEIGHT, `${4 * COLUMN_WEIGHTS.title}`]] }));
const WEIGHT = /(?<=COLUMN_WEIGHTS = \{[^}]*\btitle: )[\d.]+/;

/** A note and a decision have the word in their title, another of each has it often in its text. */
async function furnish(memory: Memory): Promise<void> {
  const often = 'cache the cache of the cache in the cache cache cache';
  const once = 'kept for a day and then thrown away by the nightly job of the server';
  const note = (title: string, content: string) => memory.mem.save({ title, content });
  const decide = (topic: string, decision: string) => memory.mama.save({ topic, decision });
  await note('cache', once);
  await note('build', often);
  // What stands between them lifts none above the other.
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six'])
    await note(word, `${word} has nothing of that in its many words`);
  await decide('cache', once);
  await decide('build', often);
}

/** What a memory answers, and the order in which it does. */
async function ask(memory: Memory) {
  const query = 'cache';
  const notes = await memory.mem.search({ query });
  const decisions = await memory.mama.search({ query });
  const order = [notes.results.map(({ title }) => title), decisions.results.map(({ topic }) => topic)];
  const answers = [notes, decisions, await memory.search({ query }), await memory.recall({ task: query })];
  return { order, answers };
}

/** Opens a memory, does something with it and closes it. */
async function using<T>(
  open: typeof openMemory,
  options: MemoryOptions,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const memory = await open(options);
  try {
    const done = await work(memory);
    assert.deepEqual((await memory.inspect()).problems, []);
    return done;
  } finally {
    await memory.close();
  }
}

const TITLE_LAST = [
  ['build', 'cache'],
  ['build', 'cache'],
];
const TITLE_FIRST = [
  ['cache', 'build'],
  ['cache', 'build'],
];

describe('weights that an index holds', () => {
  it('[P-1] a file is ranked by the weights of the version that opens it', async () => {
    const options = { db: join(scratch(), 'memory.db') };
    await using(openMemory, options, furnish);
    const now = await using(openMemory, options, ask);
    assert.deepEqual(now.order, TITLE_LAST);
    const other = await heavier();
    assert.deepEqual((await using(other.openMemory, options, ask)).order, TITLE_FIRST);
    assert.deepEqual(await using(openMemory, options, ask), now, 'and back');
  });

  it('[R-1] a file without an index is indexed once by what is known now', async () => {
    const db = join(scratch(), 'memory.db');
    await using(openMemory, { db }, furnish);
    const emptied = new DatabaseSync(db);
    emptied.exec("delete from search_text; delete from meta where key = 'analysis'");
    emptied.close();
    const find = async (memory: Memory) => (await memory.mama.search({ query: 'cache' })).total;
    const told: number[][] = [];
    const progress = (...counts: number[]) => told.push(counts);
    assert.equal(await using(openMemory, { db, progress }, find), 2);
    const [done, all] = told.at(-1) ?? [];
    assert(all && done === all, `[W-1] told of ${done} of ${all} records`);
    const before = readFileSync(db);
    await (await openMemory({ db, progress: () => assert.fail('nothing is rebuilt') })).close();
    assert(before.equals(readFileSync(db)), 'not one byte changes the second time');
  });

  it('[C-2] a rebuild that puts what it has read into the index more than once finds all of it', async () => {
    const options = { db: join(scratch(), 'memory.db') };
    await using(openMemory, options, async (memory) => {
      await memory.mem.save({ title: 'first', content: `alpha ${'x'.repeat(199_000)}` });
      for (let n = 0; n < 21; n++)
        await memory.mem.save({ title: `long ${n}`, content: 'x'.repeat(199_000) });
      const words = ['beta', ...Array.from({ length: 58 }, () => 'delta'), 'gamma'];
      for (const [n, content] of words.entries()) await memory.mem.save({ title: `note ${n}`, content });
      await memory.repair();
      const expected = { alpha: 'first', beta: 'note 0', gamma: 'note 59' };
      for (const [query, title] of Object.entries(expected)) {
        const { results } = await memory.mem.search({ query });
        assert.deepEqual(
          results.map((each) => each.title),
          [title],
        );
      }
    });
  });
});

describe('weights that an index on a server holds', optionsOf(postgres), () => {
  it('[P-1] both engines rank by the weights of the version that opens them, and alike', async () => {
    const workspace = newWorkspace();
    const writer = { session: 'one', client: 'test' };
    const places = [{ db: join(scratch(), 'memory.db') }, { db: SERVER }];
    const both = async <T>(open: typeof openMemory, work: (memory: Memory) => Promise<T>) => {
      const done: T[] = [];
      for (const place of places)
        done.push(await using(open, { ...fixed(), writer, workspace, ...place }, work));
      assert.deepEqual(done[1], done[0], 'both engines say the same');
      return done[1] as T;
    };
    await both(openMemory, furnish);
    const now = await both(openMemory, ask);
    assert.deepEqual(now.order, TITLE_LAST);
    const other = await heavier();
    assert.deepEqual((await both(other.openMemory, ask)).order, TITLE_FIRST);
    assert.deepEqual(await both(openMemory, ask), now, 'and back');
  });

  it('[P-6] who may not write cannot open an index with other weights, and leaves it as it is', async () => {
    const workspace = newWorkspace();
    const options = { db: SERVER, workspace };
    await using(openMemory, options, furnish);
    const url = new URL(SERVER);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const readOnly = { db: url.href, workspace };
    const memory = await openMemory(readOnly);
    assert.deepEqual((await ask(memory)).order, TITLE_LAST, 'the same weights need no write');
    await memory.close();
    const other = await heavier();
    await assert.rejects(other.openMemory(readOnly), { code: 'unavailable', message: /takes no writes/ });
    assert.deepEqual((await using(openMemory, options, ask)).order, TITLE_LAST);
  });
});
