import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';

/** A decision that was taken back, with what others hung on it afterwards. */
async function mistakeWithEvidence(engine: EngineUnderTest): Promise<Memory> {
  const memory = await engine.openFast(fixed());
  const decision = 'Retry the payment webhook seven times with jitter';
  await memory.mama.save({ topic: 'net:retry', decision });
  await memory.undo();
  await memory.evidence.save({ decisionRef: 'net:retry', content: 'Load test of webhook retries' });
  return memory;
}

/** K-6: what was taken back stays out of sight, whatever is hung on it or was said of it. */
export function mistakes(engine: EngineUnderTest): void {
  describe('mistakes', () => {
    it('[K-6] no search finds a mistake by the evidence that hangs on it', async () => {
      const memory = await mistakeWithEvidence(engine);
      const query = 'webhook retries jitter load test';
      assert.deepEqual((await memory.search({ query })).results, []);
      assert.deepEqual((await memory.recall({ task: query })).entries, []);
      const found = await memory.mama.search({ query });
      assert.deepEqual([found.total, found.results], [0, []]);

      await memory.mama.save({ topic: 'net:retry', decision: 'Retry three times' });
      assert.equal((await memory.mama.search({ query: 'load test' })).total, 0, 'not its successor either');
      await memory.evidence.save({ decisionRef: 'net:retry', content: 'Load test of three' });
      const { results } = await memory.mama.search({ query: 'load test', history: true });
      assert.deepEqual(
        results.map(({ decision }) => decision),
        ['Retry three times'],
      );
    });

    it('[K-6] [TR-8] what was undone is listed once, however it was undone', async () => {
      const memory = await engine.open(fixed());
      await memory.mama.save({ topic: 'one', decision: 'A' });
      await memory.undo();
      await memory.mama.save({ topic: 'two', decision: 'B' });
      await memory.mama.save({ topic: 'two', decision: 'C' });
      for (const redo of [false, true, false]) await memory.undo({ redo });
      const listed = async () =>
        (await memory.decision.list({ state: 'mistaken' })).decisions.map(({ text }) => text).sort();
      assert.deepEqual(await listed(), ['A', 'C']);
      await memory.undo();
      assert.deepEqual(await listed(), ['A', 'B', 'C']);
    });

    it('[K-6] [TR-8] the log marks a save that was undone since, and not before it was', async () => {
      const memory = await engine.open(fixed());
      await memory.mama.save({ topic: 'one', decision: 'A' });
      await memory.mem.save({ title: 'Two', content: 'B' });
      const { entries: saved } = await memory.timeline({});
      await memory.undo({ last: 2 });
      const marked = async (input: object) =>
        (await memory.timeline(input)).entries.map(({ what, removed }) => [what, removed ?? false]);
      assert.deepEqual(await marked({ kind: ['decision', 'observation'] }), [
        ['undone', false],
        ['noted', true],
        ['decided', true],
      ]);
      assert.deepEqual(await marked({ as_of: saved[0]?.at }), [
        ['noted', false],
        ['decided', false],
      ]);
      await memory.undo({ redo: true, last: 2 });
      const now = await marked({ kind: ['decision', 'observation'] });
      assert.deepEqual(now.at(-2), ['noted', false]);
    });

    it('[T-6] [O-9] what holds alongside of what failed does not build on it, and the log says that it was linked', async () => {
      const memory = await engine.open(fixed());
      const { id } = await memory.mama.save({ topic: 'log:format', decision: 'JSON' });
      await memory.mama.save({ topic: 'log:where', decision: 'A file', reasoning: 'One machine' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'too long' });
      const reasoning = `One machine\nalongside: ${id}`;
      await memory.decision.revise({ id: 'log:where', reasoning, tidy: true });
      const { decision } = await memory.decision.get({ id: 'log:where' });
      assert.deepEqual([decision.failedBasis, decision.tidied?.how], [undefined, 'linked']);
      assert.equal((await memory.decision.list({ filter: 'is:failed-basis' })).total, 0);
      const { entries } = await memory.timeline({ topic: 'log:where' });
      assert.equal(entries[0]?.what, 'linked');
      await memory.mama.save({ topic: 'log:rate', decision: 'All', reasoning: `builds_on: ${id}` });
      assert.equal((await memory.decision.list({ filter: 'is:failed-basis' })).total, 1);
    });

    it('[K-6] [D-7] evidence that was undone can be attached again', async () => {
      const memory = await engine.open();
      const draft = { topic: 'auth', decision: 'JWT' };
      await memory.mama.save(draft);
      await memory.mama.save({ ...draft, evidence: ['measured in March'] });
      await memory.undo();
      assert.deepEqual((await memory.decision.get({ id: 'auth' })).evidence, []);
      assert.equal((await memory.mama.search({ query: 'JWT' })).results[0]?.evidence, 0);
      await memory.mama.save({ ...draft, evidence: ['measured in March'] });
      const { evidence } = await memory.decision.get({ id: 'auth' });
      assert.deepEqual(
        evidence.map(({ content }) => content),
        ['measured in March'],
      );
    });

    it('[K-6] a mistake that failed is not shown beside the version that answers', async () => {
      const memory = await mistakeWithEvidence(engine);
      await memory.mama.update({ id: 'net:retry@1', outcome: 'failed', reason: 'oops' });
      await memory.mama.save({ topic: 'net:retry', decision: 'A load test decides' });
      const { results } = await memory.mama.search({ query: 'load test' });
      assert.deepEqual(
        results.map(({ decision }) => decision),
        ['A load test decides'],
      );
    });

    it('[K-6] what is hung on a mistake, said of it or built on it is warned of', async () => {
      const memory = await engine.openFast(fixed());
      const { id } = await memory.mama.save({ topic: 'a', decision: 'A' });
      const { evidence } = await memory.evidence.save({ decisionRef: 'a', content: 'sound' });
      const sound = await memory.anchor.save({ hint: 'h', targetRef: id, type: 'decision_link' });
      assert.equal(sound.warnings, undefined);
      for (let each = 0; each < 3; each++) await memory.undo();
      const own = await memory.evidence.save({ decisionRef: id, content: 'e' });
      const anchor = await memory.anchor.save({ hint: 'h', targetRef: id, type: 'decision_link' });
      const indirect = await memory.anchor.save({
        hint: 'h',
        targetRef: own.evidence.id,
        type: 'evidence_link',
      });
      const update = await memory.mama.update({ id, outcome: 'failed', reason: 'oops' });
      const onMistake = await memory.anchor.save({
        hint: 'h',
        targetRef: evidence.id,
        type: 'evidence_link',
      });
      for (const { warnings } of [own, anchor, indirect, update, onMistake]) {
        assert.match(String(warnings), new RegExp(`${id} was undone as a mistake`));
      }
      const again = await memory.mama.update({ id, outcome: 'success' });
      assert.equal(again.warnings?.length, 2, 'beside other warnings');
      const built = await memory.mama.save({ topic: 'c', decision: 'C', reasoning: `builds_on: ${id}` });
      assert.match(String(built.warnings), /was undone as a mistake, and nothing is active in its place/);
    });

    it('[K-6] [O-8] [O-9] that a mistake failed warns no later version, and none that builds on it', async () => {
      const memory = await engine.openFast(fixed());
      const { id } = await memory.mama.save({ topic: 'z', decision: 'z wrong' });
      await memory.mama.save({ topic: 'user', decision: 'u', reasoning: `builds_on: ${id}` });
      await memory.undo();
      await memory.undo();
      await memory.mama.update({ id, outcome: 'failed', reason: 'oops' });
      const built = await memory.decision.save({
        topic: 'user',
        text: 'uses z',
        reasoning: `builds_on: ${id}`,
      });
      assert.deepEqual(built.decision.failedBasis ?? [], []);
      assert.equal((await memory.decision.list({ failedBasis: true })).total, 0);
      const { decision, warnings } = await memory.decision.save({ topic: 'z', text: 'z right' });
      assert.equal(decision.earlierFailure, undefined);
      assert.doesNotMatch(String(warnings), /failed/);
    });

    it('[K-6] [U-4] the picture of keywords counts no memo that was taken back', async () => {
      const memory = await engine.openFast(fixed());
      await memory.memo.save({ fullText: 'a memo', keywords: ['unity'] });
      await memory.memo.save({ fullText: 'another', keywords: ['unity'] });
      const memos = async () => {
        const all = await memory.keyword.graph();
        const near = await memory.keyword.graph({ around: 'unity' });
        return [...all.nodes, ...near.nodes].map((node) => node.memos);
      };
      assert.deepEqual(await memos(), [2, 2]);
      await memory.undo();
      assert.deepEqual(await memos(), [1, 1]);
    });
  });
}
