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

/** Milliseconds of the processor that this process spent on some work: the same however busy the machine is. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
