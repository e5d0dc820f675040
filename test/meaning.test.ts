import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Embedder, EmbedderFault, unitVector } from '../src/embedding/embedder.ts';
import type { Memory } from '../src/index.ts';
import { type EngineUnderTest, engines, optionsOf } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { localModel, muteModel, type Synonyms } from './support/model.ts';
import { until } from './support/until.ts';

const UNREACHABLE = new EmbedderFault('the model is gone', 503);
const missing = async (memory: Memory) => (await memory.embed()).missing;

function meaning(engine: EngineUnderTest): void {
  describe(`search by meaning on ${engine.name}`, optionsOf(engine), () => {
    /** A memory with a model. */
    async function withModel(synonyms: Synonyms = {}) {
      const model = localModel({ synonyms });
      return { model, memory: await engine.open({ embedder: model }) };
    }

    it('finds another word for the same thing, with the cosine apart from the similarity, which is of words alone [Q-4] [Q-5]; without a model only words', async () => {
      const { memory } = await withModel({ automobile: 'car' });
      const car = await memory.mama.save({ topic: 'fleet', decision: 'car' });
      await memory.mama.save({ topic: 'lunch', decision: 'The kitchen opens at noon' });
      const observed = await memory.mem.save({ title: 'car', content: 'car' });
      await until(async () => (await memory.mama.search({ query: 'automobile' })).results[0]?.id === car.id);
      const { results, degraded } = await memory.mama.search({ query: 'automobile' });
      assert.equal(degraded, undefined);
      assert((results[0]?.nearness ?? 0) > 0.5, String(results[0]?.nearness));
      assert.equal(results[0]?.similarity, 0, 'no word of the question');
      assert.equal((await memory.mem.search({ query: 'automobile' })).results[0]?.id, observed.id);
      const { entries, names = [] } = await memory.recall({ task: 'automobile' });
      assert([...entries, ...names].some((each) => JSON.stringify(each).includes(car.id.slice(0, 8))));
      assert((await memory.search({ query: 'automobile' })).results.some(({ id }) => id === car.id));
      const plain = await engine.reopen(memory);
      assert.deepEqual((await plain.mama.search({ query: 'automobile' })).results, []);
    });

    it('[Q-4] a model to which everything is alike is ignored: answers are those of words alone', async () => {
      const constant: Embedder = {
        model: 'constant',
        embed: async (texts) => texts.map(() => Float32Array.of(1, 0, 0, 0)),
      };
      const memory = await engine.open({ embedder: constant });
      for (const title of ['cookie', 'wall', 'queue']) await memory.mem.save({ title, content: title });
      assert.equal(await missing(memory), 0);
      const answers = async (of: Memory) =>
        Promise.all(
          ['wall', 'unheard'].map(async (query) => {
            const { results, answered } = await of.mem.search({ query });
            return {
              answered,
              results: results.map(({ id, similarity, nearness }) => [id, similarity, nearness]),
            };
          }),
        );
      const found = await answers(memory);
      const plain = await engine.reopen(memory);
      assert.deepEqual(found, await answers(plain));
      assert.deepEqual([found[0]?.results.length, found[1]?.results.length], [1, 0]);
    });

    /** Notes whose text has no word of the title. */
    const NOTES = {
      pylon: 'carries the cables',
      hatch: 'a way below deck',
      gravel: 'for paths and drains',
      sextant: 'tells the latitude at sea',
      ledger: 'who owes whom',
      quarry: 'where stone is broken',
      mortar: 'joins two bricks',
      bobbin: 'holds the thread',
      vinegar: 'wine that was left open',
    };
    /** It knows what each title, each text and one question are about. */
    function understanding(size = 16): Embedder & { asked: string[] } {
      const asked: string[] = [];
      const about = (text: string) =>
        Object.entries({ ...NOTES, sextant: 'tells the latitude at sea|a naval instrument' }).findIndex(
          ([title, texts]) => [title, ...texts.split('|')].some((each) => text.includes(each)),
        );
      const vectorOf = (text: string) => {
        const thing = about(text);
        // All texts have something in common, and a strange one has a little of everything.
        const own = Array.from({ length: size }, (_, place) => (place === thing ? 1 : 0.01 * (place % 3)));
        return unitVector([...own, thing < 0 ? 0.7 : 0.8, thing < 0 ? 1 : 0]) as Float32Array;
      };
      return {
        model: 'understanding',
        asked,
        async embed(texts) {
          asked.push(...texts);
          return texts.map(vectorOf);
        },
      };
    }

    async function withNotes(embedder: Embedder) {
      const memory = await engine.open({ embedder });
      for (const [title, content] of Object.entries(NOTES)) await memory.mem.save({ title, content });
      return memory;
    }

    it('[Q-5] embed tries the model: does the title of a record find its text? One that does not is ignored', async () => {
      const good = await withNotes(understanding());
      assert.deepEqual((await good.embed()).tried, { asked: 9, found: 9, weight: 0.9 });
      const found = await good.mem.search({ query: 'a naval instrument' });
      assert.deepEqual([found.results[0]?.title, found.answered], ['sextant', undefined]);
      assert.deepEqual((await good.inspect()).model, {
        name: 'understanding',
        asked: 9,
        found: 9,
        weight: 0.9,
      });

      // To it a title is near to any text but its own.
      let text = 0;
      const bad: Embedder = {
        model: 'bad',
        embed: async (texts, purpose) =>
          texts.map(() => {
            const place = (text++ + (purpose === 'passage' ? 1 : 0)) % 9;
            return Float32Array.from({ length: 9 }, (_, at) => (at === place ? 1 : 0));
          }),
      };
      const memory = await engine.reopen(good, { embedder: bad });
      assert.equal((await memory.embed()).tried?.weight, 0);
      const answersOf = async (of: Memory) =>
        Promise.all(['a naval instrument', 'thread', 'pylon'].map((query) => of.mem.search({ query })));
      const answers = await answersOf(memory);
      assert.deepEqual(answers, await answersOf(await engine.reopen(memory)));
    });

    it('[T-9] what nothing answers is said to be unanswered, with a model too', async () => {
      const memory = await withNotes(understanding());
      assert.equal((await memory.embed()).missing, 0);
      const { results, answered } = await memory.mem.search({ query: 'parental leave' });
      assert(results.length > 0 && results.length <= 10, 'the nearest are shown');
      assert.equal(answered, false);
      assert.equal((await memory.recall({ task: 'parental leave' })).answered, false);
      assert.equal((await memory.search({ query: 'parental leave' })).answered, false);
      assert.equal((await memory.mem.search({ query: 'a naval instrument' })).answered, undefined);
    });

    it('[Q-5] a model is tried once, and anew when its vectors have another size, or after a repair', async () => {
      const model = understanding();
      const memory = await withNotes(model);
      await memory.embed();
      const trialsOf = async (of: Memory, by: typeof model) => {
        by.asked.length = 0;
        await of.embed();
        return by.asked.filter((text) => text === 'bobbin').length;
      };
      assert.equal(await trialsOf(memory, model), 0);
      await memory.repair();
      assert.equal(await trialsOf(memory, model), 1);
      const larger = understanding(20);
      assert.equal(await trialsOf(await engine.reopen(memory, { embedder: larger }), larger), 1);
    });

    it('a decision is found by the meaning of its evidence', async () => {
      const { memory } = await withModel({ automobile: 'car' });
      const { id } = await memory.mama.save({
        topic: 'fleet',
        decision: 'Lease, do not buy',
        evidence: ['car'],
      });
      assert.equal(await missing(memory), 0);
      assert.equal((await memory.mama.search({ query: 'automobile' })).results[0]?.id, id);
    });

    it('a save never waits for the model, and what it has not seen yet is found by its words', async (test) => {
      const mute = muteModel();
      test.after(() => mute.giveUp());
      const memory = await engine.open({ embedder: mute });
      for (let n = 0; n < 10; n++) await memory.mem.save({ title: `note ${n}`, content: `number ${n}` });
      assert.equal(mute.signals.length, 1, 'it was asked, and has not answered');
      const again = await engine.reopen(memory, { embedder: localModel() });
      const { results, degraded } = await again.mem.search({ query: 'note' });
      assert.deepEqual([results.length, degraded], [10, undefined]);
    });

    it('embed fills in what is missing, goes on after a failure, and leaves out what the model refuses', async () => {
      const { memory, model } = await withModel();
      model.fail = UNREACHABLE;
      for (let n = 0; n < 150; n++) await memory.mem.save({ title: `note ${n}`, content: `number ${n}` });
      await refuses(memory.embed(), 'unavailable', 'model');
      model.fail = undefined;
      const stop = new AbortController();
      let seen = 0;
      const { missing: left } = await memory.embed((done) => {
        seen = done;
        if (done > 0) stop.abort();
      }, stop.signal);
      assert(left > 0 && seen > 0, `${left} left`);
      const counted: number[] = [];
      assert.equal((await memory.embed((done) => counted.push(done))).missing, 0);
      assert(counted[0] === 150 - left && counted.at(-1) === 150, 'it went on from where it stopped');

      model.asked.length = 0;
      assert.equal((await memory.embed()).missing, 0);
      assert.deepEqual(model.asked, [['size']], 'nothing is embedded twice');
    });

    it('a text that the model refuses does not keep the others from it', async () => {
      let refusing = true;
      const embedder: Embedder = {
        model: 'picky',
        async embed(texts) {
          if (refusing && texts.some((text) => text.includes('one'))) throw new EmbedderFault('no', 413);
          return texts.map(() => Float32Array.of(1, 0));
        },
      };
      const memory = await engine.open();
      for (const title of ['one', 'two', 'three']) await memory.mem.save({ title, content: title });
      const picky = await engine.reopen(memory, { embedder });
      assert.equal((await picky.embed()).missing, 1);
      refusing = false;
      assert.equal((await picky.embed()).missing, 0, 'it is tried again the next time');
    });

    it('what has no vector yet is not hidden by what has one', async () => {
      const { memory, model } = await withModel();
      for (let n = 0; n < 60; n++)
        await memory.mem.save({ title: `gateway ${n}`, content: `The gateway of ${n}` });
      assert.equal(await missing(memory), 0);
      model.fail = UNREACHABLE;
      const { id } = await memory.mem.save({
        title: 'limit',
        content: 'The gateway waits 30 seconds; ZX81QQ',
      });
      model.fail = undefined;
      const { results } = await memory.mem.search({ query: 'gateway ZX81QQ' });
      assert.equal(results[0]?.id, id);
      assert((results[0]?.similarity ?? 0) > 0.5, 'by its words');
    });

    it('another size of vectors behind the same name is noticed by embed, which replaces them', async () => {
      const synonyms = { automobile: 'car' };
      const { memory } = await withModel(synonyms);
      const { id } = await memory.mem.save({ title: 'car', content: 'car' });
      assert.equal(await missing(memory), 0);
      const again = await engine.reopen(memory, { embedder: localModel({ dimensions: 32, synonyms }) });
      assert.deepEqual((await again.mem.search({ query: 'automobile' })).results, []);
      const counted: number[] = [];
      await again.embed((done) => counted.push(done));
      assert.deepEqual([counted[0], counted.at(-1)], [0, 1]);
      assert.equal((await again.mem.search({ query: 'automobile' })).results[0]?.id, id);
    });

    it('a question that nothing is near to finds nothing, and nothing is below zero', async () => {
      const { memory } = await withModel();
      for (const title of ['cookie', 'wall', 'queue']) await memory.mem.save({ title, content: title });
      assert.equal(await missing(memory), 0);
      for (const query of ['zzzz qqqq', '???', 'wall']) {
        const { results, total } = await memory.mem.search({ query });
        assert(
          results.every(({ similarity, nearness = 0 }) => similarity > 0 || nearness >= 0.25),
          query,
        );
        assert(total >= results.length && total <= 3);
      }
    });

    it('what is private in a question does not reach the model', async () => {
      const { memory, model } = await withModel();
      await memory.mama.search({ query: 'login <private>hunter2</private>' });
      assert.deepEqual(model.asked.at(-1), ['login [REDACTED]']);
    });

    it('a changed text loses its vector, a deleted one is found no more, another model starts over', async () => {
      const synonyms = { automobile: 'car' };
      const { memory } = await withModel(synonyms);
      const { id } = await memory.mem.save({ title: 'car', content: 'car' });
      assert.equal(await missing(memory), 0);
      await memory.mem.update({ id, title: 'kitchen', content: 'soup' });
      assert.equal(await missing(memory), 0);
      const after = await memory.mem.search({ query: 'automobile' });
      assert((after.results[0]?.nearness ?? 0) < 0.5, 'the old meaning is gone');
      const other = await engine.reopen(memory, { embedder: localModel({ model: 'another', synonyms }) });
      const counted: number[] = [];
      await other.embed((done) => counted.push(done));
      assert.deepEqual([counted[0], counted.at(-1)], [0, 1]);
      await memory.delete({ ref: id });
      assert.deepEqual((await other.mem.search({ query: 'soup' })).results, []);
    });

    it('a record that is deleted takes its own vector along, and no other', async () => {
      const { memory } = await withModel();
      const { id } = await memory.mem.save({ title: 'car', content: 'car' });
      await memory.mem.save({ title: 'soup', content: 'soup' });
      assert.equal(await missing(memory), 0);
      await memory.delete({ ref: id });
      const embedded: number[] = [];
      await memory.embed((done) => embedded.push(done));
      assert.equal(embedded[0], 1, 'the other one has its vector still');
    });

    it('filters hold for what is found by meaning, and a blank question asks no model', async () => {
      const { memory, model } = await withModel({ automobile: 'car' });
      await memory.mama.save({ topic: 'fleet:car', decision: 'car' });
      const other = await memory.mama.save({ topic: 'sales:car', decision: 'car' });
      assert.equal(await missing(memory), 0);
      const { results } = await memory.mama.search({ query: 'automobile', domain: 'sales' });
      assert.deepEqual(
        results.map((row) => row.id),
        [other.id],
      );
      const before = model.asked.length;
      await memory.mama.search({});
      await memory.mama.search({ query: '  ' });
      assert.equal(model.asked.length, before);
    });

    it('without a model embed says how to name one', async () => {
      await refuses((await engine.open()).embed(), 'invalid', 'Give openMemory an embedder');
    });
  });
}

for (const engine of engines) meaning(engine);
