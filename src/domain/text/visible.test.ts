import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { visible, visibleJson } from './visible.ts';

const obeyed = ['\u001b[31m', '\u009b2J', '\r', '\u0007', '\u202e', '\u2066', '\u{e0041}'];

describe('visible', () => {
  it('shows as escapes what a terminal would obey, and leaves every other text as it is', () => {
    assert.equal(visible('a\u001b[31mb\u202ec\u{e0041}\td\ne'), 'a\\u001b[31mb\\u202ec\\u{e0041}\td\ne');
    for (const text of ['한글 テスト 汉字 🙂 👩‍👩‍👧 e\u0301 ﷽ עברית', '']) assert.equal(visible(text), text);
  });

  it('keeps the meaning of JSON, and every character of it harmless', () => {
    const text = fc.oneof(
      fc.constantFrom(...obeyed),
      fc.string({ unit: 'binary' }).map((each) => each.toWellFormed()),
    );
    fc.assert(
      fc.property(fc.array(fc.dictionary(text, text, { maxKeys: 5 }), { maxLength: 5 }), (value) => {
        for (const space of [undefined, 2]) {
          const json = visibleJson(JSON.stringify(value, null, space));
          assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
          assert.equal(json, visible(json));
        }
      }),
    );
  });
});
