import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { hold } from '../memory/engines.ts';

/** How long a lock is waited for, and after how long it counts as left behind, in milliseconds. */
export interface Patience {
  patience: number;
  leftBehind: number;
}

/**
 * Does work while nobody else has the lock: a file that is there as long. That of a process which was killed is taken over.
 * @param file its folder is there
 * @param refusal says that it cannot be taken, by the error of the file system: EEXIST while another process has it
 */
export async function locked<Result>(
  file: string,
  { patience, leftBehind }: Patience,
  work: () => Result | Promise<Result>,
  refusal: (cause: unknown) => Error,
): Promise<Result> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      take(file);
      break;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (isTaken && isLeft(file, leftBehind) && (await takeAway(file, leftBehind))) continue;
      if (!isTaken || performance.now() > deadline) throw refusal(error);
      await sleep(20);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Makes the file, and throws EEXIST where it is there. On a full disk none is left that nobody has. */
function take(file: string): void {
  const made = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(made, `${process.pid} ${hostname()}`);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(made);
  }
}

/**
 * Removes a lock that was left behind. Of several that find it, one at a time does, and looks again: what it finds by then
 * may be the new lock of another.
 * @returns false while another one does
 */
async function takeAway(file: string, leftBehind: number): Promise<boolean> {
  const guard = `${file}.left`;
  const release = await hold(guard);
  if (!release) return false;
  try {
    if (isLeft(file, leftBehind)) rmSync(file, { force: true });
    return true;
  } finally {
    // Windows removes no file that is open.
    release();
    rmSync(guard, { force: true });
  }
}

/** Waits until nobody has the lock; nothing is created. @param refusal when that takes too long */
export async function untilFree(
  file: string,
  { patience, leftBehind }: Patience,
  refusal: () => Error,
): Promise<void> {
  // Told when there is something to wait for: the clock is a module that takes 2 ms to load.
  let deadline: number | undefined;
  while (existsSync(file) && !isLeft(file, leftBehind)) {
    deadline ??= performance.now() + patience;
    if (performance.now() > deadline) throw refusal();
    await sleep(20);
  }
}

function isLeft(file: string, leftBehind: number): boolean {
  const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return since > 0 && (Math.abs(Date.now() - since) > leftBehind || isGone(file));
}

/** Whether the process that has it is gone; of another machine, or another container, that cannot be told. */
function isGone(file: string): boolean {
  try {
    const [, pid, host] = readFileSync(file, 'utf8').match(/^(\d+) (.+)$/) ?? [];
    if (pid === undefined || host !== hostname()) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
