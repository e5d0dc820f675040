import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isTried, runs } from '../../../test/support/part.ts';
import { sentencesIn, wordsIn } from './segments.ts';

/** Every sign of plain text, those that join or part words and sentences more often. */
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const signs = [
  ...printable,
  ...'‘’“”–—…·→×',
  ...'가나다한국어쀍',
  ..."aaBB11..::'',,;;!!??((\"   ",
  '\t',
  '\n',
  '\r',
];
const plain = fc.string({ unit: fc.constantFrom(...signs), maxLength: 14 });
const other = fc.string({
  unit: fc.constantFrom(...signs, ...'éß設タらδ🙂ㅋ。！？\u0301\u200d'),
  maxLength: 14,
});
const lines = ['bench/data/*.jsonl', 'bench/data/prompts/*', 'docs/**/*.md', 'src/**/*.ts']
  .flatMap((pattern) => globSync(pattern))
  .flatMap((file) => readFileSync(file, 'utf8').split('\n'));

describe('words and sentences', () => {
  const word = new Intl.Segmenter('ko', { granularity: 'word' });
  const sentence = new Intl.Segmenter('en', { granularity: 'sentence' });
  const sameWords = (text: string) =>
    assert.deepEqual(
      wordsIn(text),
      [...word.segment(text)]
        .filter(({ segment, isWordLike }) => isWordLike && /\p{L}/u.test(segment))
        .map(({ segment }) => segment),
    );
  const sameSentences = (text: string) =>
    assert.deepEqual(
      sentencesIn(text),
      [...sentence.segment(text)].map(({ segment }) => segment),
    );

  it('[A-3] are those that Unicode defines, found without loading it', () => {
    fc.assert(fc.property(plain, sameWords), runs(20_000, 1));
    fc.assert(fc.property(plain, sameSentences), runs(20_000, 2));
  });

  it('are those that Unicode defines in any other text', () => {
    fc.assert(fc.property(other, sameWords), runs(5_000, 3));
    fc.assert(fc.property(other, sameSentences), runs(5_000, 4));
  });

  it('are those that Unicode defines in what people wrote, in English and Korean', () => {
    assert(lines.length > 10_000);
    for (const line of lines.filter((_, index) => isTried(index))) {
      sameWords(line);
      sameSentences(line);
    }
  });

  it('takes no longer than the text is long', () => {
    const long = '. , "\' a.b '.repeat(20_000);
    assert(sentencesIn(long).length > 0);
    assert(wordsIn(long).length > 0);
  });
});
