import { PrecedentError } from '../domain/error.ts';
import type { MemoryCore } from './core.ts';

/** The part of a memory that a server needs. */
export type ServedMemory = Pick<MemoryCore, 'call' | 'sendFacts' | 'takeFacts' | 'isOutdated' | 'close'>;

/** A memory that was opened, or is being opened, and how many calls are under way on it. */
interface Opened {
  memory: Promise<ServedMemory>;
  calls: number;
  /** No further call begins on it: it is closed when the last one under way has ended. */
  isRetired: boolean;
}

/**
 * The memory behind a server: opened with the first call, again after it was unavailable or outdated, and closed by `finish`.
 * If one call finds it unavailable, it stays open until the other calls have ended.
 */
export class Connection {
  readonly #open: () => Promise<ServedMemory>;
  /** Each settles when a call has ended, however it ended. */
  readonly #pending = new Set<Promise<unknown>>();
  #current: Opened | undefined;

  constructor(open: () => Promise<ServedMemory>) {
    this.#open = open;
  }

  readonly call: MemoryCore['call'] = (...args) => this.use((memory) => memory.call(...args));

  /** Runs work on the memory, which counts as a call. */
  use<Result>(work: (memory: ServedMemory) => Promise<Result>): Promise<Result> {
    const running = this.#use(work);
    const done = () => this.#pending.delete(ended);
    const ended: Promise<unknown> = running.then(done, done);
    this.#pending.add(ended);
    return running;
  }

  /** Waits until fewer than `most` calls run. */
  async below(most: number): Promise<void> {
    while (this.#pending.size >= most) await Promise.race(this.#pending);
  }

  /** Waits until no call runs. */
  async settled(): Promise<void> {
    await this.below(1);
  }

  /** Waits for the calls that run, then closes: a save is not lost because its client hung up. */
  async finish(): Promise<void> {
    await this.settled();
    const opened = this.#current;
    this.#current = undefined;
    if (opened) await close(opened);
  }

  async #use<Result>(work: (memory: ServedMemory) => Promise<Result>): Promise<Result> {
    const known = this.#current;
    const opened = known ?? { memory: this.#open(), calls: 0, isRetired: false };
    this.#current = opened;
    opened.calls++;
    let isOpen = false;
    try {
      const memory = await opened.memory;
      isOpen = true;
      // A memory that was opened for this call is never outdated.
      if (!known || !memory.isOutdated()) return await work(memory);
      this.#retire(opened);
      return await this.#use(work);
    } catch (error) {
      const isUnavailable = error instanceof PrecedentError && error.code === 'unavailable';
      // A memory that is open when its disk becomes full can still be read.
      if (isUnavailable && !(isOpen && error.reason === 'full')) this.#retire(opened);
      throw error;
    } finally {
      opened.calls--;
      if (opened.isRetired && opened.calls === 0) await close(opened);
    }
  }

  #retire(opened: Opened): void {
    opened.isRetired = true;
    if (this.#current === opened) this.#current = undefined;
  }
}

async function close({ memory }: Opened): Promise<void> {
  await memory.then((opened) => opened.close()).catch(() => {});
}
