import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { causeIn, complaintsIn } from './complaint.ts';

/** As in a memory in which each word is in one record. */
const RARE = { documents: 150, of: { get: () => 1 } as unknown as Map<string, number> };
const tells = (record: string, output: string, failure?: string) =>
  causeIn(record, complaintsIn(output), RARE, failure) > 0;

describe('the cause of an error', () => {
  it('[RE-4] is in a record that quotes the message, among other words', () => {
    const record = '빌드가 "JavaScript heap out of memory"로 끝나면 생성 폴더를 뺀다.';
    assert(tells(record, 'FATAL ERROR: Allocation failed - JavaScript heap out of memory'));
    assert(!tells(record, 'FATAL ERROR: out of memory'));
    assert(!tells('It ended with "file not found".', 'Error: file not found: a.txt'), 'words of any error');
  });

  it('[RE-4] is in a record that has five words of the message in a row', () => {
    const record = 'Unsupported class file major version 65 means that the daemon runs on another Java.';
    assert(tells(record, "BUG! exception in phase 'x' Unsupported class file major version 65"));
    assert(!tells(record, 'error: class file has wrong version 65.0'));
    const counted = 'Reading 40100 as printed gives "Gateway exception 2: illegal register address".';
    assert(tells(counted, 'ERROR read 40203 failed: Gateway exception 7: illegal register address'));
  });

  it('[RE-4] is not in a record that has rare words of the message in another order', () => {
    const record =
      'The pull through the proxy registry fails at night, since its mirror of Docker images expires.';
    assert(!tells(record, 'Error: cannot pull mirror images through the registry proxy: Docker expired'));
  });

  it('[RE-4] is in what tells the failure of a name that the error has', () => {
    const record = 'QuotaReportTest는 월말에만 실패한다. 시계를 고정한다.';
    assert(tells(record, 'QuotaReportTest > sums FAILED'));
    assert(!tells('QuotaReportTest covers months.', 'QuotaReportTest > sums FAILED'), 'tells no failure');
    const why = 'The kiosk browser sets frame-src by itself.';
    assert(tells(`Show the map in a frame.\n${why}`, `violates the directive: "frame-src 'self'"`, why));
    for (const name of ['package.json', 'schemas.yaml', 'java.lang.OutOfMemoryError'])
      assert(!tells(`${name} fails here.`, `Error: ${name} (line 3)`), name);
  });

  it('[RE-4] is not in a record that has one word of the message, however often, or the name of its class', () => {
    const push = 'Do not delete those tokens: the phone of the owner stops getting notices.';
    const output = 'notice.NoticeController required a bean of type notice.NoticeSearch that was not found';
    assert(!tells(push, output));
    const proto = "'TypeError: Descriptors cannot be created directly' fails in pricing.";
    assert(!tells(proto, "TypeError: Cannot read properties of undefined (reading 'length')"));
    assert(
      !tells('One insert for each row created too many parts.', 'Expected one of: INSERT, WITH, CREATE'),
    );
  });

  it('[Z-12] is looked for in the time that the texts take', async () => {
    const long = 'frame-src fails "one two three" '.repeat(100);
    const output = 'error: one two three four five '.repeat(12).concat('\n').repeat(200);
    await withinProcessorTime(2_000, () => tells(long, output));
  });
});
