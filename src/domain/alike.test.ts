import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupsAlike } from './alike.ts';

describe('[V-3] what is alike', () => {
  it('is what says the same but for numbers and names', () => {
    const texts = [
      'All 42 tests pass',
      'Renamed variable foo1 to bar',
      'Sessions live in PostgreSQL, since Redis lost them',
      'All 57 tests pass now',
      'Renamed variable baz to qux',
      'all tests pass: 61',
      'Renamed variable a2 to b2 in utils',
      '모든 테스트 42개 통과',
      '모든 테스트 57개 통과',
      '모든 테스트 통과',
      '42',
      '43',
      '44',
    ];
    assert.deepEqual(groupsAlike(texts), [
      [0, 3, 5],
      [1, 4, 6],
      [7, 8, 9],
    ]);
  });

  it('is not what is about the same matter', () => {
    const texts = ['Tokens last an hour', 'Tokens are kept in cookies', 'Tokens are signed by the gateway'];
    assert.deepEqual(groupsAlike(texts), []);
  });
});
