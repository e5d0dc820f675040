import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, type Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

const HINT = 'Remember the October stop of the warehouse, 시월 정지';
const ASKED = ['the October stop', '시월 정지'];

/** What hangs on decisions, in what searches show. */
export function anchored(engine: EngineUnderTest): void {
  describe('what hangs on decisions', () => {
    const save = (memory: Memory, topic: string, decision: string, reasoning?: string) =>
      memory.mama.save({ topic, decision, ...(reasoning && { reasoning }) });

    /** The topics that each search finds for the words of the hint. */
    async function foundBy(memory: Memory, asOf?: string): Promise<(string | null | undefined)[]> {
      const when = asOf === undefined ? {} : { as_of: asOf };
      const topics = [];
      for (const query of ASKED) {
        const searched = await memory.mama.search({ query, ...when });
        const recalled = await memory.recall({ task: query, ...when });
        const all = await memory.search({ query, ...when });
        topics.push(
          ...searched.results.map(({ topic }) => topic),
          ...[...recalled.entries, ...all.results].map(({ title }) => title),
        );
      }
      return topics;
    }

    it('[T-15] an anchor is found by its own words, as the decision that it leads to, until it is undone', async () => {
      let now = Date.parse('2026-10-01');
      const memory = await engine.open({ clock: () => now++ });
      const { id } = await save(memory, 'import:daily', 'Stock arrives once a day');
      await save(memory, 'ui:theme', 'Dark colours');
      const before = new Date(now++).toISOString();
      assert.deepEqual(await foundBy(memory), []);
      await memory.anchor.save({ targetRef: id, type: 'decision_link', hint: HINT });
      const everywhere = Array(6).fill('import:daily');
      assert.deepEqual(await foundBy(memory), everywhere);
      const [found] = (await memory.mama.search({ query: ASKED[0] })).results;
      assert.deepEqual([found?.anchors, found?.similarity], [[`${HINT} (import:daily v1, active)`], 1]);
      assert.deepEqual(await foundBy(memory, before), [], 'before it was made it leads nowhere');
      await memory.undo({});
      assert.deepEqual(await foundBy(memory), []);
      await memory.undo({ redo: true });
      assert.deepEqual(await foundBy(memory), everywhere);
      const { anchors } = await memory.decision.get({ id });
      await memory.redact(anchors[0]?.id ?? '', 'October stop');
      assert.deepEqual((await memory.mama.search({ query: ASKED[0] })).results, []);
    });

    it('[T-15] an anchor at evidence leads to the decision that the evidence belongs to', async () => {
      const memory = await engine.open();
      const { id } = await save(memory, 'import:daily', 'Stock arrives once a day');
      const { evidence } = await memory.evidence.save({ decisionRef: id, content: 'A mail of the supplier' });
      await save(memory, 'ui:theme', 'Dark colours');
      await memory.anchor.save({ targetRef: evidence.id, type: 'evidence_link', hint: HINT });
      assert.deepEqual(new Set(await foundBy(memory)), new Set(['import:daily']));
    });

    it('[T-15] a search shows who debates a decision, how much evidence it has, and of which version a hint is', async () => {
      const memory = await engine.open();
      const first = await memory.mama.save({
        topic: 'jobs:queue',
        decision: 'Jobs wait in a table',
        evidence: ['Ten jobs a minute', 'One server'],
      });
      await memory.anchor.save({ targetRef: first.id, type: 'decision_link', hint: 'Ask Kim' });
      const second = await save(
        memory,
        'jobs:queue',
        'Jobs wait in a table of their own',
        'It is cleaned more often',
      );
      await save(
        memory,
        'jobs:stream',
        'Streams carry what must be fast',
        `Polling is slow. debates: ${second.id}`,
      );
      const [row] = (await memory.mama.search({ query: 'jobs wait in a table' })).results;
      assert.deepEqual([row?.topic, row?.evidence], ['jobs:queue', 2]);
      assert.match(row?.debated_by?.join() ?? '', /^jobs:stream \([0-9a-f]{8}\)/);
      const recalled = await memory.recall({ task: 'jobs wait in a table' });
      const entry = recalled.entries.find(({ title }) => title === 'jobs:queue');
      assert.match(entry?.debated_by?.join() ?? '', /^jobs:stream \([0-9a-f]{8}\)$/);
      assert.deepEqual([entry?.evidence, entry?.anchors], [2, ['Ask Kim (of v1)']]);
      assert.match(
        JSON.stringify(forModel('recall', recalled)),
        /"debated_by":\["jobs:stream .*"evidence":2/,
      );
      const model = JSON.stringify(forModel('mama_search', await memory.mama.search({ query: 'jobs wait' })));
      assert.match(model, /"debated_by":\["jobs:stream [^"]*"\]\},"evidence":2/);
      await memory.mama.update({ id: 'jobs:stream', outcome: 'failed', reason: 'Nobody runs it' });
      await memory.decision.revise({ id: 'jobs:stream', withdrawn: true, reasoning: 'Nobody runs it' });
      const [after] = (await memory.mama.search({ query: 'jobs wait in a table' })).results;
      assert.doesNotMatch(after?.links?.join() ?? '', /debated_by/, 'it is argued no longer');
    });
  });
}
