import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Content, FIELD_NAMES, type Field } from '../../src/domain/decision.ts';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { filesOf, takeRecords } from '../support/exported.ts';
import { exported, linesOfRows } from '../support/stream.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1, 12);
const TOPIC = 'cad:wall';

/** Two values of each field. A field that is new does not compile until it has some. */
const VALUES: { [Name in Field]: [Content[Name], Content[Name]] } = {
  text: ['Walls are 200 mm', 'Walls are 240 mm'],
  reasoning: ['Regulation of 2020', 'Regulation of 2026'],
  strength: ['lock', 'axis'],
  scope: ['cad', 'site'],
  confidence: [0.25, 0.75],
};

const before = Object.fromEntries(FIELD_NAMES.map((name) => [name, VALUES[name][0]])) as unknown as Content;

/** B-1: whatever is done to a version, none of its fields is forgotten. */
export function fields(engine: EngineUnderTest): void {
  describe('fields of a decision', () => {
    for (const field of FIELD_NAMES) {
      const after = { ...before, [field]: VALUES[field][1] };

      /** A memory with a version and the next one, which differs in this field. */
      async function changed(): Promise<Memory> {
        const time = { now: START };
        const memory = await engine.openFast({ ...fixed(START), clock: () => time.now });
        await memory.call('decision_save', { topic: TOPIC, ...before });
        time.now += DAY;
        await memory.call('decision_save', { topic: TOPIC, ...after });
        // One's own is undone without a reason within the hour.
        time.now += 60_000;
        return memory;
      }
      const said = async (memory: Memory, asOf?: number, id = TOPIC): Promise<Content> => {
        const at = asOf === undefined ? {} : { asOf: new Date(asOf).toISOString() };
        const { decision } = (await memory.call('decision_get', { id, ...at })) as { decision: Content };
        return Object.fromEntries(FIELD_NAMES.map((name) => [name, decision[name]])) as unknown as Content;
      };

      it(`[B-1] "${field}" is saved, undone, brought back, told apart and remembered`, async () => {
        const memory = await changed();
        assert.deepEqual(await said(memory), after);
        assert.deepEqual(await said(memory, START), before, 'as of then');
        assert.deepEqual(await said(memory, START + DAY), after, 'as of the change');
        const { fields: differing } = await memory.call('diff', { ref: TOPIC });
        assert.deepEqual(
          (differing as { field: string }[]).map((each) => each.field),
          [field],
        );
        await memory.undo();
        assert.deepEqual(await said(memory), before, 'undone');
        await memory.undo({ redo: true });
        assert.deepEqual(await said(memory), after, 'redone');
        // What is not given carries over, but for a reason, which belongs to its text.
        await memory.call('decision_save', { topic: TOPIC, text: 'Walls are 300 mm', reasoning: 'Later' });
        assert.deepEqual(await said(memory), { ...after, text: 'Walls are 300 mm', reasoning: 'Later' });
      });

      it(`[B-1] "${field}" is exported and imported, and an import that changes it is followed`, async () => {
        const memory = await changed();
        const copy = await engine.openFast(fixed());
        const stream = await exported(memory);
        await copy.import(stream);
        assert.deepEqual(linesOfRows(await exported(copy)), linesOfRows(stream));
        assert.deepEqual(await said(copy), after);

        const merged = await engine.openFast(fixed());
        await takeRecords(merged, await filesOf(memory, 'madr'));
        assert.deepEqual(
          [await said(merged, undefined, `${TOPIC}@1`), await said(merged)],
          [before, after],
          'as decision records',
        );
        assert.equal((await takeRecords(merged, await filesOf(memory, 'madr'))).merged.decisions.changed, 0);

        const followed = await engine.openFast(fixed());
        const fact = { key: 'one', at: START, topic: TOPIC };
        const facts = (...decisions: object[]) =>
          ({
            source: 'x',
            decisions,
            observations: [],
            checkpoints: [],
            relations: [],
            skipped: [],
            warnings: [],
          }) as never;
        await followed.merge(facts({ ...fact, ...before }));
        const { decisions } = await followed.merge(facts({ ...fact, ...after, updatedAt: START + DAY }));
        assert.deepEqual([decisions.changed, await said(followed)], [1, after], 'followed');
      });
    }
  });
}
