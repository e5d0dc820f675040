import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Candidate, chooseStep, summarize } from './memo.ts';

/** A neighbour of `a`; its key is its name. */
const candidate = (name: string, strength = 10, connectedAt = 0, via = 'a'): Candidate<string> => ({
  keyword: name,
  name,
  via,
  viaName: via,
  strength,
  connectedAt,
});
const chosen = (candidates: Candidate<string>[], limit = 5) =>
  chooseStep(candidates, limit).map(({ name, viaName }) => `${name} via ${viaName}`);
const names = (candidates: Candidate<string>[], limit = 5) =>
  chooseStep(candidates, limit).map(({ name }) => name);

const candidates = fc.array(
  fc
    .record({
      name: fc.constantFrom(...'abcDEF가나'),
      strength: fc.constantFrom(5, 8, 10, 110),
      connectedAt: fc.constantFrom(0, 1, 20),
      via: fc.constantFrom('v', 'w', 'X'),
    })
    .map(({ name, strength, connectedAt, via }) => candidate(name, strength, connectedAt, via)),
  { maxLength: 30 },
);

describe('chooseStep', () => {
  it('[M-5] the strongest connection first, as numbers', () => {
    assert.deepEqual(names([candidate('a', 9), candidate('b', 100), candidate('c', 20)]), ['b', 'c', 'a']);
  });

  it('[M-5] of equally strong ones the newest first, then by name', () => {
    assert.deepEqual(names([candidate('a', 5, 9), candidate('b', 5, 10), candidate('c', 8, 0)]), [
      'c',
      'b',
      'a',
    ]);
    assert.deepEqual(names([candidate('c'), candidate('a'), candidate('b')]), ['a', 'b', 'c']);
  });

  it('[M-5] names in the order of their code points, not of a language', () => {
    const inOrder = ['Z', '_', 'a', 'é', '가', '\uff01', '\u{1f600}'];
    assert.deepEqual(
      names(
        inOrder.toReversed().map((name) => candidate(name)),
        10,
      ),
      inOrder,
    );
  });

  it('[M-5] each keyword once, over its best connection', () => {
    const twice = [candidate('x', 5, 0, 'weak'), candidate('y', 7), candidate('x', 10, 0, 'strong')];
    assert.deepEqual(chosen(twice), ['x via strong', 'y via a']);
    assert.deepEqual(chosen([candidate('x', 5, 0, 'b'), candidate('x', 5, 0, 'a')]), ['x via a']);
  });

  it('[M-5] at most the limit, keywords that stand twice counted once', () => {
    const many = [candidate('a', 9), candidate('a', 8), candidate('b', 7), candidate('c', 6)];
    assert.deepEqual(names(many, 2), ['a', 'b']);
    assert.deepEqual(names(many, 3), ['a', 'b', 'c']);
    assert.deepEqual(names(many, 0), []);
    assert.deepEqual(names([], 5), []);
  });

  it('[M-5] the same for the same candidates in any order, which stay as they are', () => {
    fc.assert(
      fc.property(
        candidates,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 0, max: 8 }),
        (given, keys, limit) => {
          const before = structuredClone(given);
          const shuffled = given
            .map((each) => ({ each, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ each }) => each);
          assert.deepEqual(chosen(shuffled, limit), chosen(given, limit));
          assert.deepEqual(given, before);
        },
      ),
    );
  });

  it('[M-5] nothing that is left out goes before what is chosen', () => {
    const isBefore = (a: Candidate<string>, b: Candidate<string>) => {
      if (a.strength !== b.strength) return a.strength > b.strength;
      if (a.connectedAt !== b.connectedAt) return a.connectedAt > b.connectedAt;
      return a.name < b.name;
    };
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 8 }), (given, limit) => {
        const found = chooseStep(given, limit);
        const distinct = new Set(given.map(({ name }) => name)).size;
        assert.equal(new Set(found.map(({ name }) => name)).size, Math.min(limit, distinct));
        assert.equal(found.length, Math.min(limit, distinct));
        const taken = new Set(found.map(({ name }) => name));
        const last = found.at(-1);
        for (const each of given) {
          if (last && !taken.has(each.name)) assert(!isBefore(each, last), each.name);
        }
        for (const [index, each] of found.slice(1).entries()) {
          assert(!isBefore(each, found[index] as Candidate<string>), each.name);
        }
      }),
    );
  });
});

describe('summarize', () => {
  const length = (text: string) => [...text].length;

  it('[M-2] a text of at most 200 characters as it is, with single blanks', () => {
    assert.equal(summarize('Use Redis.'), 'Use Redis.');
    assert.equal(summarize('  토큰은\n\n 15분  후\t만료된다. '), '토큰은 15분 후 만료된다.');
    for (const text of ['x'.repeat(200), '가'.repeat(200), '😀'.repeat(200)])
      assert.equal(summarize(text), text);
  });

  it('[M-2] the first whole sentences of a longer one', () => {
    const sentence = '캐시는 Redis 하나로 모은다.';
    const summary = summarize(`${sentence} `.repeat(50));
    assert.equal(summary, Array(10).fill(sentence).join(' '));
    assert(length(summary) <= 200 && length(`${summary} ${sentence}`) > 200);
    assert.equal(summarize(`Short. ${'X'.repeat(300)}`), 'Short.');
  });

  it('[M-2] a first sentence that is too long is cut at 200 characters, and says so', () => {
    assert.equal(summarize('x'.repeat(201)), `${'x'.repeat(199)}…`);
    assert.equal(summarize('😀'.repeat(300)), `${'😀'.repeat(199)}…`);
  });

  it('[M-2] cuts no drawn character apart', () => {
    const family = '👨‍👩‍👧‍👦';
    assert.equal(summarize(family.repeat(100)), `${family.repeat(28)}…`);
    assert.equal(summarize('e\u0301'.repeat(250)), `${'e\u0301'.repeat(99)}…`);
  });

  it('[M-2] at most 200 characters, made of the beginning of the text, for any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.lorem({ mode: 'sentences', maxCount: 5 }),
      fc.constantFrom('다. ', '! ', '\n\n', '😀', ' '),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => `a${pieces.join('')}`);
    fc.assert(
      fc.property(text, (given) => {
        const summary = summarize(given);
        assert(length(summary) <= 200, summary);
        const plain = given.trim().replace(/\s+/g, ' ');
        if (length(plain) <= 200) assert.equal(summary, plain);
        assert(plain.startsWith(summary) || plain.startsWith(summary.replace(/…$/, '')), summary);
        assert.notEqual(summary.replace(/…$/, ''), '');
      }),
      { numRuns: 500 },
    );
  });
});
