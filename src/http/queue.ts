import { type PrecedentError, unavailable } from '../domain/error.ts';

/** Calls of one memory that run at once. They share one disk, so more of them would only slow each other down. */
const RUNNING = 4;
/** Calls that may wait. Further calls fail immediately with `unavailable` (H-5). */
const WAITING = 64;
/** The share of one token: one place is always left for others (Z-5). */
const OF_ONE = { running: RUNNING - 1, waiting: WAITING / 2 };

/** The calls of one token. */
interface Line {
  running: number;
  /** Functions that begin the waiting calls, first come first. */
  waiting: (() => void)[];
}

/** A queue with limited concurrency: tokens take turns, calls of one token keep their order (H-5, Z-5). */
export class Queue {
  #running = 0;
  /** By token, in the order of their turns. */
  readonly #lines = new Map<string, Line>();

  /** The number of waiting calls. */
  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Whether no call runs or waits. */
  get isIdle(): boolean {
    return this.#lines.size === 0;
  }

  /**
   * Runs the work when it is its turn.
   * @param token the name of the caller's token
   * @throws PrecedentError `unavailable`, as `busy`, when too many calls wait already, of this token or in all
   */
  async run<Result>(token: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(token) ?? { running: 0, waiting: [] };
    if (this.#mayBegin(line)) this.#begin(line);
    else {
      if (line.waiting.length >= OF_ONE.waiting)
        throw busy(`Too many calls of this token wait for this memory, ${OF_ONE.waiting}.`);
      if (this.waiting >= WAITING) throw busy('Too many calls wait for this memory.');
      await new Promise<void>((begin) => {
        line.waiting.push(begin);
        this.#lines.set(token, line);
      });
    }
    this.#lines.set(token, line);
    try {
      return await work();
    } finally {
      this.#running--;
      line.running--;
      this.#next();
      if (line.running + line.waiting.length === 0) this.#lines.delete(token);
    }
  }

  #mayBegin({ running }: Line): boolean {
    return this.#running < RUNNING && running < OF_ONE.running;
  }

  #begin(line: Line): void {
    this.#running++;
    line.running++;
  }

  /**
   * Begins the next waiting call before a new one could take its place. It begins in a later turn of the event loop: an
   * embedded database would otherwise never yield (Z-5).
   */
  #next(): void {
    for (const [token, line] of this.#lines) {
      if (line.waiting.length === 0 || !this.#mayBegin(line)) continue;
      // The token moves to the end of the order.
      this.#lines.delete(token);
      this.#lines.set(token, line);
      this.#begin(line);
      const begin = line.waiting.shift();
      if (begin) setImmediate(begin);
      return;
    }
  }
}

/** The error for a call that may be repeated a moment later. */
export function busy(message: string): PrecedentError {
  return unavailable.busy(`${message} Try again in a second.`);
}
