import { PrecedentError } from '../domain/error.ts';

/** Calls of one memory that run at once: each waits for the same disk, and more of them only make each slower. */
const RUNNING = 4;
/** Calls that may wait for their turn: further calls are refused until one has begun (H-5). */
const WAITING = 64;
/** What one token may have of each: one place is always left for another token (Z-5). */
const OF_ONE = { running: RUNNING - 1, waiting: WAITING / 2 };

/** The calls of one token. */
interface Line {
  running: number;
  /** Each begins a call that waits, in the order in which they came. */
  waiting: (() => void)[];
}

/** Lets calls through a few at a time: by turns among the tokens, and those of one token in their order (H-5, Z-5). */
export class Queue {
  #running = 0;
  /** By token; the one whose turn is next is first. */
  readonly #lines = new Map<string, Line>();

  /** How many wait. */
  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /**
   * Runs the work when it is its turn.
   * @param token the name of the token that calls
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
   * Gives the place to the next call that waits, before one that comes now could take it. That call begins after others of
   * this process had their turn: an embedded database answers without a pause (Z-5).
   */
  #next(): void {
    for (const [token, line] of this.#lines) {
      if (line.waiting.length === 0 || !this.#mayBegin(line)) continue;
      // Its next turn is after all others.
      this.#lines.delete(token);
      this.#lines.set(token, line);
      this.#begin(line);
      const begin = line.waiting.shift();
      if (begin) setImmediate(begin);
      return;
    }
  }
}

/** The refusal of a call that may be made a moment later. */
export function busy(message: string): PrecedentError {
  return new PrecedentError('unavailable', `${message} Try again in a second.`, { reason: 'busy' });
}
