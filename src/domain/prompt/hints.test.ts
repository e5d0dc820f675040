import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { hintsText } from '../anchor.ts';
import { matchingHints, newlyHinted, sharingHints } from './hints.ts';

/** Which of these hints a text has. */
const found = (text: string, ...hints: string[]) =>
  matchingHints(text, [{ hints: hintsText(hints) }]).flatMap((each) => each.hints);

/** Texts, a hint that each has, and one that it does not have. */
const CASES: [text: string, has: string, hasNot: string][] = [
  // In any order, inflected, in any case.
  ['Keep the sessions in Redis', 'redis session', 'redis store'],
  ['Merging with lodash, please', 'LODASH merge', 'lodash clone'],
  ['세션을 레디스에 저장하자', '레디스 세션', '레디스 캐시'],
  ['레디스로 바꿔줘', '레디스', '레디'],
  ['Redis에 세션을 두자', 'redis 세션', 'redis 에'],
  ['JWT를 쓰자', 'jwt', 'jw'],
  // Compounds with a blank or without; half of one says something else.
  ['세션 저장소를 바꾸자', '세션저장소', '세션저장'],
  ['세션저장소를 바꾸자', '세션 저장소', '저장소'],
  ['메시지를 보내줘', '메시지', '메시'],
  ['메시지큐를 붙이자', '메시지 큐', '메시'],
  // Names.
  ["import merge from 'lodash/merge'", 'lodash.merge', 'lodash.clone'],
  ['npm install @scope/name --save', '@scope/name', '@other/name'],
  ['name of the scope', 'scope name', '@scope/name'],
  ['new RedisSessionStore(options)', 'redis session', 'redis cluster'],
  ['call getServerSideProps here', 'getServerSideProps', 'getStaticProps'],
  ['use drop_table()', 'drop_table', 'drop_column'],
  ['DROP TABLE IF EXISTS users;', 'drop table', 'drop column'],
  // Within a sentence or line, and near.
  ['Drop every row of the table', 'DROP TABLE', 'drop rowset'],
  ['table. Now drop the table', 'drop table', 'table rowset'],
  ['Keys of the cache', 'cache key', 'cache keyring'],
];

describe('hints in a text', () => {
  for (const [text, has, hasNot] of CASES)
    it(`[RE-16] "${text}" has "${has}", not "${hasNot}"`, () => {
      assert.deepEqual(found(text, has, hasNot), [has]);
    });

  it('[RE-16] the words of a phrase are in one sentence or line, and near each other', () => {
    for (const text of [
      'Drop it. Show the table',
      'drop it\nthe table',
      'Drop what we said about the colours of the page, and centre the table',
    ])
      assert.deepEqual(found(text, 'drop table'), [], text);
  });

  it('[RE-16] a phrase without letters, a blank list and an empty text match nothing', () => {
    assert.deepEqual(found('a => b', '=>', '[]'), []);
    assert.deepEqual(found('', 'redis'), []);
    assert.deepEqual(matchingHints('redis', [{ hints: '' }]), []);
  });

  it('[RE-16] fifteen hundred records with twelve hints each take little', async () => {
    const hex = (of: number) => (of * 7919).toString(36).padStart(4, 'k');
    const records = Array.from({ length: 1_500 }, (_, record) => ({
      hints: hintsText(
        Array.from({ length: 12 }, (_, at) => `${hex(record + at)} ${hex(record * at)} redis`),
      ),
    }));
    const prompt =
      'Keep the login sessions in Redis, 세션을 레디스에 두고 lodash merge for the settings table';
    // Ten times take about 50 ms; reading every phrase would take over 1,500.
    await withinProcessorTime(1_000, () => {
      for (let times = 0; times < 10; times++) assert.deepEqual(matchingHints(prompt, records), []);
    });
    const said = records.map((record, at) => ({ ...record, id: `${at}` }));
    await withinProcessorTime(1_000, () => assert.deepEqual(sharingHints(prompt, said), []));
  });

  it('[RE-16] a call is a hint for that call, and not for the word', () => {
    assert.deepEqual(found('x.expect("a stop")', '.expect('), ['.expect(']);
    assert.deepEqual(found('fails with expected 1 km, I expect', '.expect('), []);
    assert.deepEqual(found('row.toDouble() * 2', 'price.toDouble()', 'row.toDouble()'), ['row.toDouble()']);
  });

  it('[RE-16] what a person says shares words with several hints of a record; code does not', () => {
    const records = [
      { id: 'kafka', hints: hintsText(['Amazon MSK', 'kafka consumer group', '카프카 도입']) },
      { id: 'queue', hints: hintsText(['queue consumer', 'SQS']) },
    ];
    const prompt = 'I would like a durable log on MSK, and the ingest as a consumer of it';
    assert.deepEqual(sharingHints(prompt, records), ['kafka']);
    assert.deepEqual(newlyHinted(prompt, '', records), []);
    // Words that every prompt has, or that many records share, are not enough.
    for (const other of ['Rename the consumer', 'Add the group to the list', '카프카 문서 링크 좀'])
      assert.deepEqual(sharingHints(other, records), [], other);
  });

  it('[RE-16] a preposition of a phrase may be another one', () => {
    assert.deepEqual(
      found('Put the secret into values.yaml', 'secret in values.yaml', 'key in values.yaml'),
      ['secret in values.yaml'],
    );
  });
});
