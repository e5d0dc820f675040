import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  KEYWORD_RELATIONS,
  type KeywordRelation,
  keywordName,
  linksOfMessage,
  strengthAdded,
  weightOf,
} from './keyword.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem());
const names = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 6 });

/** The relations of a message as sentences. */
const sentences = (previous: string[], keywords: string[], belongsTo?: string) =>
  linksOfMessage(previous, keywords, belongsTo).map(({ from, type, to }) => `${from} ${type} ${to}`);

describe('keywordName', () => {
  const cases: [typed: string, name: string][] = [
    ['Unity', 'unity'],
    ['JWT', 'jwt'],
    ['ＪＷＴ', 'jwt'],
    ['ﬁle', 'file'],
    ['㎜', 'mm'],
    ['Cafe\u0301', 'café'],
    ['한글'.normalize('NFD'), '한글'],
    ['ｶﾞ', 'ガ'],
    ['ÄÖ', 'äö'],
    ['J\u030c', '\u01f0'],
    ['  unit \t\n tests ', 'unit tests'],
    ['unit\u3000tests', 'unit tests'],
    ['C++ / .NET', 'c++ / .net'],
  ];
  for (const [typed, name] of cases) {
    it(`[M-9] is "${name}" for ${JSON.stringify(typed)}`, () => assert.equal(keywordName(typed), name));
  }

  it('[M-9] is the same for composed and decomposed text (NFC, NFD), compatible forms included', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
          assert.equal(keywordName(text.normalize(form)), keywordName(text), form);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('[M-9] is the same for upper and lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        assert.equal(keywordName(text.toUpperCase()), keywordName(text.toLowerCase()));
      }),
    );
  });

  it('[M-9] is NFKC, without blanks at its ends or two in a row, and the name of itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = keywordName(text);
        assert.equal(name, name.normalize('NFKC'));
        assert.doesNotMatch(name, /^\s|\s$|\s\s|[\t\n]/);
        assert.equal(keywordName(name), name);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('linksOfMessage', () => {
  it('[M-9] every keyword of the message before is followed by every one of this, those of this co-occur', () => {
    assert.deepEqual(sentences(['a', 'b'], ['c', 'd']), [
      'a FOLLOWED_BY c',
      'a FOLLOWED_BY d',
      'b FOLLOWED_BY c',
      'b FOLLOWED_BY d',
      'c CO_OCCURS d',
    ]);
  });

  it('[M-9] a pair co-occurs once, the lesser first, in whichever order it is mentioned', () => {
    const pairs = ['a CO_OCCURS b', 'a CO_OCCURS c', 'b CO_OCCURS c'];
    for (const order of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) {
      assert.deepEqual(sentences([], [...order]).sort(), pairs, order);
    }
    assert.deepEqual(linksOfMessage([], [10, 9]), [{ type: 'CO_OCCURS', from: 9, to: 10 }], 'as numbers');
  });

  it('[M-9] every keyword belongs to what is given', () => {
    assert.deepEqual(sentences([], ['a', 'b'], 'z'), ['a CO_OCCURS b', 'a BELONGS_TO z', 'b BELONGS_TO z']);
  });

  it('[M-9] none is followed by itself or belongs to itself', () => {
    assert.deepEqual(sentences(['a', 'b'], ['a', 'b'], 'a').sort(), [
      'a CO_OCCURS b',
      'a FOLLOWED_BY b',
      'b BELONGS_TO a',
      'b FOLLOWED_BY a',
    ]);
  });

  it('a first message of one keyword, and one without keywords, make no relation', () => {
    assert.deepEqual(linksOfMessage([], ['a']), []);
    assert.deepEqual(linksOfMessage(['a'], [], 'z'), []);
  });

  it('[M-9] exactly these relations, each once, for any two messages', () => {
    fc.assert(
      fc.property(names, names, fc.option(fc.constantFrom('a', 'z'), { nil: undefined }), (p, k, parent) => {
        const expected = [
          ...p.flatMap((from) => k.filter((to) => to !== from).map((to) => `${from} FOLLOWED_BY ${to}`)),
          ...k.flatMap((one) => k.filter((other) => one < other).map((other) => `${one} CO_OCCURS ${other}`)),
          ...(parent
            ? k.filter((each) => each !== parent).map((each) => `${each} BELONGS_TO ${parent}`)
            : []),
        ];
        assert.deepEqual(sentences(p, k, parent).sort(), expected.sort());
      }),
    );
  });
});

describe('weightOf', () => {
  const cases: [type: KeywordRelation, weights: number[]][] = [
    ['FOLLOWED_BY', [1, 2, 3, 4]],
    ['CO_OCCURS', [0.5, 0.8, 1.1, 1.4]],
    ['BELONGS_TO', [1, 2, 3, 4]],
  ];
  for (const [type, weights] of cases) {
    it(`[M-9] ${type} weighs ${weights.join(', ')}, without a rounding error`, () => {
      assert.deepEqual(
        weights.map((_, index) => weightOf(type, index + 1)),
        weights,
      );
    });
  }

  it('is a tenth of all that its records added to the strength of the connection', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KEYWORD_RELATIONS), fc.integer({ min: 1, max: 500 }), (type, times) => {
        let strength = 0;
        for (let time = 1; time <= times; time++) strength += strengthAdded(type, time);
        assert.equal(weightOf(type, times), strength / 10);
      }),
    );
  });
});
