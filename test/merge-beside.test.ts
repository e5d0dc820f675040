import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import { type Memory, openMemory } from '../src/index.ts';
import { merge } from '../src/store/merge/merge.ts';
import { type EngineUnderTest, engines, optionsOf } from './support/engines.ts';
import { decided, found, observed, rowsOf } from './support/facts.ts';
import { manyFacts } from './support/many-facts.ts';
import { openRaw, storeOn } from './support/raw-engine.ts';
import { type Statement, statementsOf } from './support/statements.ts';

const WRITER = { author: '', host: '', client: 'test', session: 'test' };
const FACTS = found({
  decisions: [decided('a', 1), decided('b', 2)],
  observations: [observed('one', 1), observed('two', 2)],
  relations: [{ key: 'r', at: 0, from: 'one', to: 'two', type: 'causes', note: null }],
});

/** Takes in a source, while somebody saves after its texts were analysed. @param first what was saved before */
async function beside(
  engine: EngineUnderTest,
  save: (other: Memory) => unknown,
  facts: Facts = FACTS,
  first: (other: Memory) => unknown = () => {},
) {
  const place = engine.place();
  const other = await openMemory(place);
  await first(other);
  const store = storeOn(await openRaw(place));
  const merged = await merge(
    {
      async read(work) {
        const read = await store.read(WRITER, work);
        await save(other);
        return read;
      },
      write: (work) => store.write(WRITER, work),
    },
    facts,
  );
  return { merged, other };
}

for (const engine of engines) {
  describe(`what others save while an import is made ready, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-3] comes before it: numbers that were taken are not given out again', async () => {
      const { other } = await beside(engine, async (memory) => {
        await memory.mama.save({ topic: 'own', decision: 'saved meanwhile', evidence: ['minutes'] });
        await memory.mem.save({ title: 'own', content: 'saved meanwhile', topic_key: 'own' });
      });
      const observations = await rowsOf(other, 'observations');
      assert.deepEqual(
        observations.map(({ id, title }) => [id, title]),
        [
          [1, 'own'],
          [2, 'one'],
          [3, 'two'],
        ],
      );
      const [relation] = await rowsOf(other, 'relations');
      assert.deepEqual([relation?.fromId, relation?.toId], [2, 3]);
      const records = (await rowsOf(other, 'records')).map(({ seq }) => seq);
      assert.deepEqual(records, [1, 2, 3, 4, 5, 6, 7]);
      const writers = new Map((await rowsOf(other, 'writers')).map(({ id, client }) => [id, client]));
      assert.deepEqual(
        observations.slice(1).map(({ writer }) => writers.get(writer)),
        Array(2).fill('import:test'),
      );
      const origins = await rowsOf(other, 'origins');
      assert.deepEqual(origins.map(({ recordSeq }) => recordSeq).sort(), [4, 5, 6, 7, null]);
      assert.equal((await other.search({ query: 'about two' })).results[0]?.title, 'two');
      assert.deepEqual((await other.inspect()).problems, []);
      assert.equal((await other.mem.save({ title: 'next', content: 'next' })).id, 4);
      await other.close();
    });

    it('[I-3] is seen: a version, a topic, a topic key, a change of what is followed', async () => {
      const onTopic = await beside(engine, (memory) =>
        memory.mama.save({ topic: 'AUTH', decision: 'meanwhile' }),
      );
      assert.deepEqual(
        (await rowsOf(onTopic.other, 'decisions')).map(({ version, topic }) => [version, topic]).sort(),
        [1, 2, 3].map((version) => [version, 'AUTH']),
      );
      const onKey = await beside(engine, (memory) =>
        memory.mem.save({ title: 'mine', content: 'mine', topic_key: 'one' }),
      );
      assert.match(onKey.merged.warnings.join('\n'), /without its topic key "one"/);
      const followed = await beside(
        engine,
        (memory) => memory.mem.update({ id: 1, content: 'changed here' }),
        found({ observations: [observed('one', 1, { content: 'changed there' })] }),
        (memory) => memory.merge(found({ observations: [observed('one', 1)] })),
      );
      assert.equal(followed.merged.conflicts.length, 1);
      const gone = await beside(
        engine,
        (memory) => memory.unmerge('test'),
        FACTS,
        (memory) => memory.merge(FACTS),
      );
      assert.equal(gone.merged.decisions.new, 2);
      for (const { other } of [onTopic, onKey, followed, gone]) {
        assert.deepEqual((await other.inspect()).problems, []);
        await other.close();
      }
    });
  });

  // Alone: statements are counted, which are those of the whole process.
  describe(`how long others wait for an import, on ${engine.name}`, {
    ...optionsOf(engine),
    concurrency: 1,
  }, () => {
    it('[I-3] is for a part of it: texts are analysed before, and of 5,000 records few are looked up after', async () => {
      const place = engine.place();
      const store = storeOn(await openRaw(place));
      const analysed = { before: 0, meanwhile: 0 };
      let part: keyof typeof analysed = 'before';
      let statements: Statement[] = [];
      const merged = await merge(
        {
          read: (work) => store.read(WRITER, work),
          async write(work) {
            part = 'meanwhile';
            let result: Awaited<ReturnType<typeof work>> | undefined;
            statements = await statementsOf(async () => {
              result = await store.write(WRITER, work, { patience: 'unhurried' });
            });
            return result as Awaited<ReturnType<typeof work>>;
          },
        },
        manyFacts(5_000),
        () => {
          analysed[part]++;
        },
      );
      assert.deepEqual([merged.decisions.new, merged.observations.new, merged.unresolved], [1750, 1850, []]);
      // Making plans anew looks at no record: PostgreSQL is told so with every two hundred rows that are written.
      const reads = statements.filter(
        ({ text }) => !/^\s*(insert|update|delete|discard plans)\b/i.test(text),
      );
      assert(analysed.before > 0);
      assert.equal(analysed.meanwhile, 0);
      assert(reads.length <= 50, reads.map(({ text }) => text).join('\n'));
      const memory = await openMemory(place);
      const { problems, records } = await memory.inspect();
      assert.deepEqual(problems, []);
      assert.equal(
        Object.values(records).reduce((sum, count) => sum + count),
        5_000,
      );
      await memory.close();
    });
  });
}
