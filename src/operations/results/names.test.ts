import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordsOfName } from './names.ts';

describe('the words of a record by its name', () => {
  it('[RE-7] a Korean rule or failure keeps the verb at its end, which may say "not"', () => {
    const rule = '모든 데이터는 서울 리전 밖으로 나가지 않는다';
    assert.equal(wordsOfName(rule, { mark: 'lock' }), rule);
    assert.equal(wordsOfName(rule, { mark: 'failed' }), rule);
    assert.match(wordsOfName(rule, {}), /^모든 데이터는 서울 .*…$/);
    const english = 'No data of any customer ever leaves the region of Seoul, not even in backups or logs';
    assert.equal(wordsOfName(english, { mark: 'lock' }), wordsOfName(english, {}));
  });
});
