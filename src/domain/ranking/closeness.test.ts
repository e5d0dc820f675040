import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { closeness, tellingTerms, type Weights, weigh } from './closeness.ts';
import { AREA_WEIGHT, COMMON, FEW, REASONING_WEIGHT, SIMILAR_DOCUMENTS, SIMILAR_TERMS } from './weights.ts';

const words = (...terms: string[]): Weights => new Map(terms.map((term) => [term, 1]));
const NONE = words();
const counted = (documents: number, of: Record<string, number>) => ({
  documents,
  of: new Map(Object.entries(of)),
});
const anyWords = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
  .map((terms) => words(...terms));
const anyCounts = fc.record({
  documents: fc.integer({ min: 5, max: 10_000 }),
  of: fc
    .array(fc.integer({ min: 1, max: 5 }), { minLength: 5, maxLength: 5 })
    .map((counts) => new Map(counts.map((count, n) => ['abcde'[n] as string, count]))),
});

describe('closeness', () => {
  it('[W-5] is 1 for the same words, 0 for none in common, and between them for any others', () => {
    fc.assert(
      fc.property(anyWords, anyWords, anyCounts, (one, other, frequencies) => {
        assert.equal(closeness(one, one, frequencies), 1);
        assert.equal(closeness(one, words('z'), frequencies), 0);
        const close = closeness(one, other, frequencies);
        assert.ok(close >= 0 && close <= 1, String(close));
      }),
    );
    assert.equal(closeness(NONE, NONE, counted(1, {})), 0);
  });

  it('[W-5] a rare word that both have brings them closer than a frequent one', () => {
    const frequencies = counted(100, { rare: 2, frequent: 40, own: 1 });
    const one = words('rare', 'frequent', 'own');
    const rare = closeness(one, words('rare', 'x', 'y'), frequencies);
    const frequent = closeness(one, words('frequent', 'x', 'y'), frequencies);
    assert.ok(rare > 4 * frequent, `${rare} ${frequent}`);
  });

  it('[W-5] a common word counts for nothing, on either side', () => {
    const frequencies = counted(10_000, { common: COMMON, a: 2 });
    assert.equal(closeness(words('common'), words('common'), frequencies), 0);
    assert.equal(closeness(words('a', 'common'), words('a'), frequencies), 1);
    assert.equal(closeness(words('a', 'common'), words('a', 'common'), frequencies), 1);
  });
});

describe('weigh', () => {
  const places = { area: NONE, name: NONE, text: NONE, reasoning: NONE };

  it('[W-5] weighs a word by its place, by the heaviest of several', () => {
    const weights = weigh({
      area: words('auth', 'token'),
      name: words('token'),
      text: words('keep'),
      reasoning: words('safe', 'keep'),
    });
    assert.deepEqual(Object.fromEntries(weights), {
      token: 1,
      keep: 1,
      auth: AREA_WEIGHT,
      safe: REASONING_WEIGHT,
    });
  });

  it('[W-5] all reasoning together weighs no more than what was decided', () => {
    const reasoning = words(...Array.from({ length: 400 }, (_, n) => `r${n}`));
    const weights = weigh({ ...places, text: words('a', 'b', 'c', 'd'), reasoning });
    const squares = [...reasoning.keys()].reduce((sum, term) => sum + (weights.get(term) ?? 0) ** 2, 0);
    assert.ok(Math.abs(squares - REASONING_WEIGHT ** 2 * 4) < 1e-9, String(squares));
  });
});

describe('tellingTerms', () => {
  it('[W-5] takes the rarest, none that stands in a large share or nowhere else', () => {
    const frequencies = counted(100, { once: 1, ten: 10, eleven: 11, gone: 0 });
    assert.deepEqual(tellingTerms(['eleven', 'gone', 'ten', 'once', 'unheard'], frequencies), [
      'once',
      'ten',
    ]);
    assert.deepEqual(tellingTerms(['few', 'more'], counted(5, { few: FEW, more: FEW + 1 })), ['few']);
  });

  it('[W-5] reads no more documents in a larger memory, and no word that was not counted to its end', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: COMMON }), { maxLength: 60 }), (counts) => {
        const of = Object.fromEntries(counts.map((count, n) => [`t${n}`, count]));
        const taken = tellingTerms(Object.keys(of), counted(1_000_000, of));
        assert.ok(taken.length <= SIMILAR_TERMS);
        assert.ok(taken.reduce((sum, term) => sum + (of[term] ?? 0), 0) <= SIMILAR_DOCUMENTS);
        for (const term of taken) assert.notEqual(of[term], COMMON);
      }),
    );
  });
});
