import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { WORDS as KNOWN, SIGNS, SIGNS_AND_BLANKS } from './single-tokens.ts';
import { cutToTokens, tokensAtMost, tokensOfLine } from './tokens.ts';

const TEXTS = ['backend', 'product', 'farm'].flatMap((name) =>
  readFileSync(`bench/data/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => Object.values(JSON.parse(line)))
    .filter((value): value is string => typeof value === 'string' && value !== ''),
);
const PAGES = globSync(['docs/**/*.md', 'src/**/*.ts']).flatMap((file) =>
  readFileSync(file, 'utf8').split(/\n{2,}/),
);
const WORDS = [...new Set(TEXTS.flatMap((text) => text.split(/\s+/)))];

// What looks like a sign of the model is text here.
const asText = { disallowedSpecial: new Set<string>() };
const isBelow = (text: string) => tokensAtMost(text) < countTokens(text, asText);
const between = (first: number, last: number) =>
  fc.integer({ min: first, max: last }).map((code) => String.fromCharCode(code));

describe('tokens at most', () => {
  it('[A-3] are never fewer than o200k counts, in texts of English and Korean, documents and code', () => {
    assert.deepEqual([...TEXTS, ...PAGES].filter(isBelow), []);
    const ratio =
      TEXTS.reduce((sum, text) => sum + tokensAtMost(text), 0) /
      TEXTS.reduce((sum, text) => sum + countTokens(text), 0);
    assert(ratio < 1.75, `a budget holds ${ratio} times less than it could`);
  });

  it('[A-3] are never fewer for lines of words, ids, dates and signs', () => {
    const word = fc.constantFrom(...WORDS);
    const piece = fc.oneof(
      { weight: 6, arbitrary: word },
      fc.uuid(),
      fc.uuid().map((id) => `(${id.slice(0, 8)})`),
      fc.constantFrom('[stands · auth · 2026-11-22]', '⚠️', '“', '”', '—', '`x_y`', '{}', '✔', '🙂'),
      fc.nat().map(String),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 8, maxLength: 60 }), (pieces) => {
        const text = pieces.join(' ');
        return !isBelow(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[A-3] are never fewer for whatever Unicode there is, in any order', () => {
    const units = [
      ...(['grapheme', 'binary', 'binary-ascii'] as const),
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz    '),
      fc.constantFrom(...'abcdefXYZABC0123456789-   '),
      fc.constantFrom(...' \n\t\r\u00a0a1(예가'),
      between(0xac00, 0xd7a3),
      between(0x3040, 0x9fff),
    ];
    for (const unit of units)
      fc.assert(
        fc.property(fc.string({ unit, maxLength: 90 }), (text) => !isBelow(text)),
        { numRuns: 600 },
      );
  });

  it('[A-3] what counts as one token is one', () => {
    const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
    const forms = [...KNOWN].flatMap((word) => [word, capital(word)]);
    const alone = [...forms, ...SIGNS, ...SIGNS_AND_BLANKS];
    const behindBlank = [...forms, ...SIGNS_AND_BLANKS].map((each) => ` ${each}`);
    assert.deepEqual(
      [...alone, ...behindBlank].filter((each) => countTokens(each) !== 1),
      [],
    );
  });

  it('[A-3] a line adds to a text what it takes by itself', () => {
    const lines = TEXTS.map((text) => `- ${text.replace(/\s+/g, ' ').trim()}.`);
    for (const [at, line] of lines.entries()) {
      const text = lines[at - 1] ?? '';
      assert.equal(tokensAtMost(`${text}\n${line}`), tokensAtMost(text) + tokensOfLine(line), line);
    }
  });

  it('[A-3] a text is cut until it fits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.integer({ min: 8, max: 60 }), (text, most) => {
        assert(tokensAtMost(cutToTokens(text, most)) <= most);
      }),
    );
    assert.equal(cutToTokens('short', 20), 'short');
  });
});
