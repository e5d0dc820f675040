import type { Db } from '../engine.ts';

/** Connections that read at most: a server runs as many reads of one memory at once. */
const MOST = 4;

/**
 * The connections that reads take turns on, opened as they are needed: a read that takes long keeps neither a write nor a
 * short read waiting (Z-12).
 */
export class Readers {
  readonly #open: () => Promise<Db>;
  readonly #all: { db: Promise<Db>; pending: number }[] = [];

  constructor(open: () => Promise<Db>) {
    this.#open = open;
  }

  async use<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const reader = this.#free();
    reader.pending++;
    try {
      return await work(await reader.db);
    } finally {
      reader.pending--;
    }
  }

  /** Runs work while nothing is read. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const nested = this.#all.reduce(
      (inner, { db }) =>
        async () =>
          (await db).connection().execute(inner),
      work,
    );
    return nested();
  }

  async close(): Promise<void> {
    for (const { db } of this.#all.splice(0)) await (await db).destroy();
  }

  #free() {
    const [least] = this.#all.toSorted((a, b) => a.pending - b.pending);
    if (least && (least.pending === 0 || this.#all.length === MOST)) return least;
    const reader = { db: this.#open(), pending: 0 };
    this.#all.push(reader);
    // The next read tries again.
    reader.db.catch(() => this.#all.splice(this.#all.indexOf(reader), 1));
    return reader;
  }
}
