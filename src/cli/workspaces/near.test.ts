import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from './near.ts';

const there = (...names: string[]) => names.map((workspace) => ({ workspace, names: [] as string[] }));

describe('[K-2] the workspace that was probably meant', () => {
  for (const [typed, meant] of [
    ['결정기룍', '결정기록'],
    ['메모', '메모리'],
    ['precednet', 'precedent'],
    ['APP', 'app'],
    ['shop', 'github.com~acme~shop'],
    ['blog', 'blog~1a2b3c4d'],
    ['가게'.normalize('NFD'), '가게'],
  ] as const) {
    it(`is ${meant} for ${typed}`, () => {
      assert.equal(nearest(typed, there('notes', meant, '다른것')), meant);
    });
  }

  it('is one that had the name, whatever it is called now', () => {
    const renamed = { workspace: 'new', names: ['github.com~acme~old'] };
    for (const typed of ['github.com~acme~old', 'old'])
      assert.equal(nearest(typed, [...there('olt'), renamed]), 'new');
  });

  it('is none where nothing is near', () => {
    for (const typed of ['x', 'something else', 'ab'])
      assert.equal(nearest(typed, there('precedent', 'cd')), undefined);
    assert.equal(nearest('x', []), undefined);
    assert.equal(nearest('x', there('x')), undefined);
  });
});
