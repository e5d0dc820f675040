import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { Schema } from '../../src/store/schema.ts';
import { snakeCase } from '../../src/store/tables.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { exported, linesOfRows } from '../support/stream.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1, 12);

type Values = Record<string, unknown>;

/** What the store keeps of a record by itself. */
type Kept =
  | 'id'
  | 'seq'
  | 'contentHash'
  | 'source'
  | 'writer'
  | `${string}At`
  | `${string}Count`
  | 'searchDepth';

/** What whoever saves a record says in it. A column that is new does not compile until it has values. */
interface Noun<Table extends keyof Schema, Others extends keyof Schema[Table] = never> {
  /** The first value of each field, and another one where it can be changed. */
  values: { [Field in Exclude<keyof Schema[Table], Kept | Others>]: [first: unknown, second?: unknown] };
  /** @returns what it is called */
  save(memory: Memory, values: Values): Promise<string>;
  change?(memory: Memory, ref: string, values: Values): Promise<unknown>;
  /** @param shown the result of `show` */
  said(shown: Values): Values;
}

const observation: Noun<'observations'> = {
  values: {
    title: ['Walls crack', 'Walls crack in frost'],
    content: ['In the north', 'In the north, each winter'],
    type: ['bugfix', 'discovery'],
    project: ['house', 'barn'],
    scope: ['project', 'personal'],
    topicKey: ['wall/cracks', 'wall/frost'],
  },
  save: async (memory, values) => `#${(await memory.call('mem_save', snake(values))).id}`,
  change: (memory, ref, values) => memory.call('mem_update', { id: ref, ...snake(values) }),
  said: (shown) => shown.observation as Values,
};

const memo: Noun<'memos'> = {
  values: {
    summary: ['About frost', 'About frost in March'],
    fullText: ['Frost breaks mortar', 'Frost breaks mortar and stone'],
  },
  save: async (memory, values) =>
    String((await memory.call('memo_save', { ...values, keywords: ['frost'] })).infoId),
  change: (memory, infoId, values) => memory.call('memo_edit', { infoId, ...values }),
  said: (shown) => shown.memo as Values,
};

const checkpoint: Noun<'checkpoints'> = {
  values: { summary: ['Walls are drawn'], nextSteps: ['Draw the roof'], openFiles: [['wall.ts', 'roof.ts']] },
  save: async (memory, values) =>
    String((await memory.call('mama_save', { type: 'checkpoint', ...snake(values) })).id),
  said: (shown) => shown.checkpoint as Values,
};

const evidence: Noun<'evidence', 'timestamp' | 'observationId'> = {
  values: { content: ['Measured: 0.2 W'], decisionRef: ['cad:wall'] },
  save: async (memory, values) =>
    String(((await memory.call('evidence_save', values)) as { evidence: Values }).evidence.id),
  said: ({ evidence }) => ({ ...(evidence as Values), decisionRef: topicOf(evidence) }),
};

const anchor: Noun<'anchors', 'evidenceRef'> = {
  values: { hint: ['Ask the mason'], type: ['decision_link'], decisionRef: ['cad:wall'] },
  async save(memory, { decisionRef, ...values }) {
    const { decision } = (await memory.call('decision_get', { id: decisionRef })) as { decision: Values };
    const saved = await memory.call('anchor_save', { ...values, targetRef: decision.id });
    return String((saved as { anchor: Values }).anchor.id);
  },
  said: ({ anchor }) => ({ ...(anchor as Values), decisionRef: topicOf(anchor) }),
};

const outcome: Noun<'outcomes'> = {
  values: { decisionId: ['cad:wall'], outcome: ['failed'], reason: ['It cracked', 'It cracked again'] },
  async save(memory, { decisionId, ...values }) {
    await memory.call('mama_update', { id: decisionId, ...values });
    return String(decisionId);
  },
  // Each is a record of its own, which says both.
  change: (memory, id, values) => memory.call('mama_update', { id, outcome: 'failed', ...values }),
  said: ({ decision }) => {
    const [{ outcomes }] = (decision as { versions: [{ outcomes: Values[] }] }).versions;
    return { ...outcomes.findLast(({ retracted }) => !retracted), decisionId: topicOf(decision) };
  },
};

const NOUNS: Record<string, Omit<Noun<'memos'>, 'values'> & { values: Record<string, [unknown, unknown?]> }> =
  {
    observation,
    memo,
    checkpoint,
    evidence,
    anchor,
    outcome,
  };

const topicOf = (of: unknown) => (of as { decision: { topic: string } }).decision.topic;
const snake = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [snakeCase(name), value]));

/** B-1: whatever is done to a record, none of its fields is forgotten. */
export function fieldsOfOthers(engine: EngineUnderTest): void {
  describe('fields of other records', () => {
    for (const [kind, { values, save, change, said }] of Object.entries(NOUNS)) {
      const names = Object.keys(values);
      const at = (place: 0 | 1) => Object.fromEntries(names.map((name) => [name, values[name]?.[place]]));
      const reading = (memory: Memory, ref: string) => async (asOf?: number) => {
        const when = asOf === undefined ? {} : { as_of: new Date(asOf).toISOString() };
        const found = said(await memory.call('show', { ref, ...when }));
        return Object.fromEntries(names.map((name) => [name, found[name] ?? found[snakeCase(name)]]));
      };

      it(`[B-1] those of ${kind} are saved, changed, undone, brought back, remembered and exported`, async () => {
        const time = { now: START };
        const memory = await engine.openFast({ ...fixed(START), clock: () => time.now });
        for (const topic of ['cad:wall', 'cad:roof'])
          await memory.call('decision_save', { topic, text: topic });
        const ref = await save(memory, at(0));
        const read = reading(memory, ref);
        let now = at(0);
        const undone = async (before?: Values) => {
          time.now += 60_000;
          await memory.undo();
          if (before) assert.deepEqual(await read(), before, 'undone');
          await memory.undo({ redo: true });
          assert.deepEqual(await read(), now, 'brought back');
        };
        await undone();
        for (const name of names) {
          if (values[name]?.[1] === undefined || !change) continue;
          const before = now;
          const last = time.now;
          time.now += DAY;
          now = { ...before, [name]: values[name][1] };
          await change(memory, ref, { [name]: values[name][1] });
          assert.deepEqual(await read(), now, `${name} changed`);
          assert.deepEqual(await read(last), before, `${name} as of then`);
          await undone(before);
        }
        const stream = await exported(memory);
        const copy = await engine.openFast(fixed());
        await copy.import(stream);
        assert.deepEqual(linesOfRows(await exported(copy)), linesOfRows(stream));
        assert.deepEqual(await reading(copy, ref)(), now, 'imported');
        const graph: string[] = [];
        await memory.export('cypher', (line) => graph.push(line));
        for (const name of names) {
          for (const value of [now[name]].flat())
            assert(graph.join().includes(String(value)), `${name} in cypher`);
        }
      });
    }
  });
}
