import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { cutToTokens, tokensAtMost } from './tokens.ts';

const TEXTS = ['backend', 'product', 'farm'].flatMap((name) =>
  readFileSync(`bench/data/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => Object.values(JSON.parse(line)))
    .filter((value): value is string => typeof value === 'string' && value !== ''),
);
const WORDS = [...new Set(TEXTS.flatMap((text) => text.split(/\s+/)))];

describe('tokens at most', () => {
  it('[A-3] are never fewer than o200k counts, in texts of English and Korean', () => {
    assert.deepEqual(
      TEXTS.filter((text) => tokensAtMost(text) < countTokens(text)),
      [],
    );
    const ratio =
      TEXTS.reduce((sum, text) => sum + tokensAtMost(text), 0) /
      TEXTS.reduce((sum, text) => sum + countTokens(text), 0);
    assert(ratio < 2.2, `a budget holds ${ratio} times less than it could`);
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
        return tokensAtMost(text) >= countTokens(text);
      }),
      { numRuns: 2_000 },
    );
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
