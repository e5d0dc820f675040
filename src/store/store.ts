import type { Log } from '../domain/log.ts';
import type { Db, Engine, Inspection } from './engine.ts';
import { retry } from './retry.ts';
import type { Author, Tx, Understanding } from './tx.ts';

/** What a memory is given from outside, so that tests can fix it. */
export interface StoreOptions {
  engine: Engine;
  workspace: string;
  clock: () => number;
  newId: () => string;
  /** For the operator: the detail that a caller must not see. */
  log: Log;
}

/** Runs units of work on an engine: retried while the database is busy or a race was lost, else failing fast. */
export class Store {
  readonly workspace: string;
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.workspace = options.workspace;
  }

  /** Runs in one snapshot that writes nothing and takes no write lock. */
  read<T>(author: Author, work: (tx: Tx) => Promise<T>, understood: Understanding = {}): Promise<T> {
    return this.#run('read only', author, work, understood);
  }

  /** Runs in one transaction; what it wrote is durable when this returns (D-9), or nothing of it is there. */
  write<T>(author: Author, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#run('read write', author, work);
  }

  inspect(): Promise<Inspection> {
    return this.#options.engine.inspect();
  }

  integrity(): Promise<string[]> {
    return this.#options.engine.integrity();
  }

  scrub(): Promise<boolean> {
    return retry(this.#options.engine, () => this.#options.engine.scrub(), this.#options.log);
  }

  close(): Promise<void> {
    return this.#options.engine.close();
  }

  async #run<T>(
    mode: 'read only' | 'read write',
    author: Author,
    work: (tx: Tx) => Promise<T>,
    understood: Understanding = {},
  ): Promise<T> {
    const { engine, clock, newId } = this.#options;
    const attempt = () =>
      engine.db
        .transaction()
        .setAccessMode(mode)
        .execute((db: Db) =>
          work({
            ...engine,
            db,
            now: clock(),
            author,
            workspace: this.workspace,
            newId,
            meaning: understood.meaning,
            degraded: understood.degraded,
            written: [],
          }),
        );
    return retry(engine, attempt, this.#options.log);
  }
}
