import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

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
      writeFileSync(file, `${process.pid} ${hostname()}`, { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (isTaken && isLeft(file, leftBehind)) {
        rmSync(file, { force: true });
        continue;
      }
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
