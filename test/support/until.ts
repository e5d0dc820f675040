import timers from 'node:timers/promises';

// Kept now: tests replace what the module exports.
const { setImmediate: turn, setTimeout: sleep } = timers;

/**
 * Waits until this holds, however long that takes. What never happens is ended by the time limit of the test runner.
 * Tests wait for what they need, never for a while in which it should have happened (K-8).
 */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await sleep(5);
}

/** Lets everything run that is ready to, without any time passing. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 20; n++) await turn();
}
