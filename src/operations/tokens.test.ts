import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { fewestTokens, tokenCounter } from './tokens.ts';

describe('[W-3] tokens', () => {
  it('are counted as the library counts them, in every script', async () => {
    const count = await tokenCounter();
    const texts = [
      '',
      'Keep session cookies; <|endoftext|> is text',
      '브라우저에는 아무 뜻 없는 난수 세션 식별자만 내려보낸다. 😀👩‍👩‍👧‍👦 ﷽ \u0000\ud800',
      'a'.repeat(999),
      "a  b \u00a0c \t d '  s  !! ?",
      " \n\t \r\n  xÄÖÜß don’t DON'T 1234567 日本語テキスト العربية हिन्दी",
      ...['README.md', 'src/domain/language/stop-words.ts', 'bench/data/backend.jsonl'].flatMap((file) =>
        readFileSync(file, 'utf8').split('\n'),
      ),
    ];
    for (const text of texts) {
      assert.equal(count(text), countTokens(text, { disallowedSpecial: new Set() }), text);
      assert(fewestTokens(text) <= count(text), text);
    }
  });
});
