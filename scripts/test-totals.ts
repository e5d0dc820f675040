import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** What became of the tests of one run. */
export interface Totals {
  tests: number;
  passed: number;
  skipped: number;
  /** Each test that failed, with its place. A suite in which another test failed is not among them. */
  failed: string[];
}

/** A reporter for Node's test runner: writes {@link Totals} as JSON when all tests have ended. */
export default async function* totals(source: AsyncIterable<TestEvent>) {
  const counted: Totals = { tests: 0, passed: 0, skipped: 0, failed: [] };
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details.type === 'suite';
    if (type === 'test:fail' && failureType(data.details.error) !== 'subtestsFailed')
      counted.failed.push(`${relative('', data.file ?? '')}:${data.line ?? ''} ${data.name}`);
    if (isSuite) continue;
    counted.tests++;
    if (data.skip !== undefined) counted.skipped++;
    else if (type === 'test:pass') counted.passed++;
  }
  yield JSON.stringify(counted);
}

/** @returns undefined where a run ended before it could say */
export function readTotals(file: string): Totals | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : JSON.parse(text);
}

const failureType = (error: Error): unknown => 'failureType' in error && error.failureType;
