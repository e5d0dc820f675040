/** Clients that are remembered, and ids of each: the oldest are forgotten first. */
const CLIENTS = 1_000;
const IDS = 500;
/** Milliseconds without a call after which all is new to a client: over HTTP no session ends. */
const SESSION = 3_600_000;

/** The result of a recall, as far as it shows records. */
interface Result {
  entries?: unknown;
  others?: { words?: unknown };
}

/**
 * The ids of what each client was shown on its connection, so that `recall` spends its spare words on other rules (RE-7). Only a
 * process remembers it: a read writes nothing.
 */
export class Shown {
  readonly #of = new Map<string, { at: number; ids: string[] }>();

  /** @param now milliseconds UTC */
  to(client: string, now: number): string[] {
    const { at, ids } = this.#of.get(client) ?? { at: 0, ids: [] };
    return now - at < SESSION ? ids : [];
  }

  add(client: string, result: Result, now: number): void {
    const some = [result.entries, result.others?.words].flatMap((list) =>
      Array.isArray(list) ? list.flatMap((each) => (typeof each?.id === 'string' ? each.id : [])) : [],
    );
    const ids = [...new Set([...some, ...this.to(client, now)])].slice(0, IDS);
    // The client that called last is the last.
    this.#of.delete(client);
    this.#of.set(client, { at: now, ids });
    const [oldest] = this.#of.keys();
    if (this.#of.size > CLIENTS && oldest !== undefined) this.#of.delete(oldest);
  }
}
