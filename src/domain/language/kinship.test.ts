import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Kinship } from './kinship.ts';

describe('kin of words', () => {
  const areKin = (one: string, other: string) =>
    new Kinship([one]).has(other) && new Kinship([other]).has(one);

  it('[A-3] are the words that an English one begins or ends with, of five letters and more', () => {
    assert(areKin('vacuum', 'autovacuum'));
    assert(areKin('merge', 'mergequeue'));
    assert(!areKin('port', 'transport'), 'four letters are within many words');
    assert(!areKin('vacuum', 'autovacuumed'), 'in the middle');
    assert(!areKin('utf16', 'utf16le'), 'signs of a system are no words');
  });

  it('[A-3] are the forms of a Korean verb', () => {
    for (const form of ['닫힌', '닫힐', '닫힘', '닫힙', '닫혔'])
      assert.equal(areKin('닫히', form), form !== '닫혔', form);
    assert(areKin('막혀', '막혔'));
    assert(!areKin('닫히', '갇히'));
    assert(!areKin('서버', '서벅'), 'another last consonant is another word');
    assert(!areKin('예약', '약'), 'one syllable says too little');
  });

  it('[A-3] are none of other scripts and numbers', () => {
    assert(!areKin('12345', '123456'));
    assert(!areKin('予約', '予納'));
  });
});
