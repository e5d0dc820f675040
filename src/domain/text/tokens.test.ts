import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { cutToTokens, estimateTokens } from './tokens.ts';

const LINES = ['backend', 'product', 'farm'].flatMap((name) =>
  readFileSync(`bench/data/${name}.jsonl`, 'utf8').trim().split('\n'),
);
const TEXTS = LINES.flatMap((line) => Object.values(JSON.parse(line))).filter(
  (value): value is string => typeof value === 'string' && value !== '',
);
const DOCUMENTS = globSync('docs/**/*.md').flatMap((file) => readFileSync(file, 'utf8').split(/\n{2,}/));
const isKorean = (text: string) => (text.match(/[가-힣]/g)?.length ?? 0) > 0.3 * text.length;
// What looks like a control token of a model is text here.
const count = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

const CLASSES: Record<string, string[]> = {
  'English prose': TEXTS.filter((text) => text.includes(' ') && !/[가-힣]/.test(text)),
  'English documents': DOCUMENTS.filter((text) => !/[가-힣|`]/.test(text)),
  'Korean prose': TEXTS.filter(isKorean),
  'JSON answers': LINES,
  'paths of code': globSync('{src,test,scripts}/**/*.ts').map((file) => file.replaceAll('\\', '/')),
};

describe('estimated tokens', () => {
  for (const [name, texts] of Object.entries(CLASSES))
    it(`[A-3] [W-3] are within 15 % of o200k_base: ${name}`, (test) => {
      assert(texts.length > 100);
      const sum = (of: (text: string) => number) => texts.reduce((all, text) => all + of(text), 0);
      const ratio = sum(estimateTokens) / sum(count);
      test.diagnostic(ratio.toFixed(3));
      assert(Math.abs(ratio - 1) <= 0.15, `${ratio}`);
    });

  it('are none of nothing, and never less than those of a part', () => {
    assert.equal(estimateTokens(''), 0);
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS), (one, other) => {
        assert(estimateTokens(`${one}\n${other}`) >= Math.max(estimateTokens(one), estimateTokens(other)));
      }),
    );
  });

  it('[A-3] a text is cut until it fits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.integer({ min: 8, max: 60 }), (text, most) => {
        assert(estimateTokens(cutToTokens(text, most)) <= most);
      }),
    );
    assert.equal(cutToTokens('short', 20), 'short');
  });
});
