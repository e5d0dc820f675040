import type { ServerResponse } from 'node:http';
import { busy } from './queue.ts';

/** Limits for unread answers in bytes, and the time to read one in milliseconds. */
const MOST = { ofOne: 32 * 2 ** 20, inAll: 128 * 2 ** 20, milliseconds: 120_000 };

interface Waiting {
  token: string;
  bytes: number;
  late: NodeJS.Timeout;
}

/**
 * Answers that clients have not read yet. They are held in memory, so they are limited for each token and in all (Z-5).
 */
export class Unread {
  readonly #most: typeof MOST;
  /** By response: a batch has several answers in one. */
  readonly #waiting = new Map<ServerResponse, Waiting>();

  constructor(most: Partial<typeof MOST> = {}) {
    this.#most = { ...MOST, ...most };
  }

  /**
   * Checks whether another answer of a token may be held.
   * @param bytes of that answer, if known
   * @throws PrecedentError `unavailable`, as `busy`
   */
  check(token: string, bytes = 0): void {
    const { ofOne, inAll } = this.#most;
    if (this.#sum((each) => each.token === token) + bytes >= ofOne)
      throw busy(`Too many answers to this token wait to be read (${ofOne / 2 ** 20} MiB).`);
    if (this.#sum(() => true) + bytes >= inAll) throw busy('Too many answers wait to be read.');
  }

  /** Counts an answer until it was read or its client is gone. A client that takes too long is disconnected. */
  add(token: string, bytes: number, response: ServerResponse): void {
    const known = this.#waiting.get(response);
    if (known) {
      known.bytes += bytes;
      known.late.refresh();
      return;
    }
    if (isGone(response)) return;
    const forget = () => {
      clearTimeout(late);
      this.#waiting.delete(response);
    };
    const cutOff = () => {
      response.req.socket.destroy();
      forget();
    };
    const late = setTimeout(cutOff, this.#most.milliseconds).unref();
    this.#waiting.set(response, { token, bytes, late });
    response.once('close', forget);
  }

  #sum(isCounted: (waiting: Waiting) => boolean): number {
    return [...this.#waiting.values()].filter(isCounted).reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** Whether the client that would read a response has hung up. */
export function isGone(response: ServerResponse): boolean {
  return response.req.socket.destroyed;
}
