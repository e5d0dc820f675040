import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { readPrompt } from '../src/domain/prompt/reading.ts';
import { promptContext } from '../src/hook/context.ts';
import { type Briefing, openBriefing } from '../src/memory/briefing.ts';
import { openMemory } from '../src/memory/memory.ts';
import { scratch } from './support/engines.ts';
import { type GateMemory, type Judged, openGateMemory } from './support/gate.ts';
import { saveHistories } from './support/history.ts';

interface Half {
  /** Prompts of any project, which must be answered with nothing. */
  generic: string[];
  /** Prompts about decisions of the histories, by their keys. */
  telling: { prompt: string; expect: string[] }[];
}
/** They were written before the gate, and the held half was not looked at while it was tuned. */
const HALVES = ['tune', 'held'].map(
  (name): Half => JSON.parse(readFileSync(`bench/data/prompts/${name}.json`, 'utf8')),
);
const TOLD = 0.7;

describe('the gate of prompts', () => {
  let briefing: Briefing;
  let topics: Map<string, string>;

  const db = `${scratch()}/why.db`;

  before(async () => {
    const memory = await openMemory({ db });
    topics = await saveHistories(memory, ['backend', 'product']);
    await memory.close();
    briefing = await openBriefing({ db, workspace: 'why', session: 'gate', client: 'test' });
  });

  after(() => briefing.close());

  /** The lines that are told with a prompt. */
  async function told(prompt: string): Promise<string[]> {
    const about = await briefing.about(readPrompt(prompt), new Set());
    const ids = promptContext(about, 0).shown;
    return about.facts.filter(({ id }) => ids.includes(id)).map(({ line }) => line);
  }

  it('[A-3] generic prompts get nothing', async () => {
    for (const prompt of HALVES.flatMap(({ generic }) => generic))
      assert.deepEqual(await told(prompt), [], prompt);
  });

  it('[A-3] of the telling prompts, the right record is among what is shown for 70 %', async (test) => {
    const right = [];
    for (const { telling } of HALVES) {
      let count = 0;
      for (const { prompt, expect } of telling) {
        const wanted = expect.map((key) => topics.get(key) ?? assert.fail(`no decision ${key}`));
        const lines = await told(prompt);
        assert(lines.length <= 3);
        if (lines.some((line) => wanted.some((topic) => line.includes(` ${topic}: `)))) count++;
      }
      right.push(count);
    }
    const all = HALVES.flatMap(({ telling }) => telling).length;
    test.diagnostic(`right for ${right.join(' and ')} of ${all} telling prompts, tuned and held`);
    assert(right.reduce((sum, count) => sum + count, 0) >= TOLD * all, String(right));
  });
});

/**
 * Floors over bench/data/gate, which `node bench/gate.ts` measures whole. The aim is that one generic prompt of 60 at most gets
 * anything, which holds, and 70 % of the telling ones what is right, which words reach at 500 records and not at 5,000: without
 * any gate the right record is among the first three answers of the search for 79 % and 75 % (ADR 0068).
 */
const FLOORS = [
  { files: ['tune', 'spent'], generic: 99, most: 1, right: [0.69, 0.64] },
  { files: ['more'], generic: 160, most: 2, right: [0.53, 0.51] },
  { files: ['fresh'], generic: 60, most: 1, right: [0.68, 0.64] },
] as const;

describe('the gate of prompts, on a memory that was written without knowing how it matches', () => {
  for (const [at, records] of [['memory-500'], ['memory-500', 'memory-5000']].entries()) {
    describe(`of ${records.at(-1)}`, () => {
      const db = `${scratch()}/gate.db`;
      let memory: GateMemory;

      before(async () => {
        memory = await openGateMemory(db, records);
      });

      after(() => memory.close());

      for (const { files, generic, most, right } of FLOORS)
        it(`[A-3] of ${generic} generic prompts ${most} at most get anything, and the telling ones what is right: ${files.join(', ')}`, async (test) => {
          const judged: Judged[] = [];
          for (const file of files) judged.push(await memory.judge(file));
          const of = (key: 'noise' | 'right' | 'wrong') => judged.flatMap((each) => each[key]);
          const shown = of('right').length;
          const telling = shown + of('wrong').length;
          test.diagnostic(`${of('noise').length} generic; ${shown} of ${telling} telling`);
          assert(of('noise').length <= most, JSON.stringify(of('noise')));
          assert(shown / telling >= (right[at] as number), `${shown} of ${telling}`);
        });
    });
  }
});
