import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyCases } from '../bench/retrieval/history.ts';
import { type Question, qualityOf } from '../bench/retrieval/score.ts';
import { type Embedder, unitVector } from '../src/embedding/embedder.ts';
import { type Memory, openMemory } from '../src/index.ts';
import { scratch } from './support/engines.ts';
import { inTurn } from './support/part.ts';
import { generator } from './support/random.ts';

const NUMBERS = 64;

/** A direction for each text, always the same, that has nothing to do with what the text says. */
function direction(text: string): number[] {
  let seed = 7;
  for (const character of text) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  const random = generator(seed);
  return Array.from({ length: NUMBERS }, () => random() - 0.5);
}

function model(name: string, vectorOf: (text: string) => number[]): Embedder {
  return {
    model: name,
    embed: async (texts) => texts.map((text) => unitVector(vectorOf(text)) as Float32Array),
  };
}

/** It understands nothing: any text may be near to any other. */
const bad = model('bad', direction);
/** Made for another language: all texts are nearly the same to it. */
const foreign = model('foreign', (text) =>
  direction(text).map((value, place) => value + (place === 0 ? 20 : 0)),
);
/** To it a question or a topic is near to what is decided, and to little else. @param answers what is decided, by question */
function good(answers: Map<string, string>): Embedder {
  const decided = new Set(answers.values());
  const meantBy = (text: string) => answers.get(text) ?? [...decided].find((each) => text.includes(each));
  return model('good', (text) => {
    const meant = direction(meantBy(text) ?? text);
    return direction(`as it is said: ${text}`).map((value, place) => value + 2 * (meant[place] ?? 0));
  });
}

describe('models in the ranking, on the history of a smart farm', () => {
  const db = `${scratch()}/farm.db`;
  const open = (embedder?: Embedder) => openMemory({ db, ...(embedder && { embedder }) });

  async function furnish(): Promise<Question[]> {
    let memory: Memory | undefined;
    const [farm] = historyCases(['bench/data/farm.jsonl']);
    const questions = await farm?.fill(async () => {
      await memory?.close();
      const next = await open();
      memory = next;
      return (name, input) => next.call(name, input);
    });
    await memory?.close();
    // A list of entries within a budget is another matter.
    return (questions ?? []).filter(({ tool }) => tool !== 'recall');
  }

  async function quality(questions: Question[], embedder?: Embedder) {
    const memory = await open(embedder);
    if (embedder) assert.equal((await memory.embed()).missing, 0);
    const results = [];
    for (const question of questions) {
      const answer = await memory.call(question.tool, { query: question.query, limit: 50 });
      const rows = answer.results as { id: string | number }[];
      const found = rows.map(({ id }) => (typeof id === 'number' ? `#${id}` : id));
      results.push({ question, found, broken: [] });
    }
    await memory.close();
    return qualityOf(results);
  }

  it('[S-4] [Q-5] a good one finds more, and one that is bad or made for another language costs nothing once it was tried', async (test) => {
    const questions = await furnish();
    const words = await quality(questions);
    const answers = new Map<string, string>();
    const memory = await open();
    for (const { query, expected } of questions) {
      const [id = ''] = expected;
      if (id.startsWith('#')) continue;
      const { decision } = await memory.decision.get({ id });
      answers.set(query, decision.text);
    }
    for (const { topic, text } of (await memory.decision.list({ limit: 100 })).decisions)
      if (topic !== null) answers.set(topic, text);
    await memory.close();
    for (const each of inTurn([bad, foreign], 0)) {
      const { recallAt10, mrr } = await quality(questions, each);
      test.diagnostic(
        `${each.model}: ${recallAt10} and ${mrr}, by words ${words.recallAt10} and ${words.mrr}`,
      );
      assert.deepEqual([recallAt10, mrr], [words.recallAt10, words.mrr], each.model);
    }
    const { mrr } = await quality(questions, good(answers));
    test.diagnostic(`good: ${mrr}, by words ${words.mrr}`);
    assert(mrr > words.mrr + 0.05, `good: ${mrr}`);
  });
});
