import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { render } from '../src/cli/output/render.ts';
import type { Memory } from '../src/index.ts';
import { indented } from '../src/operations/view.ts';
import { withinProcessorTime } from './support/clock.ts';
import { engines } from './support/engines.ts';
import { recordStatements } from './support/postgres.ts';

const words = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/** One engine after the other, and nothing beside them: the time is that of the whole process. */
describe('a long question beside long texts', { concurrency: 1 }, () => {
  const question = words('question', 1_500).join(' ');
  const giant = (n: number) => words(`filler${n}x`, 14_000).join(' ');

  /** As many as make megabytes: none is longer than an observation may be. */
  const TEXTS = 12;

  async function fill(memory: Memory): Promise<void> {
    await memory.mama.save({ topic: 'cookies', decision: 'Sessions live in signed cookies' });
    for (let n = 1; n <= TEXTS; n++) {
      await memory.mem.save({ title: `log ${n}`, content: giant(n) });
      await memory.mem.save({ title: `question ${n}`, content: `${question} ${n}` });
    }
  }

  for (const engine of engines) {
    it(`does not read the long texts again for every few of its words on ${engine.name}`, {
      ...(engine.skip !== undefined && { skip: engine.skip }),
    }, async () => {
      const memory = await engine.openFast();
      await fill(memory);
      const statements = recordStatements();
      const askAll = async (query: string): Promise<[string, number][]> => [
        ['no decision', (await memory.mama.search({ query })).total],
        ['one decision', (await memory.mama.search({ query: `${query} cookies` })).total],
        ['another project', (await memory.mem.search({ query, project: 'p' })).total],
        ['all', (await memory.mem.search({ query })).total],
      ];
      await askAll('question1 question2 question3');
      const short = statements.length;
      let found: [string, number][] = [];
      await withinProcessorTime(3_000, async () => {
        found = await askAll(question);
      });
      assert.deepEqual(found, [
        ['no decision', 0],
        ['one decision', 1],
        ['another project', 0],
        ['all', TEXTS],
      ]);
      // A server's own time is none of this process's: what it is asked must not grow with the question.
      const long = statements.length - short;
      assert(long <= 1.5 * short, `${long} statements, ${short} for three words`);
    });
  }

  it('a terminal breaks the lines of a giant text itself: measuring each character would take seconds', async () => {
    const terminal = { width: 80, color: false, now: new Date(2026, 0, 1) };
    const shown = await withinProcessorTime(1_000, () => render([indented('벽'.repeat(200_000))], terminal));
    assert.equal(shown, `  ${'벽'.repeat(200_000)}`);
  });
});
