import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyse } from './analysis.ts';
import { isIn, mistypable, nearWords, wordsIn } from './near.ts';

describe('nearWords', () => {
  it('are one typing error away', () => {
    for (const [typed, meant] of [
      ['deploymnet', 'deployment'],
      ['deploymet', 'deployment'],
      ['deplloyment', 'deployment'],
      ['deplosment', 'deployment'],
      ['cashe', 'cache'],
    ] as const)
      assert(nearWords(typed).has(meant), typed);
  });

  it('never change the first letter, nor two others', () => {
    const near = nearWords('token');
    assert([...near].every((word) => word.startsWith('t')));
    assert(!near.has('tokxyn') && !near.has('taken2') && !near.has('oken'));
    assert(near.size < 600, `${near.size} words to look up`);
  });

  it('are found in a text as it has them', () => {
    const known = wordsIn('Sessions intercept; Kubernetes supplied us.');
    const inText = (typed: string) => known.find((word) => nearWords(typed).has(word));
    const found = ['sesion', 'sesions', 'kuberntes', 'interceptor', 'suppliers', 'intercpet'].map(inText);
    assert.deepEqual(found, [undefined, 'sessions', 'kubernetes', undefined, undefined, 'intercept']);
  });
});

describe('mistypable', () => {
  it('is a word of English letters that is neither short nor data', () => {
    const words = mistypable(`The Sesions of 한국어 in helm, v2, abc, 3f9a41, zx81qq and ${'x'.repeat(30)}`);
    assert.deepEqual(words, [{ word: 'sesions', term: 'sesion' }]);
  });
});

describe('isIn', () => {
  it('[T-8] knows a word of a list in all its forms, and no typing error of it', () => {
    const lists = [new Set(['market', 'expensive']), new Set(['decide'])];
    const words = [
      'markets',
      'marketing',
      'expensively',
      'decided',
      'deciding',
      'maket',
      'expensve',
      'decied',
    ];
    const known = words.filter((word) => isIn(lists, { word, term: analyse(word)[0] ?? '' }));
    assert.deepEqual(known, words.slice(0, 5));
    const verbs = [new Set(['delete', 'connect'])];
    const nouns = ['deletion', 'connections', 'onion', 'conection'];
    assert.deepEqual(
      nouns.filter((word) => isIn(verbs, { word, term: analyse(word)[0] ?? '' })),
      ['deletion', 'connections'],
    );
  });
});
