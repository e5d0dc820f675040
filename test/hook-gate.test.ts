import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { readPrompt } from '../src/domain/prompt/reading.ts';
import { promptContext } from '../src/hook/context.ts';
import { type Briefing, openBriefing } from '../src/memory/briefing.ts';
import { openMemory } from '../src/memory/memory.ts';
import { scratch } from './support/engines.ts';
import { type GateMemory, openGateMemory } from './support/gate.ts';
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
    const ids = promptContext(about, 0).told;
    return about.facts.filter(({ id }) => ids.includes(id)).map(({ line }) => line);
  }

  it('[A-3] generic prompts get nothing', async () => {
    for (const prompt of HALVES.flatMap(({ generic }) => generic))
      assert.deepEqual(await told(prompt), [], prompt);
  });

  it('[A-3] of the telling prompts, the right record is among what is told for 70 %', async (test) => {
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
 * Floors over bench/data/gate, which `node bench/gate.ts --held` measures whole. The aim is that one generic prompt at most
 * gets anything, which holds, and 70 % of the telling ones what is right, which words alone do not reach there: without any
 * gate the right record is among the first three answers of the search for 77 % at 500 records and 73 % at 5,000 (ADR 0061).
 */
describe('the gate of prompts, on a memory that was written without knowing how it matches', () => {
  for (const { records, files, right, longer } of [
    { records: 500, files: ['memory-500'], right: 0.66, longer: 0.5 },
    { records: 5_000, files: ['memory-500', 'memory-5000'], right: 0.6, longer: 0.45 },
  ]) {
    describe(`of ${records} records`, () => {
      const db = `${scratch()}/gate.db`;
      let memory: GateMemory;

      before(async () => {
        memory = await openGateMemory(db, files);
      });

      after(() => memory.close());

      it('[A-3] of 99 generic prompts one at most gets anything, and the telling ones what is right', async (test) => {
        const halves = [await memory.judge('tune'), await memory.judge('held')];
        const of = (key: 'noise' | 'right' | 'wrong') => halves.flatMap((half) => half[key]);
        const told = of('right').length;
        const telling = told + of('wrong').length;
        test.diagnostic(`${of('noise').length} generic; ${told} of ${telling} telling`);
        assert(of('noise').length <= 1, JSON.stringify(of('noise')));
        assert(told >= right * telling, `${told} of ${telling}`);
      });

      it('[A-3] of 160 longer generic prompts two at most get anything, and the telling ones what is right', async (test) => {
        const more = await memory.judge('more');
        const told = more.right.length;
        const telling = told + more.wrong.length;
        test.diagnostic(`${more.noise.length} generic; ${told} of ${telling} telling`);
        assert(more.noise.length <= 2, JSON.stringify(more.noise));
        assert(told >= longer * telling, `${told} of ${telling}`);
      });
    });
  }
});
