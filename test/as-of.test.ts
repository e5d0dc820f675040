import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Memory, openMemory } from '../src/index.ts';
import { asOf } from '../src/store/past/as-of.ts';
import { countRows } from '../src/store/rows.ts';
import { TABLE_NAMES, type Table } from '../src/store/tables.ts';
import {
  answerOf,
  life,
  Made,
  type Question,
  questionsOf,
  type Step,
  searches,
  take,
  unranked,
} from './support/as-of-life.ts';
import { type EngineUnderTest, enginesInTurn, fixed, optionsOf } from './support/engines.ts';
import { IS_DEEP, inTurn, runs } from './support/part.ts';
import { openRaw, storeOn } from './support/raw-engine.ts';

const START = Date.UTC(2026, 0, 1);

/** A memory on a clock that the test moves. */
async function onClock(engine: EngineUnderTest) {
  const time = { now: START };
  const memory = await engine.openFast({ newId: fixed().newId, clock: () => time.now });
  return { memory, time };
}

/** Tables that no answer about the past reads. */
const OF_TODAY: Table[] = ['keywordRelations', 'keywordConnections', 'conversations', 'vectors', 'saves'];

type Noted = Map<number, { question: Question; answer: string }[]>;

/**
 * Lives a life, and notes what is answered about every so many of its moments.
 * @param ask what is asked; of what happens in one millisecond, only the last is still true of it
 */
async function live(
  memory: Memory,
  time: { now: number },
  steps: Step[],
  every: number,
  ask: (made: Made, index: number) => Question[],
): Promise<Noted> {
  const made = new Made();
  const noted: Noted = new Map();
  for (const [index, each] of steps.entries()) {
    time.now += each.after;
    await take(memory, each, made);
    noted.delete(time.now);
    if (index % every !== 0) continue;
    const answers = [];
    for (const question of ask(made, index))
      answers.push({ question, answer: await answerOf(memory, question) });
    noted.set(time.now, answers);
  }
  return noted;
}

/** Compares what a memory says of its past with what it said then. @returns how many answers were compared */
async function compare(
  memory: Memory,
  noted: Noted,
  read: (answer: string) => unknown = (answer) => answer,
): Promise<number> {
  for (const [at, answers] of noted)
    for (const { question, answer } of answers)
      assert.deepEqual(
        read(await answerOf(memory, question, at)),
        read(answer),
        `${question.name} ${JSON.stringify(question.given)} at ${new Date(at).toISOString()}`,
      );
  return [...noted.values()].flat().length;
}

for (const engine of enginesInTurn(0)) {
  describe(`as it stood, on ${engine.name}`, { ...optionsOf(engine), concurrency: 1 }, () =>
    asItStood(engine),
  );
}

function asItStood(engine: EngineUnderTest): void {
  it('[U-5] before the first save no table has a row: each has a view', async () => {
    const place = engine.place();
    const memory = await openMemory({ ...place, clock: () => START });
    const made = new Made();
    for (const each of fc.sample(life(150), { numRuns: 1, seed: 3 })[0] ?? []) await take(memory, each, made);
    await memory.close();
    const store = storeOn(await openRaw(place));
    await store.read({ author: '', host: '', client: '', session: '' }, async (tx) => {
      // Outcomes of one decision have a millisecond each, though the clock stands still.
      const [before, then] = [await asOf(tx, START - 1), await asOf(tx, START + 1000)];
      // Saves say when what has an earlier date was recorded.
      for (const table of TABLE_NAMES.filter((each) => each !== 'saves'))
        assert.equal(await countRows(before, table), 0, table);
      for (const table of TABLE_NAMES.filter((each) => !OF_TODAY.includes(each)))
        assert.equal(await countRows(then, table), await countRows(tx, table), table);
    });
  });

  it('[U-5] whatever happens, every listing and record answers about each moment what it answered then', async () => {
    await fc.assert(
      fc.asyncProperty(life(60), async (steps) => {
        const { memory, time } = await onClock(engine);
        // Each of three moments is asked another third.
        const noted = await live(memory, time, steps, 8, (made, index) =>
          questionsOf(made).filter((_, number) => number % 3 === (index / 8) % 3),
        );
        time.now += 1_000;
        await compare(memory, noted);
        await memory.close();
      }),
      { ...runs(4, 20260102), endOnFailure: true },
    );
  });

  it('[U-5] [J-3] a search and recall find of a moment what they found then, among hundreds of records', async () => {
    const { memory, time } = await onClock(engine);
    const [length, every] = IS_DEEP ? [1_800, 290] : [600, 130];
    const steps = fc.sample(life(length), { numRuns: 1, seed: 5 })[0] ?? [];
    const noted = await live(memory, time, steps, every, (_, index) =>
      inTurn(['token 세션', 'cookie retry queue'], index / every).flatMap(searches),
    );
    time.now += 1_000;
    const { entries } = await memory.timeline({ limit: 1_000 });
    assert(entries.length >= (IS_DEEP ? 1_000 : 350), `${entries.length} entries`);
    assert(noted.size >= 3, `${noted.size} moments`);
    await compare(memory, noted, unranked);
  });
}
