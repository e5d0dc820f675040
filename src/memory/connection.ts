import { PrecedentError } from '../domain/error.ts';
import type { Memory } from './memory.ts';

/** The memory behind a server: opened with the first call, again after it was unavailable, and closed by `finish`. */
export class Connection {
  readonly #open: () => Promise<Memory>;
  #memory: Promise<Memory> | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(open: () => Promise<Memory>) {
    this.#open = open;
  }

  readonly call: Memory['call'] = (...args) => {
    const running = this.#call(...args);
    this.#pending.add(running);
    const done = () => this.#pending.delete(running);
    running.then(done, done);
    return running;
  };

  /** Waits for the calls that run, then closes: a save is not lost because its client hung up. */
  async finish(): Promise<void> {
    await Promise.allSettled([...this.#pending]);
    await this.#close();
  }

  async #call(...args: Parameters<Memory['call']>): Promise<Record<string, unknown>> {
    try {
      this.#memory ??= this.#open();
      return await (await this.#memory).call(...args);
    } catch (error) {
      if (error instanceof PrecedentError && error.code === 'unavailable') await this.#close();
      throw error;
    }
  }

  async #close(): Promise<void> {
    const memory = this.#memory;
    this.#memory = undefined;
    await memory?.then((opened) => opened.close()).catch(() => {});
  }
}
