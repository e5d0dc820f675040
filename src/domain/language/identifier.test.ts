import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withParts } from './identifier.ts';

describe('withParts', () => {
  const cases: [text: string, parts: string][] = [
    ['getUserById', 'get User By Id'],
    ['SvelteKit', 'Svelte Kit'],
    ['HTTPServer', 'HTTP Server'],
    ['parseURL', 'parse URL'],
    ['250ms', '250 ms'],
    ['sha256', 'sha 256'],
    ['iPhone', 'Phone'],
    ['OAuth2Client', 'Auth Client'],
  ];
  for (const [text, parts] of cases) {
    it(`puts the parts of "${text}" after it`, () => {
      for (const isPlain of [true, false])
        assert.equal(withParts(`(${text})`, isPlain), `(${text} ${parts} )`);
    });
  }

  it('leaves words, plurals, keys and ids as they are', () => {
    const same = [
      'get_user_by_id',
      'Server',
      'HTTP',
      'URLs',
      'v2',
      't24',
      '3f9a41bc',
      'ZX81QQ',
      'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ',
    ];
    for (const text of [...same, 'aB'.repeat(40)])
      for (const isPlain of [true, false]) assert.equal(withParts(text, isPlain), text);
  });

  it('splits what stands beside Hangul, and nothing that is part of a longer word', () => {
    for (const isPlain of [true, false])
      assert.equal(withParts('벽은200mm로', isPlain), '벽은200mm 200 mm 로');
    assert.equal(withParts('naïveTest testÉcole', false), 'naïveTest testÉcole');
  });
});
