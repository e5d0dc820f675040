import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { didYouMean } from './near.ts';

describe('the name that was probably meant', () => {
  it('[U-4] of Hangul by letters, since a short name has few syllables', () => {
    assert.equal(didYouMean('결재', ['인증', '결제']), ' Did you mean "결제"?');
    assert.equal(didYouMean('결재', ['인증', '검색']), '');
    assert.equal(didYouMean('paymnet', ['auth', 'payment']), ' Did you mean "payment"?');
  });
});
