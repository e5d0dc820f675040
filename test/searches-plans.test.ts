import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { optionsOf, postgres, scratch } from './support/engines.ts';
import { holder, inside, newWorkspace, query, queryIn, SERVER } from './support/postgres.ts';
import { statementsOf } from './support/statements.ts';

/** More than a search ranks at first, so that it looks for more that pass its filter. */
const MANY = 120;

/** Searches of which few of the many hits pass the filter. */
const NARROW: Record<string, (memory: Memory) => Promise<unknown>> = {
  'decisions of a scope': (memory) => memory.mama.search({ query: 'cache', domain: 'own' }),
  'observations of a project': (memory) => memory.mem.search({ query: 'cache', project: 'own' }),
  'observations of a type': (memory) => memory.mem.search({ query: 'cache', type: 'bugfix' }),
  'everything of a scope': (memory) => memory.search({ query: 'cache', scope: 'own' }),
  'everything of a project': (memory) => memory.search({ query: 'cache', project: 'own' }),
  'everything of an author': (memory) => memory.search({ query: 'cache', author: 'own' }),
};

describe('what a search may show is looked up', { concurrency: 1 }, () => {
  const db = join(scratch(), 'memory.db');
  let memory: Memory;
  before(async () => {
    memory = await openMemory({ db, writer: { author: 'other' } });
    for (let n = 0; n < MANY; n++) {
      await memory.mama.save({ topic: `cache:${n}`, decision: `Cache ${n}`, reasoning: 'Faster' });
      await memory.mem.save({ title: `Cache ${n}`, content: 'The cache', project: 'other' });
    }
    const own = await openMemory({ db, writer: { author: 'own' } });
    await own.decision.save({ text: 'Cache', scope: 'own' });
    await own.mem.save({ title: 'Cache', content: 'Cache', project: 'own', type: 'bugfix' });
    await own.close();
  });
  after(() => memory.close());

  for (const [name, search] of Object.entries(NARROW))
    it(`[W-6] SQLite reads no whole table of records for ${name}`, async (test) => {
      const database = new DatabaseSync(db, { readOnly: true });
      test.after(() => database.close());
      const statements = await statementsOf(() => search(memory));
      const filtered = statements.filter(({ text }) => /r\.kind = .*\) as best join records/s.test(text));
      assert.equal(filtered.length, 1, statements.map(({ text }) => text).join('\n'));
      for (const { text } of filtered) {
        const plan = database.prepare(`explain query plan ${text}`).all();
        const details = plan.map(({ detail }) => String(detail));
        // Of the checkpoints the newest one, in the order of their index.
        const whole = details.filter(
          (line) => /^SCAN /.test(line) && !/VIRTUAL TABLE|^SCAN (best|c USING)\b/.test(line),
        );
        assert.deepEqual(whole, [], details.join('\n'));
      }
    });

  it('[S-4] PostgreSQL looks the words of a question up in the key', optionsOf(postgres), async (test) => {
    const workspace = newWorkspace();
    const memory = await openMemory({ db: SERVER, workspace });
    test.after(() => memory.close());
    await memory.mem.save({ title: 'Queue', content: 'Retry with backoff' });
    // Of a few rows any index costs the same; the server looks at what was written within a minute.
    await queryIn(
      workspace,
      "insert into search_postings (term, seq, weight, length) select 'term' || n % 200, 100001 + n / 200, 1, 1 from generate_series(1, 20000) as n",
    );
    await query('analyze precedent.all_search_postings');
    const client = await holder(SERVER, ...inside(workspace), 'set enable_seqscan = off');
    test.after(() => client.end());
    const statements = await statementsOf(() => memory.search({ query: 'queue backoff' }));
    const asked = statements.filter(({ text }) => /\bt\.term from unnest.*from search_postings/s.test(text));
    assert.ok(asked.length > 0, statements.map(({ text }) => text).join('\n'));
    for (const { text, values } of asked) {
      const { rows } = await client.query(`explain (costs off) ${text}`, values);
      const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
      // Read by their documents, every word of a long one would come along.
      assert.deepEqual(plan.match(/using \w+/g), ['using search_postings_key'], plan);
    }
  });
});
