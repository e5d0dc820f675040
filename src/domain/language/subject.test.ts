import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { subjectTerms } from './subject.ts';

const terms = (text: string) => [...subjectTerms(text).keys()];

describe('subjectTerms', () => {
  it('[W-5] names what a text is about, not how a rule is said', () => {
    assert.deepEqual(terms('Always keep the invoices within 14 days by default'), ['invoic']);
    assert.deepEqual(terms('기본은 20개 이상 소포를 항상 보관'), ['소포', '보관']);
    assert.deepEqual(terms('It is what it is'), []);
  });

  it('[W-5] a word counts one, however many terms the index makes of it', () => {
    for (const text of ['token', '토큰', '보관함', '개인정보', 'scan_events']) {
      const squares = [...subjectTerms(text).values()].reduce((sum, share) => sum + share ** 2, 0);
      assert.ok(Math.abs(squares - 1) < 1e-9, `${text}: ${squares}`);
    }
  });

  it('[W-5] is the same for a Korean noun with any particle', () => {
    for (const word of ['고객을', '고객에게', '고객이다', '고객은'])
      assert.deepEqual(subjectTerms(word), subjectTerms('고객'), word);
  });
});
