import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTooDeep } from './depth.ts';

const MANY = 100_000;

describe('the depth of a text', () => {
  it('[Z-3] is found in every format, whatever hides in strings and comments', () => {
    for (const [text, format] of [
      ['{"a":'.repeat(MANY), 'json'],
      [`"\n${'['.repeat(MANY)}`, 'json'],
      [`a = ${'['.repeat(MANY)}`, 'toml'],
      [`${'a.'.repeat(MANY)}b = 1`, 'toml'],
      [`[${'a.'.repeat(MANY)}b]`, 'toml'],
      [`a: ${'{a: '.repeat(MANY)}`, 'yaml'],
      ['- '.repeat(MANY), 'yaml'],
      ['? '.repeat(MANY), 'yaml'],
      [`${' '.repeat(MANY)}a: 1`, 'yaml'],
    ] as const)
      assert.equal(isTooDeep(text, format), true, `${format}: ${text.slice(0, 9)}`);
  });

  it('[Z-3] is no matter of length, nor of brackets in texts', () => {
    for (const [text, format] of [
      [JSON.stringify({ a: '['.repeat(MANY), b: '\\"{'.repeat(MANY) }), 'json'],
      [`// ${'['.repeat(MANY)}\n{} /* ${'{'.repeat(MANY)} */`, 'json'],
      ['[{"a":[1]}],'.repeat(MANY), 'json'],
      [`a = "${'['.repeat(MANY)}" # ${'['.repeat(MANY)}`, 'toml'],
      [`a = """\n${'.['.repeat(MANY)}"""\nb = '${'.'.repeat(MANY)}'`, 'toml'],
      ['[a.b.c]\nd = 1\n'.repeat(MANY), 'toml'],
      ["words: don't [see]\nlist: [a, {b: c}]\n".repeat(MANY), 'yaml'],
    ] as const)
      assert.equal(isTooDeep(text, format), false, `${format}: ${text.slice(0, 20)}`);
  });
});
