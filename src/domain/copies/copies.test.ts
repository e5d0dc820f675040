import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSentences, sentencesOf, stillSays, termsToCount } from './copies.ts';

const says = (old: string, next: string | undefined, text: string, about?: string): boolean => {
  const correction = { old, next };
  const frequencies = { documents: 500, of: new Map(termsToCount(correction).map((term) => [term, 5])) };
  const readings = readSentences(sentencesOf(text).map((sentence) => ({ text: sentence, about })));
  return stillSays(correction, readings, frequencies).length > 0;
};

/** Copies of texts whose successors share no word with them, and what only looks like one. */
const wholeCopies = (
  [
    ['Keep JWTs in local storage', 'Session cookies, HttpOnly', 'Keep JWTs in local storage.', true],
    ['Keep JWTs in local storage', 'Session cookies, HttpOnly', 'Keep JWTs in localStorage.', true],
    ['Send mail with SES', 'Postmark alone', 'Send mail with SES.', true],
    ['JWT를 로컬 스토리지에 둔다', 'HttpOnly 세션 쿠키를 쓴다', 'JWT를 로컬 스토리지에 둔다.', true],
    ['메일은 SES로 보낸다', 'Postmark만 쓴다', '메일은 SES로 보낸다.', true],
    ['Keep JWTs in local storage', 'Session cookies, HttpOnly', 'Never keep JWTs in local storage.', false],
    ['Keep JWTs in local storage', 'Session cookies, HttpOnly', 'Keep drafts in local storage.', false],
    ['Send mail with SES', 'Postmark alone', 'We used to send mail with SES.', false],
    ['JWT를 로컬 스토리지에 둔다', 'HttpOnly 세션 쿠키를 쓴다', 'JWT를 로컬 스토리지에 두지 않는다.', false],
    ['Redis', 'Rows in PostgreSQL', 'Redis keeps the counters of each show.', false],
  ] as const
).map(([old, next, text, isTwin]) => [`a copy, ${isTwin}`, old, next, text, isTwin] as const);

describe('stillSays', () => {
  const CACHE = 'Responses of the price API are cached for 10 minutes.';
  const FIVE = 'Responses of the price API are cached for 5 minutes.';
  const TESTS = 'Unit tests of every package run with Jest.';
  const VITEST = 'Unit tests of every package run with Vitest.';
  const MIGRATE = 'DB migration은 배포할 때 자동으로 실행한다.';
  for (const [what, old, next, text, isTwin] of [
    ['the old value', CACHE, FIVE, 'Price API responses stay in the cache for ten minutes.', true],
    [
      'one sentence of several',
      CACHE,
      FIVE,
      'Ask ops first. The price API caches responses for 10 min.',
      true,
    ],
    ['the new value', CACHE, FIVE, 'Price API responses stay in the cache for five minutes.', false],
    ['both values', CACHE, FIVE, 'Price API responses are cached 5 minutes, not 10 minutes.', false],
    ['another unit', CACHE, FIVE, 'Price API responses are cached for 10 hours.', false],
    ['the value of another thing', CACHE, FIVE, 'Sessions of the admin page end after 10 minutes.', false],
    ['a past', CACHE, FIVE, 'Responses of the price API were cached for 10 minutes until March.', false],
    ['a no', CACHE, FIVE, 'Never cache responses of the price API for 10 minutes.', false],
    ['the old name', TESTS, VITEST, 'All packages use Jest for their unit tests.', true],
    ['the new name', TESTS, VITEST, 'All packages use Vitest for their unit tests.', false],
    ['a forbidden name', TESTS, VITEST, "Don't run unit tests of a package with Jest.", false],
    ['a story', TESTS, VITEST, 'We moved the unit tests of all packages from Jest to another runner.', false],
    ['what failed', TESTS, undefined, 'The unit tests of each package run with Jest.', true],
    ['a no to what failed', TESTS, undefined, 'Unit tests of packages do not run with Jest.', false],
    [
      'the old one in Korean',
      '로그는 90일 동안 보관한다.',
      '로그는 30일만 보관한다.',
      '서버 로그는 90일간 보관됩니다.',
      true,
    ],
    [
      'a past in Korean',
      '로그는 90일 동안 보관한다.',
      '로그는 30일만 보관한다.',
      '예전에는 로그를 90일 보관했다.',
      false,
    ],
    [
      'what is denied now',
      MIGRATE,
      'DB migration은 배포 때 자동으로 실행하지 않는다.',
      'DB migration은 배포할 때 자동으로 실행하지 않는다.',
      false,
    ],
    [
      'the rule of another thing',
      'All strings of the dashboard are translated to Korean before merge.',
      'Only the operator pages are translated to Korean before merge.',
      'All strings of the tablet app are translated to Korean before merge.',
      false,
    ],
    [
      'the rule of another thing in its place',
      'Queries of the portal go to the read replica.',
      'Queries of the portal go to the primary.',
      'Queries of the statistics module go to the read replica.',
      false,
    ],
    [
      'the rule of another thing in the same words',
      'Autoverification stops a potassium result when it differs by more than 20 percent.',
      'Autoverification stops a potassium result when it differs by more than 15 percent.',
      'Autoverification stops creatinine when it differs by more than a fifth.',
      false,
    ],
    [
      'what must not be done in Korean',
      '접근 로그는 6개월간 보존한다.',
      '접근 로그는 12개월간 보존한다.',
      '접근 로그를 6개월 만에 지우면 안 된다.',
      false,
    ],
    [
      'an exception with its own place',
      'The CI runs on GitHub Actions.',
      'The CI runs on Buildkite.',
      'The CI of the partner SDK runs on GitHub Actions in its own repository.',
      false,
    ],
    [
      'another limit of the same number',
      'Partner API keys are limited to 100 requests a minute.',
      'Partner API keys are limited to 300 requests a minute.',
      'Exports of partner data are limited too: 100 rows a page.',
      false,
    ],
    ['something old', TESTS, VITEST, 'The old package keeps its unit tests in Jest.', false],
    [
      'what the next sentence sets apart',
      '문자는 알리고 API로 발송한다.',
      '문자는 SENS로 발송한다.',
      '이벤트 문자는 알리고 API로 발송한다. 우리 시스템과는 무관.',
      false,
    ],
    [
      'what another name in brackets belongs to',
      '문자(SMS)는 알리고 API로 발송한다.',
      '문자(SMS)는 SENS로 발송한다.',
      '문자 메시지는 알리고의 발송 API를 호출해서 보낸다.',
      true,
    ],
    [
      'another name of the same thing',
      'We run PostgreSQL 14 everywhere.',
      'We run PostgreSQL 16 everywhere.',
      'Postgres 14 runs everywhere.',
      true,
    ],
    ...wholeCopies,
  ] as const)
    it(`${isTwin ? 'finds' : 'leaves out'} ${what}: ${text} [CC-3]`, () =>
      assert.equal(says(old, next, text), isTwin));

  for (const [old, same, other] of [
    [CACHE, 'Price API responses are cached for 600 seconds.', FIVE],
    [
      'Uploads are limited to 1 GB a file.',
      'Files are limited to uploads of 1024 MB.',
      'Uploads are limited to 2 GB a file.',
    ],
    ['The builds run on Node 20.', 'Every build runs on Node v20.', 'The builds run on Node 22.'],
    [
      'Build images start from node20-alpine.',
      'Each build image starts from node20-alpine.',
      'Build images start from node22-alpine.',
    ],
    [
      'The price API listens on port 4000.',
      'Price API: it listens on port 4,000.',
      'The price API listens on port 4100.',
    ],
    [
      'Requests of the price API time out after 500 ms.',
      'Price API requests time out after half a second.',
      'Requests of the price API time out after 500 minutes.',
    ],
    [
      'The price API allows 10k requests a day.',
      'The price API allows 10,000 requests a day.',
      'The price API allows 20k requests a day.',
    ],
    [
      'Cache of the price API is dropped above 80 %.',
      'The price API cache is dropped above 80%.',
      'Cache of the price API is dropped above 90 %.',
    ],
    ['로그는 1만 건까지 보관한다.', '로그는 10,000건까지 보관한다.', '로그는 2만 건까지 보관한다.'],
  ] as const)
    for (const [how, next] of [
      ['withdrawn', undefined],
      ['replaced by a name', old.replace(/price API|Uploads|builds|node|로그/, 'mail gateway')],
    ] as const)
      it(`names another value of what was ${how} never: ${other} [CC-3]`, () => {
        if (next === undefined) assert.equal(says(old, next, same), true);
        assert.equal(says(old, next, other), false);
      });

  it('takes the words above a sentence for what it is about [CC-3]', () => {
    const [old, next] = ['The price API listens on port 4000.', 'The price API listens on port 4100.'];
    assert.equal(says(old, next, 'It listens on 4000.', 'The price API'), true);
    assert.equal(says(old, next, 'It listens on 4000.', 'Storybook'), false);
  });
});
