import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { readPrompt } from '../prompt/reading.ts';
import { redact, redactDeep } from './redaction.ts';

describe('redact', () => {
  const cases: [name: string, text: string, expected: string][] = [
    ['one', 'key <private>s3cret</private>.', 'key [REDACTED].'],
    ['several', '<private>a</private> and <private>b</private>', '[REDACTED] and [REDACTED]'],
    ['adjacent', '<private>a</private><private>b</private>', '[REDACTED][REDACTED]'],
    ['nested', 'x<private>a<private>b</private>c</private>y', 'x[REDACTED]y'],
    ['unclosed', 'x<private>a b c', 'x[REDACTED]'],
    ['unclosed inside a closed one', 'x<private>a<private>b</private>c', 'x[REDACTED]'],
    ['cut off inside the closing tag', 'x<private>a</private', 'x[REDACTED]'],
    ['upper and mixed case', '<PRIVATE>a</PRIVATE> <Private>b</pRIVATE>', '[REDACTED] [REDACTED]'],
    ['spaces and line ends in a tag', '<private >a</private\n>b', '[REDACTED]b'],
    ['attributes', '<private why="key">a</private>b', '[REDACTED]b'],
    ['over lines', 'x<private>\na\nb\n</private>\ny', 'x[REDACTED]\ny'],
    ['other tags inside', '<private><b>a</b> 1 < 2</private>b', '[REDACTED]b'],
    ['empty', 'x<private></private>y', 'x[REDACTED]y'],
    ['spaces after the bracket', 'x< private>a< / private >y', 'x[REDACTED]y'],
    ['attributes, and never closed', 'x<private id="1" why=key>a', 'x[REDACTED]'],
    [
      'quotes in a closing tag that closes nothing',
      '</private"<private>a</private>"',
      '</private"[REDACTED]"',
    ],
    ['brackets in an attribute', 'x<private a="</private>">secret</private>y', 'x[REDACTED]y'],
  ];
  for (const [name, text, expected] of cases) {
    it(`[D-16] ${name}`, () => assert.equal(redact(text), expected));
  }

  it('[D-16] a tag that is opened in one text of a list may be closed in a later one', () => {
    const list = ['a <private>one', 'two', 7, 'three</private> b', 'c'];
    const redacted = ['a [REDACTED]', '[REDACTED]', 7, '[REDACTED] b', 'c'];
    assert.deepEqual(redactDeep({ list }), { list: redacted });
    assert.deepEqual(redactDeep(['a <private>one', 'b', 'c']), ['a [REDACTED]', 'b', 'c'], 'never closed');
  });

  it('[D-16] text that holds no opening tag is kept as it is', () => {
    for (const text of [
      '',
      'private',
      '</private>',
      'a</private>b',
      '<privateer>a</privateer>',
      '1 < 2 > 0',
    ]) {
      assert.equal(redact(text), text);
    }
  });

  it('[D-16] exactly what stood outside is left, for any nesting of any number of tags', () => {
    const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('<', ''));
    const { block } = fc.letrec<{ block: string; inner: string }>((tie) => ({
      block: inTag(tie('inner')),
      inner: fc.oneof(
        { depthSize: 'small' },
        plain,
        fc.array(fc.oneof(plain, tie('block')), { maxLength: 3 }).map((parts) => parts.join('')),
      ),
    }));
    const parts = fc.array(fc.record({ outside: plain, block }), { maxLength: 5 });
    fc.assert(
      fc.property(parts, plain, (list, last) => {
        const text = list.map((part) => part.outside + part.block).join('') + last;
        assert.equal(redact(text), `${list.map((part) => `${part.outside}[REDACTED]`).join('')}${last}`);
      }),
    );
  });

  it('[D-16] what stood inside a closed tag never stays, whatever stands around it', () => {
    const tags = [
      '<private>',
      '</private>',
      '<private',
      '</private',
      '<',
      '>',
      '/',
      ' ',
      '<PRIVATE x>',
      'private',
    ];
    const around = fc
      .array(fc.oneof(fc.constantFrom(...tags), fc.string({ maxLength: 3 })), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(around, around, (before, after) => {
        assert.ok(!redact(`${before}<private>s3cret</private>${after}`).includes('s3cret'));
      }),
      { numRuns: 500 },
    );
  });

  it('[D-16] takes a moment of the processor for 200,000 characters, however they were chosen', async () => {
    for (const part of ['<', '<private', '<private ', '<private>', '</private>', '<private></private>']) {
      const text = part.repeat(200_000).slice(0, 200_000);
      await withinProcessorTime(500, () => redact(text), part);
    }
  });
});

describe('redactDeep', () => {
  it('[D-16] every string is redacted, however deep; all else is kept', () => {
    const secret = 'a<private>b</private>';
    const given = {
      text: secret,
      list: [secret, 1, null, true, undefined, { deeper: [[secret]] }],
      none: null,
      number: 0.5,
      plain: 'a',
    };
    const before = structuredClone(given);
    assert.deepEqual(redactDeep(given), {
      text: 'a[REDACTED]',
      list: ['a[REDACTED]', 1, null, true, undefined, { deeper: [['a[REDACTED]']] }],
      none: null,
      number: 0.5,
      plain: 'a',
    });
    assert.deepEqual(given, before, 'what was given is not changed');
    assert.equal(redactDeep(secret), 'a[REDACTED]');
  });

  it('keeps any JSON value that holds no tag', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(redactDeep(value), value)));
  });
});

describe('text that is made to be slow', () => {
  const LONG = 80_000;
  for (const [name, text] of Object.entries({
    quotes: `fix this <private a=${'"'.repeat(61)}`,
    apostrophes: `fix this <private a=${`'"`.repeat(61)}`,
    'a tag of blanks': `<${' '.repeat(LONG)}`,
    'tags of blanks': `< ${'<  '.repeat(LONG / 3)}`,
    'no address': 'a-'.repeat(LONG / 2),
    'open tags': '<private '.repeat(LONG / 9),
    'names that could be of a secret': 'a_'.repeat(LONG / 2),
  }))
    it(`[A-2] takes no longer than it is long: ${name}`, () =>
      withinProcessorTime(2_000, () => {
        redact(text);
        readPrompt(text);
      }));
});

function inTag(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const opening = fc.constantFrom('<private>', '<PRIVATE>', '<Private >', '<private why="x">');
  const closing = fc.constantFrom('</private>', '</PRIVATE>', '</private\n>');
  return fc.tuple(opening, inner, closing).map((parts) => parts.join(''));
}
