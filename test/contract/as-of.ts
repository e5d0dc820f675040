import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const DAY = 86_400_000;
/** Noon, so that no time zone makes another day of it. */
const NOON = Date.UTC(2026, 4, 10, 12);
const iso = (at: number) => new Date(at).toISOString();

/** U-5: what a question about the past is, and what nobody can know of it. `test/as-of.test.ts` compares the answers. */
export function asOf(engine: EngineUnderTest): void {
  describe('as it stood', () => {
    /** A memory on a clock that the test moves, and what it tells beside its answers. */
    async function onClock() {
      const time = { now: NOON };
      const told: string[] = [];
      const log = (message: string) => void told.push(message);
      const memory = await engine.open({ clock: () => time.now, log });
      told.length = 0;
      return { memory, time, told };
    }

    it('[U-5] a day counts whole, a moment to its millisecond, a length of time from now', async () => {
      const { memory, time } = await onClock();
      await memory.mama.save({ topic: 'a', decision: 'one' });
      time.now += DAY;
      await memory.mama.save({ topic: 'a', decision: 'two' });
      time.now += DAY;
      const stood = async (asOf: string) => {
        const { decisions } = await memory.decision.list({ asOf });
        return decisions.map(({ text }) => text);
      };
      assert.deepEqual(await stood('2026-05-09'), []);
      assert.deepEqual(await stood('2026-05-10'), ['one']);
      assert.deepEqual(await stood('2026-05'), ['two']);
      assert.deepEqual(await stood('yesterday'), ['two']);
      assert.deepEqual(await stood('2d'), ['one']);
      assert.deepEqual(await stood(iso(NOON)), ['one']);
      assert.deepEqual(await stood(iso(NOON - 1)), []);
      // Times in a filter are those of then.
      const { decisions } = await memory.decision.list({ asOf: '2d', since: '1h' });
      assert.equal(decisions.length, 1);
    });

    it('[U-5] what is no time, or has not been yet, is refused; what was not there yet is not found, and of when', async () => {
      const { memory, time } = await onClock();
      await memory.mama.save({ topic: 'a', decision: 'one' });
      await refuses(memory.decision.list({ asOf: 'the other day' }), 'invalid', 'as_of', 'the other day');
      await refuses(memory.decision.list({ asOf: '2026-05-11' }), 'invalid', 'has been', '2026-05-11');
      time.now += DAY;
      const before = iso(NOON - 1);
      await refuses(memory.show({ ref: 'a', as_of: before }), 'not_found', `the memory as of ${before}`);
      await refuses(memory.mem.getObservation({ id: 1, as_of: before }), 'not_found', 'the memory as of');
    });

    it('[U-5] a repeat, a link that was found later and a text that was said again are of their own moment', async () => {
      const { memory, time } = await onClock();
      const { id } = await memory.mem.save({ title: 'one', content: 'the text' });
      const given = { topic: 'a', decision: 'A', reasoning: 'builds_on: later:topic' };
      await memory.mama.save(given);
      time.now += 1_000;
      await memory.mem.save({ title: 'one', content: 'the text' });
      await memory.mama.save({ topic: 'later:topic', decision: 'B' });
      time.now += 1_000;
      await memory.mama.save(given);
      await memory.mem.update({ id, title: 'one' });
      const stood = async (at: number) => {
        const { duplicate_count, updated_at } = await memory.mem.getObservation({ id, as_of: iso(at) });
        const { links } = await memory.decision.graph({ asOf: iso(at) });
        return [duplicate_count, updated_at, links.length];
      };
      assert.deepEqual(await stood(NOON), [0, iso(NOON), 0]);
      assert.deepEqual(await stood(NOON + 1_000), [1, iso(NOON), 0]);
      assert.deepEqual(await stood(NOON + 2_000), [1, iso(NOON), 1]);
    });

    it('[U-5] what was deleted for good or redacted is gone from every past', async () => {
      const { memory, time } = await onClock();
      const one = await memory.mem.save({ title: 'one', content: 'the hunter2 of it' });
      const two = await memory.mem.save({ title: 'two', content: 'to be erased' });
      await memory.mem.relate({ from_id: one.id, to_id: two.id, relation_type: 'about', note: 'a note' });
      const { relation_id } = await memory.mem.relate({
        from_id: two.id,
        to_id: one.id,
        relation_type: 'before',
        note: 'another',
      });
      time.now += DAY;
      await memory.mem.unrelate({ relation_id });
      time.now += DAY;
      const then = { as_of: iso(NOON) };
      const related = await memory.mem.relations({ observation_id: one.id, ...then });
      assert.deepEqual(
        [...related.incoming, ...related.outgoing].map(({ type, note }) => [type, note]),
        // The note of a relation is a text, and went with it.
        [
          ['before', null],
          ['about', 'a note'],
        ],
      );
      await memory.delete({ ref: two.id, hard_delete: true });
      await memory.redact(String(one.id), 'hunter2');
      time.now += DAY;
      const { results } = await memory.mem.list(then);
      assert.deepEqual(
        results.map(({ title, content }) => [title, content]),
        [['one', 'the [REDACTED] of it']],
      );
      const rest = await memory.mem.relations({ observation_id: one.id, ...then });
      assert.deepEqual(rest.total, { outgoing: 0, incoming: 0 });
      assert.deepEqual((await memory.search({ query: 'hunter2 erased', ...then })).results, []);
    });

    it('[U-5] a search about the past finds the words of then, and goes by them alone', async () => {
      const time = { now: NOON };
      const embedder = {
        model: 'm',
        embed: async (texts: string[]) => texts.map(() => Float32Array.of(1, 0)),
      };
      const memory = await engine.open({ clock: () => time.now, embedder });
      const { id } = await memory.mem.save({ title: 'clock', content: 'it drifts' });
      time.now += DAY;
      await memory.mem.update({ id, content: 'it is fine' });
      const found = async (query: string, as_of?: string) => {
        const { results, degraded } = await memory.mem.search({ query, as_of });
        return [results.map(({ content }) => content), degraded];
      };
      const alone = 'the past is searched by words alone';
      assert.deepEqual(await found('drifts', iso(NOON)), [['it drifts'], alone]);
      assert.deepEqual(await found('fine', iso(NOON)), [[], alone]);
      assert.deepEqual((await found('fine'))[1], undefined);
      const { degraded } = await memory.recall({ task: 'drifts', as_of: iso(NOON) });
      assert.equal(degraded, alone);
    });
  });
}
