import assert from 'node:assert/strict';
import timers from 'node:timers/promises';

// Kept now: tests replace what the module exports.
const { setImmediate: turn, setTimeout: sleep } = timers;

/**
 * Milliseconds between two looks, and how many looks are enough: two minutes on an idle machine, more on a busy one. A look
 * often asks a browser or a server, which works for it.
 */
const PAUSE = 20;
const LOOKS = 6_000;

/**
 * Waits until this holds, on a busy machine as long as that takes. Tests wait for what they need, never for a while in
 * which it should have happened (K-8). Looks are counted, since a clock would fail a test whose process gets no turn.
 * @throws AssertionError for what never happens, with the condition
 */
export async function until(holds: () => unknown): Promise<void> {
  for (let looks = 0; !(await holds()); looks++) {
    if (looks === LOOKS) assert.fail(`Expected this to become true, found it false ${LOOKS} times: ${holds}`);
    await sleep(PAUSE);
  }
}

/** Lets everything run that is ready to, without any time passing. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 20; n++) await turn();
}
