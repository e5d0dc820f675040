import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { keywordName } from '../keyword.ts';
import { REDACTED, redact } from '../text/redaction.ts';
import { KEYWORDS_TAKEN, keywordsIn } from './keywords.ts';

const WORDS =
  '토큰 서버 캐시 배포 인증 게이트웨이 redis unity shader jwt k8s graphql 設計 データ мост café'.split(' ');
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.lorem({ maxCount: 30 }),
  fc
    .array(fc.constantFrom(...WORDS, '토큰을', '서버에서', 'The', REDACTED, '\n'), { maxLength: 60 })
    .map((words) => words.join(' ')),
);

describe('keywordsIn', () => {
  const cases: [text: string, keywords: string[]][] = [
    ['토큰을 게이트웨이에서 검증한다', ['토큰', '게이트웨이', '검증']],
    ['JWT를 PostgreSQL에서 Redis로 옮긴다', ['jwt', 'postgresql', 'redis']],
    ['사용자가 로그인하면 세션을 저장한다', ['사용자', '로그인', '세션', '저장']],
    ['앱을 배포했다. 앱에서 오류', ['앱', '배포', '오류']],
    ['이 서버는 매우 빠르다', ['서버']],
    ['그리고 하지만 그래서', []],
    ["the constructor of a class, don't __proto__", ['constructor', 'class', '__proto__']],
    ['10개를 3초에 내가 https://a.io', ['a.io']],
    ['the cache and a queue of the server', ['cache', 'queue', 'server']],
    ['Unity UNITY unity', ['unity']],
    ['JWT에서는 API처럼 Redis까지 k8s로서 Go입니다', ['jwt', 'api', 'redis', 'k8s', 'go']],
    ['k8s v2 2024 3.14 100', ['k8s', 'v2']],
    ['a b c ㄱ', []],
    ['ㅋㅋㅋ ㅠㅠ 🙂 !? …', []],
    ['東京タワーの設計', ['東京タワー', '設計']],
    ['메모해줘: 배포 절차를 기억해', ['배포', '절차']],
    ['', []],
  ];
  for (const [text, keywords] of cases) {
    it(`[M-9] takes ${keywords.join(', ') || 'nothing'} from "${text}"`, () =>
      assert.deepEqual(keywordsIn(text), keywords));
  }

  it('[M-9] what was redacted is no keyword, and parts what stands around it', () => {
    assert.deepEqual(keywordsIn(redact('token <private>hunter2</private> rotation')), ['token', 'rotation']);
    assert.deepEqual(keywordsIn(`${REDACTED}${REDACTED} ${REDACTED}`), []);
    assert.deepEqual(keywordsIn(`unity${REDACTED}shader`), ['unity', 'shader']);
  });

  it('[M-9] longer words than 40 characters are data', () => {
    assert.deepEqual(keywordsIn('x'.repeat(40)), ['x'.repeat(40)]);
    assert.deepEqual(keywordsIn('x'.repeat(41)), []);
    assert.deepEqual(keywordsIn(`hash ${'deadbeef'.repeat(8)}`), ['hash']);
  });

  it('[M-9] each once, in the order of first mention, when there are ten or fewer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...WORDS.slice(0, KEYWORDS_TAKEN)), { maxLength: 40 }),
        (words) => {
          assert.deepEqual(keywordsIn(words.join(', ')), [...new Set(words)]);
        },
      ),
    );
  });

  it('[M-9] of more than ten the most frequent, then the first, still in the order of mention', () => {
    assert.equal(KEYWORDS_TAKEN, 10);
    assert.deepEqual(keywordsIn(WORDS.join(' ')), WORDS.slice(0, 10));
    assert.deepEqual(keywordsIn([...WORDS, WORDS[15]].join(' ')), [...WORDS.slice(0, 9), WORDS[15]]);
    assert.deepEqual(keywordsIn('redis unity jwt unity jwt jwt', 2), ['unity', 'jwt']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 80 }), (words) => {
        const count = (word: string) => words.filter((each) => each === word).length;
        const distinct = [...new Set(words)];
        const kept = distinct.toSorted((a, b) => count(b) - count(a)).slice(0, 10);
        assert.deepEqual(
          keywordsIn(words.join(' ')),
          distinct.filter((word) => kept.includes(word)),
        );
      }),
    );
  });

  it('[M-9] the same keywords for composed and decomposed text (NFC, NFD), and each time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const keywords = keywordsIn(text);
        assert.deepEqual(keywordsIn(text.normalize('NFC')), keywords);
        assert.deepEqual(keywordsIn(text.normalize('NFD')), keywords);
        assert.deepEqual(keywordsIn(text), keywords);
      }),
      { numRuns: 500 },
    );
  });

  it('[M-9] names of keywords only, ten at most, none twice, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const keywords = keywordsIn(text);
        assert(keywords.length <= 10);
        assert.equal(new Set(keywords).size, keywords.length);
        for (const keyword of keywords) {
          assert.equal(keywordName(keyword), keyword);
          assert.match(keyword, /\p{L}/u);
          assert(!keyword.includes('redacted'), keyword);
        }
      }),
      { numRuns: 500 },
    );
  });
});
