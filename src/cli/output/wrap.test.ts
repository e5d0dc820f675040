import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wrapLine } from './wrap.ts';

describe('lines of a text', () => {
  it('[U-9] a line that was broken begins with a word, the first keeps its blanks', () => {
    assert.equal(wrapLine('  to be or not', 9), '  to be \nor not');
    assert.equal(wrapLine('', 20), '');
  });
});
