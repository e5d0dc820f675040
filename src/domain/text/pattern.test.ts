import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pattern } from './pattern.ts';

/** What plain text is made of, with the words and signs that patterns look for. */
const plain = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[\t\n\r -~가-힣‘’“”–—…·→×]$/),
      fc.constantFrom('builds_on', 'DEBATES', ' and ', '가', 'a:b', '#38', '3f2504e0-'),
    ),
    { maxLength: 300 },
  )
  .map((pieces) => pieces.join(''));

const found = (made: RegExp, text: string) =>
  Array.from(text.matchAll(made), ({ 0: part, index }) => [part, index]);

describe('pattern', () => {
  const sources: [source: string, flags: string][] = [
    ['[\\p{L}\\p{N}]+', 'gu'],
    ['[^\\p{L}\\p{N}\\n:]{1,3}', 'giu'],
    ['(?<![A-Za-z0-9]_?)(builds[_ -]?on|debates)[\\p{Script=Hangul}]{0,2}\\b', 'giu'],
    ['^[\\p{Script=Hangul}\\p{P}\\p{S}]*\\s*$', 'gu'],
    ['[\\p{P}\\p{S}]', 'gu'],
    ['\\w+(?!and|\\S)', 'giu'],
    ['[\\p{Lu}\\p{Lt}\\p{Lo}]*[\\p{Ll}\\p{Lm}\\p{M}]+', 'gu'],
  ];
  for (const [source, flags] of sources)
    it(`[A-3] finds in plain text what it finds in any: ${source}`, () => {
      const made = pattern(source, flags);
      fc.assert(
        fc.property(plain, (text) => {
          assert.notEqual(made(text), made());
          assert.deepEqual(found(made(text), text), found(made(), text));
        }),
      );
    });

  it('[A-3] of any other text it is the whole pattern', () => {
    const letters = pattern('^[\\p{L}]+$', 'u');
    for (const text of ['é', 'é'.repeat(300), 'なぜ']) assert(letters(text).test(text), text);
  });
});
