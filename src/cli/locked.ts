import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from '../memory/engines.ts';

/** How a lock is waited for. */
interface Waiting {
  /** Milliseconds. */
  patience: number;
  /** The error when it cannot be taken. @param cause of the file system; undefined while another process has it */
  refusal(cause: unknown): Error;
}

/** Does work while no other process has the lock. @param file represents it, and is there as long */
export async function locked<Result>(
  file: string,
  { patience, refusal }: Waiting,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const take = () => {
    try {
      return lock(file);
    } catch (error) {
      throw refusal(error);
    }
  };
  const deadline = performance.now() + patience;
  let release = take();
  while (!release) {
    if (performance.now() > deadline) throw refusal(undefined);
    await sleep(20);
    release = take();
  }
  try {
    return await work();
  } finally {
    release();
  }
}
