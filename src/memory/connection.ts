import { PrecedentError } from '../domain/error.ts';
import type { Memory } from './memory.ts';

/** The memory behind a server: opened when first needed, again after it was unavailable, and closed in the end. */
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

  /** What was begun is finished: a save that the client has asked for is not lost because it hung up. */
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
