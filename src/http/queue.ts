import { PrecedentError } from '../domain/error.ts';

/** Calls of one memory that run at once: each waits for the same disk, and more of them only make each slower. */
const RUNNING = 4;
/** Calls that may wait for their turn: who comes later is told at once to come again (H-5). */
const WAITING = 64;

/** Lets calls through in the order in which they came, a few at a time (H-5). */
export class Queue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the work when it is its turn. @throws PrecedentError `unavailable`, as `busy`, when too many wait already */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= RUNNING) {
      if (this.#waiting.length >= WAITING)
        throw new PrecedentError(
          'unavailable',
          'Too many calls wait for this memory. Try again in a second.',
          {
            reason: 'busy',
          },
        );
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      // The place goes straight to the next one: who comes now cannot take it first.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
