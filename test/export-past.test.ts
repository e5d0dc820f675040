import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../src/index.ts';
import { type EngineUnderTest, enginesInTurn, fixed, optionsOf, sqlite } from './support/engines.ts';
import { furnish, withVectors } from './support/everything.ts';
import { AWKWARD, everyFormat } from './support/exported.ts';
import { exported } from './support/stream.ts';

const START = Date.UTC(2026, 0, 1);

/** What happens to a memory, a stage after another: whatever an export shows is made, changed and taken away. */
const STAGES: ((memory: Memory) => Promise<unknown>)[] = [
  furnish,
  async (memory) => {
    for (const [index, text] of AWKWARD.entries()) {
      const reasoning = 'builds_on: auth';
      await memory.mama.save({ topic: `t${index}`, decision: text, reasoning, evidence: [text] });
      await memory.mem.save({ title: `n${index}`, content: text, topic_key: `n${index}` });
    }
  },
  async (memory) => {
    const { decision } = await memory.decision.get({ id: 't0' });
    await memory.mama.update({ id: decision.id, outcome: 'failed', reason: 'it leaked' });
    await memory.mama.save({ topic: 't1', decision: 'another', reasoning: 'debates: t2' });
    await memory.rename({ from: 't3', to: '외벽' });
    await memory.mem.save({ title: 'n0', content: 'revised', topic_key: 'n0' });
    await memory.mem.relate({ from_id: 1, to_id: 3, relation_type: 'causes', note: 'since' });
  },
  async (memory) => {
    const { decision } = await memory.decision.get({ id: 't0' });
    await memory.decision.revise({ id: decision.id, withdrawn: true, reasoning: 'gone' });
    await memory.delete({ ref: 1 });
    const { memos } = await memory.memo.list({});
    await memory.memo.edit({ infoId: memos[0]?.infoId ?? '', fullText: 'edited' });
  },
  async (memory) => {
    await memory.undo();
    await memory.mama.save({ topic: 't2', decision: 'anew' });
    await memory.mama.save({ topic: 'mistake', decision: 'Never meant' });
    await memory.undo();
  },
];

/** A memory after all stages, and what each format was after each of them, by the moment. */
async function lived(engine: EngineUnderTest) {
  const time = { now: START };
  const clock = () => (time.now += 1_000);
  const memory = await engine.openFast({ newId: fixed().newId, clock, ...withVectors });
  const then = new Map<string, Map<string, string>>();
  for (const stage of STAGES) {
    await stage(memory);
    then.set(new Date(time.now).toISOString(), await everyFormat(memory));
  }
  return { memory, then };
}

for (const engine of enginesInTurn(5)) {
  describe(`exports of a memory as it stood, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-5] [U-5] every format has the bytes that it had then, the same as on SQLite', async () => {
      const { memory, then } = await lived(engine);
      const other = await sqlite.openFast();
      await other.import(await exported(memory));
      assert.equal(
        new Set([...then.values()].map((files) => JSON.stringify([...files]))).size,
        STAGES.length,
      );
      for (const [at, files] of then) {
        assert.deepEqual(await everyFormat(memory, { at }), files, at);
        assert.deepEqual(await everyFormat(other, { at }), files, `${at}, on SQLite`);
      }
    });
  });
}
