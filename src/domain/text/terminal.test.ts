import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { cutSequences } from './terminal.ts';

describe('cutSequences', () => {
  const cases: [name: string, text: string, expected: string, cut: number][] = [
    ['colours', 'a\u001b[31;1mb\u001b[0mc', 'abc', 2],
    ['colours with colons', 'a\u001b[38:2::1:2:3mb', 'ab', 1],
    ['C1 in the place of ESC [', 'a\u009b31mb', 'ab', 1],
    ['private parameters', 'a\u001b[?25lb\u001b[>0;276;0cc', 'abc', 2],
    ['an intermediate byte', 'a\u001b[2 qb', 'ab', 1],
    ['a title, ended by BEL', 'a\u001b]0;제목\u0007b', 'ab', 1],
    ['a title, ended by ST', 'a\u001b]0;t\u001b\\b', 'ab', 1],
    ['a title in C1', 'a\u009d0;t\u009cb', 'ab', 1],
    ['a link keeps its words', '\u001b]8;;http://x.y\u001b\\link\u001b]8;;\u001b\\', 'link', 2],
    ['the clipboard', 'a\u001b]52;c;aGk=\u0007b', 'ab', 1],
    ['device control', 'a\u001bPq#0;1\u001b\\b\u0090q\u009cc', 'abc', 2],
    [
      'APC, PM, SOS, the title of screen',
      'a\u001b_x\u001b\\b\u001b^x\u001b\\c\u001bXx\u001b\\d\u001bkx\u001b\\e',
      'abcde',
      4,
    ],
    ['character sets', 'a\u001b(Bb', 'ab', 1],
    ['single ones', 'a\u001bcb\u001b7c\u001b#8d', 'abcd', 3],
    ['a title that never ends keeps its words', 'a\u001b]0;title and text', 'a]0;title and text', 1],
    ['one that was cut off', 'a\u001b[3', 'a[3', 1],
    ['one in the middle of another', 'a\u001b[\u001b[0m31mb', 'a[31mb', 2],
    ['ESC alone', 'a\u001b 한글\u001b', 'a 한글', 2],
  ];
  for (const [name, text, expected, cut] of cases) {
    it(`[K-7] ${name}`, () => assert.deepEqual(cutSequences(text), { text: expected, cut }));
  }

  it('[K-7] other control characters stay, and so does every other text', () => {
    for (const text of ['a\r10%\r20%\b\u0007\f\u0000\u0085', '한글 テスト 🙂 [31m ]0;t', '', '\ufffd']) {
      assert.deepEqual(cutSequences(text), { text, cut: 0 });
    }
  });

  it('[K-7] what is left holds nothing that begins a sequence, whatever was given', () => {
    const parts = fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u009d',
      '\u0090',
      '[',
      ']',
      '0',
      ';',
      'm',
      'P',
      '\\',
      '\u0007',
      '\n',
      '한',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(parts).map((each) => each.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const once = cutSequences(text).text;
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
          assert.doesNotMatch(once, /[\u001b\u0090\u0098\u009b-\u009f]/);
          assert.deepEqual(cutSequences(once), { text: once, cut: 0 });
        },
      ),
    );
  });

  it('[K-7] takes a moment of the processor for 500,000 characters, however they were chosen', async () => {
    // The square of it takes minutes.
    const length = 500_000;
    const repeated = [
      '\u001b',
      '\u001b[',
      '\u001b]',
      '\u001b]0;',
      '\u001bP',
      '\u001b[0',
      '\u009d',
      '\u001b ',
      '\u001b[31m',
      'a',
    ];
    const once = ['\u001b[', '\u001b]', '\u001bP', '\u001b', '\u009d'].flatMap((begin) => [
      begin + '1'.repeat(length),
      begin + ' '.repeat(length),
    ]);
    for (const text of [...repeated.map((part) => part.repeat(length / part.length)), ...once]) {
      await withinProcessorTime(5_000, () => cutSequences(text), JSON.stringify(text.slice(0, 10)));
    }
  });
});
