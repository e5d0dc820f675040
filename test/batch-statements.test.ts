import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from './support/engines.ts';
import { statementsOf } from './support/statements.ts';

/** One engine after the other, and nothing beside them: the statements of the whole process are counted. */
describe('a batch', { concurrency: 1 }, () => {
  for (const engine of engines) {
    it(`[U-7] is searched as a whole, and costs few statements a line, on ${engine.name}`, {
      ...(engine.skip !== undefined && { skip: engine.skip }),
    }, async () => {
      const memory = await engine.openFast({ clock: () => Date.parse('2026-11-22T12:00:00Z') });
      await memory.mama.save({ topic: 'before', decision: 'there', date: '2024-01-01' });
      const lines = Array.from({ length: 260 }, (_, at) => [
        { operation: 'mama_save', topic: `t:${at}`, decision: `decision ${at}`, evidence: [`ground ${at}`] },
        { operation: 'mama_update', id: `t:${at}`, outcome: 'failed', reason: `broken ${at}` },
        { operation: 'mem_save', title: `note ${at}`, content: `noted ${at}` },
      ]);
      const given = [
        ...lines.flat(),
        { operation: 'mama_update', id: 'before', outcome: 'failed', reason: 'rust' },
      ];
      const statements = await statementsOf(() =>
        memory.batch(given.map((each) => JSON.stringify({ ...each, date: '2024-02-05' }))),
      );
      assert(statements.length < 7 * given.length, `${statements.length} for ${given.length} lines`);
      const trips = statements.at(-1)?.trip ?? 0;
      assert(trips < 5.2 * given.length, `${trips} round trips for ${given.length} lines`);
      for (const query of ['decision 3', 'ground 259', 'broken 100', 'rust'])
        assert((await memory.mama.search({ query })).total > 0, query);
      assert((await memory.mem.search({ query: 'noted 200' })).total > 0);
      assert.deepEqual((await memory.inspect()).problems, []);
    });
  }
});
