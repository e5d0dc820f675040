import assert from 'node:assert/strict';
import type { ExecFileException } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
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
 * Stops the clock by which deadlines are kept (`performance.now`, `process.hrtime`) for everything in this process until the test ends.
 * @returns lets milliseconds pass
 */
export function stopClock(test: TestContext): (milliseconds: number) => void {
  let now = performance.now();
  test.mock.method(performance, 'now', () => now);
  test.mock.method(process.hrtime, 'bigint', () => BigInt(Math.round(now * 1e6)));
  return (milliseconds) => {
    now += milliseconds;
  };
}

/** Moves the clock by which moments are written down for everything in this process. @returns lets milliseconds pass */
export function moveDate(test: TestContext): (milliseconds: number) => void {
  const { now } = Date;
  let passed = 0;
  test.mock.method(Date, 'now', () => now() + passed);
  return (milliseconds) => {
    passed += milliseconds;
  };
}

/**
 * A git that answers too late, without any time passing: its time is over as soon as it is asked.
 * @returns words of the questions that it is too late for, such as `config`, which a test adds and removes
 */
export function lateGit(test: TestContext): Set<string> {
  const late = new Set<string>();
  const processes = process.getBuiltinModule('node:child_process');
  const { execFile } = processes;
  type Call = [string, string[], object, (error: ExecFileException | null) => void];
  test.mock.method(processes, 'execFile', (...call: Call) => {
    const [, words, , answer] = call;
    if (!words.some((word) => late.has(word))) return execFile(...call);
    setImmediate(() => answer(Object.assign(new Error('too late'), { killed: true })));
    return {};
  });
  return late;
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

/** NODE_OPTIONS of a program without deadlines: every one that a test starts. */
export const PATIENT = `--require="${join(import.meta.dirname, 'patient.cjs').replaceAll('\\', '/')}"`;

/** NODE_OPTIONS of a program that runs some code before its own. */
export const first = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

/** NODE_OPTIONS of a program whose pauses are over at once: what it waits for no longer than a pause does not come. */
export const NO_PAUSES = first(
  `process.getBuiltinModule('node:timers/promises').setTimeout = async (_, value) => value;
  process.getBuiltinModule('node:module').syncBuiltinESMExports();`,
);

/** NODE_OPTIONS of a program whose clock is moved by {@link moveClock}: its deadlines pass when the test says so. */
export const withClock = (file: string) =>
  first(
    `import { existsSync, readFileSync } from 'node:fs';
    const { setInterval } = globalThis;
    performance.now = () => (existsSync('${file}') ? Number(readFileSync('${file}')) : 0);
    process.uptime = () => performance.now() / 1_000;
    globalThis.setTimeout = (work, delay = 0, ...given) => {
      const due = performance.now() + delay;
      const timer = setInterval(() => {
        if (performance.now() < due) return;
        clearInterval(timer);
        work(...given);
      }, 5);
      return timer;
    };`,
  );

/** @param milliseconds since the program of {@link withClock} started */
export function moveClock(file: string, milliseconds: number): void {
  writeFileSync(`${file}.new`, String(milliseconds));
  renameSync(`${file}.new`, file);
}

/** NODE_OPTIONS of a program for which it is always this moment. @param now milliseconds UTC */
export const asIfAt = (now: number) =>
  first(
    `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(${now}); }
      static now() { return ${now}; }
    };`,
  );
