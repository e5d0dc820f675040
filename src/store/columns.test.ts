import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { id } from './columns.ts';

describe('the id of a record', () => {
  it('[Z-4] may be a path elsewhere, and leads to no folder above', () => {
    for (const fine of [
      'b5c1f5a6-0000-4000-8000-000000000000',
      'decision_auth',
      'docs/adr/0001-a.md',
      'a..b',
    ])
      assert.equal(id(fine), undefined, fine);
    for (const up of ['../x', 'a/../../x', '..', 'a\\..\\x', 'a/..'])
      assert.match(id(up) ?? '', /without "\.\."/, up);
  });
});
