import { PrecedentError } from '../domain/error.ts';
import type { MemoryCore } from './core.ts';

/** What a server needs of a memory. */
export type ServedMemory = Pick<
  MemoryCore,
  'call' | 'sendFacts' | 'takeFacts' | 'isOutdated' | 'endConversation' | 'close'
>;

/** A memory that was opened, or is being opened, and how many calls are under way on it. */
interface Opened {
  memory: Promise<ServedMemory>;
  calls: number;
  /** No further call begins on it: it is closed when the last one under way has ended. */
  isRetired: boolean;
}

/**
 * The memory behind a server: opened with the first call, again after it was unavailable or outdated, and closed by `finish`. A call
 * that finds it unavailable does not close it under the calls that still wait for their turn.
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

  /** Does something with the memory, as a call. */
  use<Result>(work: (memory: ServedMemory) => Promise<Result>): Promise<Result> {
    const running = this.#use(work);
    const done = () => this.#pending.delete(ended);
    const ended: Promise<unknown> = running.then(done, done);
    this.#pending.add(ended);
    return running;
  }

  /** Waits until fewer calls run than that. */
  async below(most: number): Promise<void> {
    while (this.#pending.size >= most) await Promise.race(this.#pending);
  }

  /** Waits until no call runs. */
  async settled(): Promise<void> {
    await this.below(1);
  }

  /**
   * Waits for the calls that run, then closes: a save is not lost because its client hung up.
   * @param conversation one that ends with it (M-12)
   */
  async finish(conversation?: string): Promise<void> {
    await this.settled();
    const opened = this.#current;
    this.#current = undefined;
    if (!opened) return;
    if (conversation !== undefined) {
      await opened.memory.then((memory) => memory.endConversation(conversation)).catch(() => {});
    }
    await close(opened);
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
      // One that was opened for this very call shows all that was saved before the call.
      if (!known || !memory.isOutdated()) return await work(memory);
      this.#retire(opened);
      return await this.#use(work);
    } catch (error) {
      const isUnavailable = error instanceof PrecedentError && error.code === 'unavailable';
      // What is open on a disk that became full can still be read.
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
