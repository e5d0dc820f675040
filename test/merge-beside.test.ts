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

/**
 * Takes in a source, while somebody saves after each plan.
 * @returns how many plans were made, and how many of them while others had to wait
 */
async function beside(
  engine: EngineUnderTest,
  save: (other: Memory, plan: number) => unknown,
  facts: Facts = FACTS,
  first: (other: Memory) => unknown = () => {},
) {
  const place = engine.place();
  const other = await openMemory(place);
  await first(other);
  const store = storeOn(await openRaw(place));
  let plans = 0;
  let alone = 0;
  let isAlone = false;
  const counted = () => {
    // Told with the first fact of each plan.
    plans++;
    if (isAlone) alone++;
  };
  const merged = await merge(
    {
      async read(work) {
        const plan = await store.read(WRITER, work);
        await save(other, plans);
        return plan;
      },
      write: (work) => {
        isAlone = true;
        return store.write(WRITER, work).finally(() => {
          isAlone = false;
        });
      },
    },
    facts,
    (done) => done === 0 && counted(),
  );
  return { merged, plans, alone, other };
}

for (const engine of engines) {
  describe(`what others save while an import is planned, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-3] comes before it: numbers that were taken are not given out again, and one plan will do', async () => {
      const { plans, other } = await beside(engine, async (memory) => {
        await memory.mama.save({ topic: 'own', decision: 'saved meanwhile', evidence: ['minutes'] });
        await memory.mem.save({ title: 'own', content: 'saved meanwhile', topic_key: 'own' });
      });
      assert.equal(plans, 1);
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

    it('[I-3] is seen where it matters: a version, a topic, a topic key, a change of what is followed', async () => {
      const onTopic = await beside(engine, (memory, plan) =>
        plan === 1 ? memory.mama.save({ topic: 'AUTH', decision: 'meanwhile' }) : undefined,
      );
      assert.equal(onTopic.plans, 2);
      assert.deepEqual(
        (await rowsOf(onTopic.other, 'decisions')).map(({ version, topic }) => [version, topic]).sort(),
        [1, 2, 3].map((version) => [version, 'AUTH']),
      );
      const onKey = await beside(engine, (memory, plan) =>
        plan === 1 ? memory.mem.save({ title: 'mine', content: 'mine', topic_key: 'one' }) : undefined,
      );
      assert.equal(onKey.plans, 2);
      assert.match(onKey.merged.warnings.join('\n'), /without its topic key "one"/);
      const followed = await beside(
        engine,
        (memory, plan) => (plan === 1 ? memory.mem.update({ id: 1, content: 'changed here' }) : undefined),
        found({ observations: [observed('one', 1, { content: 'changed there' })] }),
        (memory) => memory.merge(found({ observations: [observed('one', 1)] })),
      );
      assert.equal(followed.plans, 2);
      assert.equal(followed.merged.conflicts.length, 1);
      const gone = await beside(
        engine,
        (memory, plan) => (plan === 1 ? memory.unmerge('test') : undefined),
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
    it('[I-3] waits for a small part of it: 5,000 records are looked at before, and only written after', async () => {
      const place = engine.place();
      const store = storeOn(await openRaw(place));
      const lookedAt = { before: 0, meanwhile: 0 };
      let part: keyof typeof lookedAt = 'before';
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
          lookedAt[part]++;
        },
      );
      assert.deepEqual([merged.decisions.new, merged.observations.new, merged.unresolved], [1750, 1850, []]);
      // Making plans anew looks at no record: PostgreSQL is told so with every two hundred rows that are written.
      const reads = statements.filter(
        ({ text }) => !/^\s*(insert|update|delete|discard plans)\b/i.test(text),
      );
      assert(lookedAt.before > 0);
      assert.equal(lookedAt.meanwhile, 0);
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

    it('[I-3] never keeps an import from coming: overtaken again and again, it is planned while others wait', async () => {
      const { plans, alone, other } = await beside(engine, (memory, plan) =>
        memory.mama.save({ topic: 'auth', decision: `meanwhile ${plan}` }),
      );
      assert.deepEqual([plans, alone], [4, 1]);
      const versions = (await rowsOf(other, 'decisions')).map(({ version }) => Number(version));
      assert.deepEqual(versions.sort(), [1, 2, 3, 4, 5]);
      assert.deepEqual((await other.inspect()).problems, []);
      await other.close();
    });
  });
}
