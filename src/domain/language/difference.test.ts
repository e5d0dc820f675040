import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differenceNote } from './difference.ts';

describe('differenceNote', () => {
  for (const [here, there, note] of [
    [
      'Retry payments 10 times',
      'Payments are retried three times before they fail',
      'Both: retry, payments · here 10 times, there three times',
    ],
    [
      'Store the audit log in Postgres',
      'The audit log lives in SQLite',
      'Both: audit, log · here postgres, there sqlite',
    ],
    ['Allow guest orders', 'Guest orders are forbidden', 'Both: guest, orders · here allow, there forbidden'],
    ['Backups are never encrypted', 'Encrypt backups', 'Both: backups, encrypted · only here “never”'],
    ['세션은 30분 뒤에 끊는다', '세션은 12분 뒤에 끊긴다', '둘 다: 세션 · 여기 30분, 저기 12분'],
    ['외부 접속을 허용한다', '외부 접속을 금지한다', '둘 다: 외부, 접속 · 여기 허용한다, 저기 금지한다'],
    ['환자 사진을 저장한다', '환자 사진은 저장하지 않는다', '둘 다: 환자, 사진 · 저기만 “않는다”'],
  ] as const)
    it(`[W-5] says of “${here}” and “${there}” what differs`, () => {
      assert.equal(differenceNote(here, there), note);
    });

  it('[W-5] says nothing where it sees no sign: the same amount, the same tool, no on both sides', () => {
    assert.equal(differenceNote('Retry 3 times', 'Three times at most'), undefined);
    assert.equal(differenceNote('Postgres it is', 'PostgreSQL, as decided'), undefined);
    assert.equal(differenceNote('Never deploy on Fridays', 'No deploys on Fridays'), undefined);
    assert.equal(differenceNote('A queue of 3 workers', 'Wait 10 seconds'), undefined);
    assert.equal(
      differenceNote('A probe reports every 10 seconds', 'The lens stock waits 5 seconds for an answer'),
      undefined,
    );
  });
});
