import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { scratch } from './support/engines.ts';
import { fillDecisions } from './support/fill-decisions.ts';

/** Search reads the best hits first and more only when needed; reading all of them must give the same answer. */
describe('search in thousands of decisions', () => {
  const file = join(scratch(), 'memory.db');
  let memory: Memory;
  before(async () => {
    memory = await openMemory({ db: file });
    const database = new DatabaseSync(file);
    fillDecisions(database, 4_000);
    database.close();
  });

  after(() => memory.close());

  const queries = ['word1', 'word2 word3', 'word0 word4 word7', 'word5 word6 word8 word9', 'number17 word1'];

  it('[O-5] the best hits give the same rows in the same order, and the same total, as all hits', async () => {
    for (const query of queries) {
      for (const domain of [undefined, 'common', 'rare']) {
        const filter = { query, limit: 20, ...(domain && { domain }) };
        const best = await memory.mama.search(filter);
        const all = await memory.mama.search({ ...filter, history: true });
        assert.deepEqual(
          [best.results.map((row) => row.id), best.total],
          [all.results.map((row) => row.id), all.total],
          `${query} in ${domain ?? 'all'}`,
        );
        assert(best.results.length > 0 && best.total > 0, query);
      }
    }
  });

  it('a rare domain is not crowded out by thousands of better hits', async () => {
    const { results, total } = await memory.mama.search({ query: 'word1', domain: 'rare', limit: 5 });
    assert(results.every((row) => row.scope === 'rare'));
    assert.equal(results.length, Math.min(5, total));
  });
});
