import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showsContrast } from '../language/difference.ts';
import { suspects } from './contradiction.ts';

describe('contradictions across topics', () => {
  it('[T-6] the closest of what binds and of the others is named, what binds sooner, and sooner with a sign of contrast', () => {
    const named = (...all: [name: string, closeness: number, isBinding: boolean, isContrast?: boolean][]) =>
      suspects(
        all.map(([name, closeness, isBinding, isContrast = false]) => ({
          name,
          closeness,
          isBinding,
          isContrast,
        })),
      ).map(({ name }) => name);
    assert.deepEqual(named(['a', 0.3, false], ['b', 0.3, true]), ['b']);
    assert.deepEqual(named(['a', 0.3, true], ['b', 0.4, true], ['c', 0.5, false], ['d', 0.4, false]), [
      'b',
      'c',
    ]);
    assert.deepEqual(named(['a', 0.22, true], ['b', 0.32, false]), []);
    assert.deepEqual(named(['a', 0.22, true, true], ['b', 0.32, false, true]), ['a', 'b']);
    assert.deepEqual(named(['a', 0.1, true, true]), []);
  });

  it('[T-6] names of one kind are a sign in any words, amounts only with a subject that both have', () => {
    for (const [here, there, isSign] of [
      ['The site is rebuilt with SvelteKit', 'Pages are made by Next.js', true],
      ['Photos are kept 30 days', 'A reminder goes out after 5 days', false],
      ['Photos are kept 30 days', 'Photos go after 5 days', true],
      ['Chats are kept', 'Chats are never kept', true],
      ['Chats are kept', 'Chats are kept for a year', false],
      ['사진은 30일 보관한다', '사진은 5일 뒤에 지운다', true],
    ] as const)
      assert.equal(showsContrast(here, there), isSign, here);
  });
});
