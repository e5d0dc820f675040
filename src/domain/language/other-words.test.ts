import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { otherWords } from './other-words.ts';

const asked = (text: string) => otherWords(text).map((each) => each.asked);
const othersOf = (text: string) => otherWords(text)[0]?.others ?? [];

describe('[Q-1] what records may call a word instead', () => {
  it('is found for a word in any form, and for the longest phrase', () => {
    assert(othersOf('k8s').includes('kubernetes'));
    assert(othersOf('Pagerduty').includes('on call'));
    assert(othersOf('NoSQL').includes('mongodb'), 'a kind finds its products');
    assert.deepEqual(asked('two DATABASES'), ['database']);
    assert.deepEqual(asked('a full-text search'), ['full text search']);
    assert(othersOf('full text search').includes('fts'));
    assert.deepEqual(asked('zebra quokka'), []);
  });

  it('takes one step: what another word is called elsewhere is not looked for', () => {
    assert(othersOf('redis').includes('cache'));
    assert(!othersOf('redis').includes('memcached'));
  });

  it('reads Hangul from the beginning of a word, the longest entry first, with and without particles', () => {
    assert.deepEqual(asked('캐시를 어디에 두지'), ['캐시']);
    assert.deepEqual(othersOf('캐시는'), ['cache']);
    assert.deepEqual(asked('자바스크립트'), ['자바스크립트']);
    assert.deepEqual(asked('인증서 갱신')[0], '인증서');
    assert.deepEqual(asked('소프트 삭제'), ['소프트삭제']);
    assert.deepEqual(asked('소프트삭제'), ['소프트삭제']);
    assert.deepEqual(asked('냉장고'), [], '장고 does not begin it');
    assert.deepEqual([asked('큐를 비운다'), asked('큐레이션')], [['큐'], []]);
    assert.deepEqual(asked('인증토큰'), ['인증', '토큰'], 'a compound has two');
  });

  it('knows the names of products in both scripts', () => {
    assert.deepEqual(asked('카카오톡으로 보낸다'), ['카카오톡']);
    assert.deepEqual(othersOf('텔레그램 알림'), ['telegram']);
    assert(othersOf('kakao').includes('카카오') && othersOf('ansible').includes('앤서블'));
    assert.deepEqual(asked('온라인'), [], '라인 does not begin it');
  });

  it('knows everyday words of products, not only those of engineers', () => {
    const firsts = (text: string) => otherWords(text).map(({ others }) => others[0]);
    assert.deepEqual(firsts('환자가 의사를 고르면 시간표가 폰에 뜬다'), [
      'patient',
      'doctor',
      'timetable',
      'phone',
    ]);
    assert.deepEqual(firsts('고객의 후기와 영수증'), ['customer', 'review', 'receipt']);
  });

  it('reads Katakana where a run of it begins, and Han anywhere', () => {
    assert.deepEqual(othersOf('サーバー'), othersOf('サーバ'));
    assert.deepEqual(asked('本番環境の認証'), ['本番環境', '認証']);
    assert.deepEqual(asked('データベースの移行'), ['データベース', '移行']);
  });

  it('finds Korean and Japanese records for English words', () => {
    assert(othersOf('authentication').includes('인증'));
    assert(othersOf('authentication').includes('認証'));
  });
});
