import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suspects } from './contradiction.ts';

describe('contradictions across topics', () => {
  it('[T-6] the closest of what binds and of the others is named, what binds sooner', () => {
    const named = (...all: [name: string, closeness: number, isBinding: boolean][]) =>
      suspects(all.map(([name, closeness, isBinding]) => ({ name, closeness, isBinding }))).map(
        ({ name }) => name,
      );
    assert.deepEqual(named(['a', 0.3, false], ['b', 0.3, true]), ['b']);
    assert.deepEqual(named(['a', 0.3, true], ['b', 0.4, true], ['c', 0.5, false], ['d', 0.4, false]), [
      'b',
      'c',
    ]);
    assert.deepEqual(named(['a', 0.1, true], ['b', 0.2, false]), []);
  });
});
