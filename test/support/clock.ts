import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import timers from 'node:timers/promises';

/** What happens while the product pauses for so many milliseconds. @param signal what would end the pause early */
type Pause = (milliseconds: number, signal: AbortSignal | undefined) => unknown;

/**
 * Replaces the pauses of everything in this process until the test ends: `await setTimeout(ms)` takes as long as what
 * is given here, at once when nothing is. So a test sees how long a pause would have been without waiting for it.
 */
export function replacePauses(test: TestContext, pause: Pause = () => {}): number[] {
  const pauses: number[] = [];
  const replaced = test.mock.method(timers, 'setTimeout', (async (
    milliseconds = 0,
    value?: unknown,
    options: { signal?: AbortSignal } = {},
  ) => {
    options.signal?.throwIfAborted();
    pauses.push(milliseconds);
    await pause(milliseconds, options.signal);
    return value;
  }) as typeof timers.setTimeout);
  // Modules that have imported the function see the other one only after this.
  syncBuiltinESMExports();
  test.after(() => {
    replaced.mock.restore();
    syncBuiltinESMExports();
  });
  return pauses;
}

/**
 * Stops the clock by which deadlines are kept (`performance.now`) for everything in this process until the test ends.
 * @returns lets milliseconds pass
 */
export function stopClock(test: TestContext): (milliseconds: number) => void {
  let now = performance.now();
  test.mock.method(performance, 'now', () => now);
  return (milliseconds) => {
    now += milliseconds;
  };
}

/**
 * Runs some work and fails if it took more of the processor than this. On a busy machine work takes longer by the clock
 * on the wall, and about as long by this one, if nothing else runs in the process meanwhile. The time is not returned:
 * two measured times, compared with each other, say something of the machine, not of the code.
 * @param milliseconds several times what the work takes
 * @param what names the work where it fails
 */
export async function withinProcessorTime<T>(
  milliseconds: number,
  work: () => T | Promise<T>,
  what = 'it',
): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const taken = (user + system) / 1_000;
  assert(taken < milliseconds, `${what}: ${taken} ms of the processor, expected less than ${milliseconds}`);
  return result;
}

/** NODE_OPTIONS of a program that runs some code before its own. */
export const first = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

/** NODE_OPTIONS of a program in which no request that it sends is ever overdue. */
export const NEVER_OVERDUE = first('AbortSignal.timeout = () => new AbortController().signal;');

/** NODE_OPTIONS of a program that never loses its patience: it waits for what it waits for, however long that takes. */
export const PATIENT = `--import=${import.meta.resolve('./patient.js')}`;

/** NODE_OPTIONS of a program for which it is always this moment. @param now milliseconds UTC */
export const asIfAt = (now: number) =>
  first(
    `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(${now}); }
      static now() { return ${now}; }
    };`,
  );
