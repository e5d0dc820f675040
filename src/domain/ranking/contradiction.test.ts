import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signsOfContrast } from '../language/difference.ts';
import { suspects, suspicion } from './contradiction.ts';

const NONE = { isOther: false, isNegated: false, isRejected: false };

describe('contradictions across topics', () => {
  it('[T-6] closeness alone speaks for one, and each sign more', () => {
    const plain = suspicion({ closeness: 0.2, ...NONE });
    for (const sign of ['isOther', 'isNegated', 'isRejected'] as const)
      assert.ok(suspicion({ closeness: 0.2, ...NONE, [sign]: true }) > plain, sign);
    assert.ok(suspicion({ closeness: 0.3, ...NONE }) > plain);
  });

  it('[T-6] what binds is named sooner, two at most, and the second only where it comes near the first', () => {
    const named = (...all: [name: string, suspicion: number, isBinding: boolean][]) =>
      suspects(all.map(([name, suspicion, isBinding]) => ({ name, suspicion, isBinding }))).map(
        ({ name }) => name,
      );
    assert.deepEqual(named(['a', 0.15, false], ['b', 0.15, true]), ['b']);
    assert.deepEqual(named(['a', 0.13, true], ['b', 0.17, true], ['c', 0.15, true]), ['b', 'c']);
    assert.deepEqual(named(['a', 0.11, true], ['b', 0.4, true]), ['b']);
    assert.deepEqual(named(['a', 0.5, false], ['b', 0.4, false], ['c', 0.2, true]), ['c', 'a']);
    assert.deepEqual(named(['a', 0.05, true], ['b', 0.2, false]), []);
  });

  it('[T-6] names of one kind are a sign in any words, amounts only with a subject that both have', () => {
    for (const [here, there, isOther, isNegated] of [
      ['The site is rebuilt with SvelteKit', 'Pages are made by Next.js', true, false],
      ['Photos are kept 30 days', 'A reminder goes out after 5 days', false, false],
      ['Photos are kept 30 days', 'Photos go after 5 days', true, false],
      ['Chats are kept', 'Chats are never kept', false, true],
      ['사진은 30일 보관한다', '사진은 5일 뒤에 지운다', true, false],
    ] as const)
      assert.deepEqual(signsOfContrast(here, there), { isOther, isNegated }, here);
  });
});
