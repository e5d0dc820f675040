import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { publishedInput } from '../src/mcp/published.ts';
import { operations } from '../src/operations/index.ts';
import { scratch } from './support/engines.ts';
import { fillSearch } from './support/fill-search.ts';
import { workbench } from './support/program.ts';

describe('as it was, on the faces', { concurrency: 2 }, () => {
  it('[U-5] on a command line it is --at, and the answer says of when it is', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mama_save', 'auth:token', 'Keep session cookies']);
    assert.match(await bench.succeed(['list', '--at', 'yesterday']), /^as it was on \d{4}-\d\d-\d\d 23:59\n/);
    assert.doesNotMatch(await bench.succeed(['list', '--at', 'yesterday']), /cookies/);
    for (const words of [
      ['list'],
      ['log'],
      ['show', 'auth:token'],
      ['recall', 'session cookies'],
      ['list', 'topics'],
    ])
      assert.match(await bench.succeed([...words, '--at', 'today']), /as it was on .*auth:token/s);
    // Words that are no name are looked for in that past, too.
    assert.match(await bench.succeed(['why', 'session cookies', '--at', 'today']), /Keep session cookies/);
    assert.doesNotMatch((await bench.run(['why', 'session cookies', '--at', 'yesterday'])).stdout, /Keep/);
    const { code, stderr } = await bench.run(['list', '--at', 'someday']);
    assert.deepEqual([code, /someday/.test(stderr)], [2, true]);
  });

  it('[U-5] [A-4] models are not told of it', () => {
    const asked = operations.filter(({ input }) => 'as_of' in input.shape || 'asOf' in input.shape);
    assert(asked.length > 15, `${asked.length} operations`);
    for (const operation of asked) assert.doesNotMatch(JSON.stringify(publishedInput(operation)), /as_?of/i);
  });

  it('[J-3] a search about the past makes no copy, however large the memory is', async () => {
    const file = join(scratch(), 'large.db');
    const memory = await openMemory({ db: file });
    const raw = new DatabaseSync(file);
    fillSearch(raw, 1_000);
    const { seq, text } = raw.prepare('select seq, text from decisions where seq < 500 limit 1').get() as {
      seq: number;
      text: string;
    };
    // Which record has these words is known from the index; nothing reads this text of today.
    raw.exec(`with recursive more (seq) as (select 1001 union all select seq + 1 from more where seq < 50100)
      insert into records (seq, kind, writer, session) select seq, 'observation', 1, 1 from more`);
    raw.exec(`insert into observations (seq, title, content, content_hash, type, project, scope, revision_count,
      duplicate_count, created_at, updated_at, last_seen_at, writer)
      select seq, 'n', seq, seq, 'manual', 'p', 'project', 0, 0, seq, seq, seq, 1 from records where seq > 1000`);
    raw.close();
    const { results } = await memory.mama.search({
      query: text,
      history: true,
      as_of: new Date(seq).toISOString(),
    });
    assert.deepEqual(
      results.map(({ decision }) => decision),
      [text],
    );
    await memory.close();
  });
});
