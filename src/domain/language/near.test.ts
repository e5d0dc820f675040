import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mistypable, nearTerms } from './near.ts';

describe('nearTerms', () => {
  it('has the terms of words one typing error away, as the index stems them', () => {
    for (const [typed, meant] of [
      ['deploymnet', 'deploy'],
      ['deploymet', 'deploy'],
      ['deplloyment', 'deploy'],
      ['deplosment', 'deploy'],
      ['cach', 'cach'],
      ['cashe', 'cach'],
    ] as const)
      assert(nearTerms(typed).has(meant), typed);
  });

  it('never changes the first letter, nor two others', () => {
    const near = nearTerms('token');
    assert([...near].every((term) => term.startsWith('t')));
    assert(!near.has('tokxyn') && !near.has('taken2') && !near.has('oken'));
    assert(near.size < 600, `${near.size} terms to look up`);
  });
});

describe('mistypable', () => {
  it('is a word of English letters that is neither short nor data', () => {
    const words = mistypable(`The Tokns of 한국어 in v2, abc, 3f9a41, zx81qq and ${'x'.repeat(30)}`);
    assert.deepEqual(words, [{ word: 'tokns', term: 'tokn' }]);
  });
});
