import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earlierFailureWarning, failureToName, quotedEarlier, resembles } from './failures.ts';

const LOCKED = 'Hold a slot with SELECT … FOR UPDATE while the form is open';
const REDIS = 'Hold a slot with a key in Redis, expiring after 10 minutes';
const failures = [
  { id: 'a', version: 1, decision: LOCKED, outcomeReason: 'the pool ran dry' },
  { id: 'b', version: 2, decision: REDIS, outcomeReason: 'failover lost all holds' },
];
const named = (text: string, asked?: string) => failureToName(failures, text, asked);

describe('which failure is named', () => {
  it('[T-2] the version that says the same, whatever is asked', () => {
    const found = named(`${LOCKED} `, 'Redis keys');
    assert.deepEqual([found?.id, found?.isRepeat, found?.more], ['a', true, 1]);
  });

  it('[T-2] else the one that shares most words with what is asked, or with why it failed', () => {
    assert.equal(named('Rows', 'lock the slot FOR UPDATE when the form opens')?.id, 'a');
    assert.equal(named('Rows', 'keep holds in Redis')?.id, 'b');
    assert.equal(named('Rows', 'the pool of connections is empty')?.id, 'a');
  });

  it('[T-2] else the newest that says why', () => {
    assert.equal(named('Rows')?.id, 'b');
    assert.equal(named('Rows', 'hold a slot')?.id, 'b', 'both say it');
    assert.equal(named('Rows', 'dark mode')?.id, 'b');
    const silent = { id: 'c', version: 3, decision: 'Nothing', outcomeReason: null };
    assert.equal(failureToName([...failures, silent], 'Rows')?.id, 'b');
    assert.deepEqual(failureToName([silent], 'Rows'), silent);
    assert.equal(failureToName([], 'Rows'), undefined);
  });

  it('[T-2] Korean is compared as English is', () => {
    const korean = [
      { id: 'a', version: 1, decision: '예약을 레디스에 둔다', outcomeReason: '장애 때 사라졌다' },
      { id: 'b', version: 2, decision: '예약을 파일에 쓴다', outcomeReason: '느리다' },
    ];
    assert.equal(failureToName(korean, '예약을 표에 둔다', '레디스에 두자')?.id, 'a');
    assert(resembles('예약은 레디스에 두기로 한다', '예약을 레디스에 둔다'));
    assert(!resembles('예약을 표에 쓴다', '예약을 레디스에 둔다'));
  });
});

describe('how a failure is named', () => {
  it('[T-2] a relapse, what is like it, and a cure are told apart', () => {
    const warning = (text: string) => {
      const failure = named(text, text);
      return failure && earlierFailureWarning(failure, text);
    };
    assert.equal(warning(LOCKED), '⚠️ this was v1, and it failed: “the pool ran dry” (a); 1 more failed');
    assert.equal(
      warning('Redis keys hold slots again, expiring after 20 minutes'),
      `⚠️ an earlier version like this, with other numbers, failed: v2 “${REDIS}” (b) — “failover lost all holds”; 1 more failed`,
    );
    assert.match(
      warning('Redis keys hold slots, expiring after 10 minutes') ?? '',
      /version like this failed: v2/,
    );
    assert.equal(
      warning('Rows in a table of holds'),
      `⚠️ an earlier version failed; this replaces it: v2 “${REDIS}” (b) — “failover lost all holds”; 1 more failed`,
    );
  });

  it('[T-2] lists say which version, whether it said the same, and how many more', () => {
    const [failure] = failures;
    assert(failure);
    assert.equal(quotedEarlier(failure), `v1 “${LOCKED}” — “the pool ran dry”`);
    assert.equal(
      quotedEarlier({ ...failure, isRepeat: true, more: 2 }),
      'v1, which said the same: “the pool ran dry”; 2 more failed',
    );
  });
});
