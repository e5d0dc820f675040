import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countCharacters, excerpt, foldName, normalizeName } from './text.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

describe('countCharacters', () => {
  it('counts code points: an emoji or a rare Han character is one', () => {
    const cases: [string, number][] = [
      ['', 0],
      ['wall', 4],
      ['외벽', 2],
      ['👍', 1],
      ['𠮷野', 2],
      ['e\u0301', 2],
    ];
    for (const [text, count] of cases) assert.equal(countCharacters(text), count, text);
  });
});

describe('foldName', () => {
  it('drops the blanks around each colon and stroke, also between two of them', () => {
    assert.equal(foldName(' INFRA  : / \t/cdn  edge '), 'infra://cdn  edge');
  });
});

describe('excerpt', () => {
  it('says how many characters are missing and where they are', () => {
    assert.equal(excerpt('abcdef', 4, 'ask decision_get'), 'abcd… [+2 characters: ask decision_get]');
    assert.equal(excerpt('👍👍👍', 1, 'x'), '👍… [+2 characters: x]');
  });

  it('keeps a text that is short enough, and of any other exactly the characters of the limit', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 12 }), (text, limit) => {
        const characters = [...text];
        const expected =
          characters.length <= limit
            ? text
            : `${characters.slice(0, limit).join('')}… [+${characters.length - limit} characters: there]`;
        assert.equal(excerpt(text, limit, 'there'), expected);
      }),
    );
  });
});

describe('normalizeName', () => {
  it('takes surrounding space off and composes, and keeps case and inner space', () => {
    assert.equal(normalizeName(' \tCAD:Wall  thickness\n'), 'CAD:Wall  thickness');
    assert.equal(normalizeName('외벽'.normalize('NFD')), '외벽');
    assert.equal(normalizeName('cafe\u0301'), 'caf\u00e9');
  });

  it('gives one name for every Unicode form and for a name already normal', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = normalizeName(text);
        assert.equal(normalizeName(` ${text.normalize('NFD')} `), name);
        assert.equal(normalizeName(name), name);
      }),
    );
  });
});
