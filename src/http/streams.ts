import type { Grant } from './access/grant.ts';
import { refusal } from './status.ts';

/** Streams of one server that may wait for news at once: there is none that it sends, and each holds a connection. */
export const STREAMS = 64;
/** Those of one token (Z-5). */
const OF_ONE = 8;
/** How often it is looked whether the tokens still hold, in milliseconds. */
const CHECK = 5_000;

/** What a stream belongs to. */
interface Owner {
  grant: Grant;
  /** Whether the token that opened it still holds. */
  holds: () => Promise<boolean>;
}

/** The streams that wait for news: a few of each token, and none longer than its token holds (Z-5). */
export class Streams {
  readonly #open = new Map<AbortController, Owner>();
  readonly #check: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param check how often it is looked whether the tokens still hold, in milliseconds */
  constructor(check = CHECK) {
    this.#check = check;
  }

  /**
   * Answers a request for a stream.
   * @param open answers it; the stream ends when the request's signal is aborted
   * @returns 429 when the token has as many as it may
   */
  async answer(
    request: Request,
    { grant, holds }: Owner,
    open: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const own = [...this.#open.values()].filter((each) => each.grant.name === grant.name).length;
    if (own >= OF_ONE) {
      const message = `Expected at most ${OF_ONE} streams of one token, found as many open. Close one first.`;
      return refusal({ code: 'unavailable', message }, 429, { 'retry-after': '1' });
    }
    const ending = new AbortController();
    const ended = () => this.#forget(ending);
    this.#open.set(ending, { grant, holds });
    this.#timer ??= setInterval(() => void this.#endRevoked(), this.#check).unref();
    request.signal.addEventListener('abort', ended, { once: true });
    const { url, method, headers } = request;
    const signal = AbortSignal.any([request.signal, ending.signal]);
    try {
      const response = await open(new Request(url, { method, headers, signal }));
      const body = response.body?.pipeThrough(new TransformStream({ flush: ended }));
      if (!body) ended();
      return new Response(body, response);
    } catch (error) {
      ended();
      throw error;
    }
  }

  /** Looks no more whether tokens hold. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #endRevoked(): Promise<void> {
    for (const [ending, { grant, holds }] of [...this.#open]) {
      if (await holds()) continue;
      ending.abort(`The token "${grant.name}" no longer holds.`);
      this.#forget(ending);
    }
  }

  #forget(ending: AbortController): void {
    this.#open.delete(ending);
    if (this.#open.size === 0) this.close();
  }
}
