import type { TestEvent } from 'node:test/reporters';

/** The exit code of a run in which a test failed. */
export const CAUGHT = 9;

/**
 * A reporter for Node's test runner: ends the process at the first test that fails, so that nothing more is run. A file that
 * cannot be loaded is reported as a test of its own name, and sometimes not at all.
 */
export default async function* firstFailure(source: AsyncIterable<TestEvent>) {
  let tests = 0;
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details.type === 'suite') continue;
    tests++;
    if (type === 'test:fail') process.exit(data.name.endsWith('.test.ts') ? 1 : CAUGHT);
  }
  if (tests === 0) process.exit(1);
  yield '';
}
