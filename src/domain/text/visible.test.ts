import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { visible, visibleJson } from './visible.ts';

const obeyed = [
  ...['\u001b[31m', '\u009b2J', '\r', '\u0007', '\u202e', '\u2066', '\u{e0041}', '\u2028', '\u2029'],
  ...['\u061c', '\u200e', '\u200f', '\u2064', '\ufeff', '\ufe0f', '\u{e0101}', '\u180b'],
];

describe('visible', () => {
  it('shows as escapes what a terminal would obey, and leaves every other text as it is', () => {
    assert.equal(visible('a\u001b[31mb\u202ec\u{e0041}\td\ne'), 'a\\u001b[31mb\\u202ec\\u{e0041}\td\ne');
    for (const text of ['한글 テスト 汉字 🙂 👩‍👩‍👧 e\u0301 ﷽ עברית', '⚠️ ❤️‍🔥 1️⃣ 葛\u{e0100}', ''])
      assert.equal(visible(text), text);
  });

  it('shows what hides a text or ends a line, wherever it is', () => {
    for (const each of obeyed)
      for (const text of [each, `a${each}`, `한${each}글`, `\n${each}b`])
        assert.doesNotMatch(
          visible(text),
          /[^\P{C}\n\t]|[\u2028\u2029]|\p{Variation_Selector}/u,
          JSON.stringify(text),
        );
    assert.equal(visible('👍\ufe0f\ufe0f\ufe01'), '👍\ufe0f\\ufe0f\\ufe01');
  });

  it('keeps marks of a direction in texts from right to left, and nothing that overrides one', () => {
    const text = 'גרסה \u200e2.0\u200f של سجل\u061c';
    assert.equal(visible(text), text);
    assert.equal(visible(`${text}\u202e`), `${text}\\u202e`);
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
