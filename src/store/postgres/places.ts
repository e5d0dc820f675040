import { unavailable } from '../../domain/error.ts';

/** Milliseconds to wait for a place: as long as whoever has one may wait for the server. */
const WAITING = 30_000;

/**
 * A bounded number of places (OP-3). Nobody holds more than half of them: a memory whose calls all wait for one lock leaves
 * places for others. Of those who wait, whoever holds the fewest comes first, and among equals whoever has waited longest.
 */
export class Places {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: { who: string; go: () => void }[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#free = most;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when there is a place.
   * @returns gives it back, once
   * @throws PrecedentError `unavailable` when all are held for half a minute
   */
  async take(who: string): Promise<() => void> {
    if (this.#free > 0 && this.#mayHold(who)) this.#hold(who);
    else await this.#turn(who);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(who);
      isHeld = false;
    };
  }

  #turn(who: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const one = { who, go: () => resolve(clearTimeout(timer)) };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        const message = `Expected one of the ${this.#most} connections of this process to the database, found all of them in use for ${WAITING / 1000} s. Try again.`;
        reject(unavailable.busy(message));
      }, WAITING);
      this.#waiting.push(one);
    });
  }

  #hold(who: string): void {
    this.#free--;
    this.#held.set(who, this.#heldBy(who) + 1);
  }

  #giveBack(who: string): void {
    this.#free++;
    const held = this.#heldBy(who) - 1;
    if (held > 0) this.#held.set(who, held);
    else this.#held.delete(who);
    const [next] = this.#waiting
      .filter(({ who: each }) => this.#mayHold(each))
      .sort((one, other) => this.#heldBy(one.who) - this.#heldBy(other.who));
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#hold(next.who);
    next.go();
  }

  #mayHold(who: string): boolean {
    return this.#heldBy(who) < this.#most / 2;
  }

  #heldBy(who: string): number {
    return this.#held.get(who) ?? 0;
  }
}
