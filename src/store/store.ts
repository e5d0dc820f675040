import { AsyncLocalStorage } from 'node:async_hooks';
import { invalid, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import type { Capabilities, Db, Engine, Location, Patience, Terms } from './engine.ts';
import { retry } from './retry.ts';
import { inTurn, type Share } from './turns.ts';
import type { Tx, Understanding, Writer } from './tx.ts';

/** Parts of a memory that come from outside, so that tests can fix them. */
export interface StoreOptions {
  engine: Engine;
  workspace: string;
  clock: () => number;
  newId: () => string;
  /** For the operator: the detail that a caller must not see. */
  log: Log;
  /** Whether the caller asked for a memory that refuses saves. */
  readOnly?: boolean;
}

/** How a unit of work differs from most. */
interface Options {
  /** Default: `usual`. */
  patience?: Patience;
  /** How long to wait for the turn, in milliseconds. Default: that of {@link retry}. */
  waiting?: number;
}
interface ReadOptions extends Options {
  understanding?: Understanding;
}
interface WriteOptions extends Options {
  /** Only what is derived from the records is written: it may go into a copy, too. */
  isDerived?: boolean;
}

/** For work on the whole memory: its statements take the longer, the more the memory holds. */
export const UNHURRIED = { patience: 'unhurried' } as const;

/** A callback of a store under way, and the one that it was called from. */
interface Inside {
  store: Store;
  isOver: boolean;
  outer: Inside | undefined;
}
const insides = new AsyncLocalStorage<Inside>();

const OPENED_READ_ONLY =
  'Expected a memory that can be written, found one opened with "readOnly": true. Open it without.';

const closed = () => unavailable.closed('The memory was closed. Open it again with openMemory.');

/** Runs units of work on an engine: retried while the database is busy or a race was lost, else failing fast. */
export class Store {
  readonly workspace: string;
  readonly #options: StoreOptions;
  readonly #running = new Set<Promise<unknown>>();
  readonly #calls = new Set<Promise<unknown>>();
  #isFinishing = false;
  #isClosed = false;
  readonly #share: Share = { used: 0 };
  readonly #capabilities: Capabilities;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.workspace = options.workspace;
    // Take only the capabilities of a transaction: none can close the engine.
    const { fault, lists, text, vectors, numbering, upkeep, views } = options.engine;
    this.#capabilities = { fault, lists, text, vectors, numbering, upkeep, views };
  }

  /** Runs in one snapshot that writes nothing and takes no write lock. */
  read<T>(writer: Writer, work: (tx: Tx) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    const { patience = 'usual', understanding } = options;
    return this.#run({ access: 'read', patience }, writer, work, { understanding });
  }

  /**
   * Runs in one transaction; what it wrote is durable when this returns (D-9), or nothing of it is there.
   * @throws PrecedentError `unavailable` where the memory is read through a copy
   */
  async write<T>(writer: Writer, work: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { patience = 'usual', isDerived = false, waiting } = options;
    const { copy } = this.#options.engine;
    if (copy && !isDerived) throw unavailable[copy.reason](copy.why);
    if (this.#options.readOnly && !isDerived) throw unavailable.read_only(OPENED_READ_ONLY);
    return this.#run({ access: 'write', patience }, writer, work, { waiting });
  }

  /** The time of its clock, in milliseconds UTC. */
  now(): number {
    return this.#options.clock();
  }

  /** Why nothing can be saved here; undefined where it can. */
  get readOnly(): string | undefined {
    return this.#options.engine.copy?.why ?? (this.#options.readOnly ? OPENED_READ_ONLY : undefined);
  }

  /** Whether it shows an earlier state, through a copy. */
  isOutdated(): boolean {
    return this.#options.engine.copy?.isOutdated() ?? false;
  }

  /** As {@link Engine.locate}. */
  locate(): Promise<Location> {
    return this.#options.engine.locate();
  }

  /** As {@link Engine.scrub}. */
  scrub(): Promise<boolean> {
    return retry(this.#options.engine, () => this.#options.engine.scrub(), this.#options.log);
  }

  /** Runs a function of the caller's, which may make no call of this memory: each would wait for the other. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    this.requireOutside();
    const inside: Inside = { store: this, isOver: false, outer: insides.getStore() };
    try {
      return await insides.run(inside, work);
    } finally {
      inside.isOver = true;
    }
  }

  /** @throws PrecedentError `invalid` inside a callback of this memory */
  requireOutside(): void {
    for (let inside = insides.getStore(); inside; inside = inside.outer)
      if (inside.store === this && !inside.isOver)
        throw invalid.not_applicable(
          'Expected no call of this memory from inside one of its callbacks, found one: each would wait for the other. In a transaction call "tx"; elsewhere make the call before or afterwards, or open the memory a second time for reading.',
        );
  }

  /** Makes a call, which does more than its transactions: {@link finishCalls} waits for all of it. */
  async duringCall<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isFinishing) throw closed();
    const running = call();
    this.#calls.add(running);
    return running.finally(() => this.#calls.delete(running));
  }

  /** Waits for the calls under way; those that come afterwards are refused. */
  async finishCalls(): Promise<void> {
    this.#isFinishing = true;
    await Promise.allSettled([...this.#calls]);
  }

  /** Waits for what is under way; what comes afterwards is refused. */
  async close(): Promise<void> {
    this.requireOutside();
    this.#isClosed = true;
    await Promise.allSettled([...this.#running]);
    await this.#options.engine.close();
  }

  async #run<T>(
    terms: Terms,
    writer: Writer,
    work: (tx: Tx) => Promise<T>,
    {
      understanding = {},
      waiting,
    }: { understanding?: Understanding | undefined; waiting?: number | undefined },
  ): Promise<T> {
    const { engine, clock, newId, log } = this.#options;
    const { meaning, degraded } = understanding;
    const attempt = () =>
      engine.transaction(terms, (db: Db) => {
        return this.guard(async () => {
          const now = clock();
          return work({
            ...this.#capabilities,
            db,
            now,
            entered: now,
            writer,
            writerRows: new Map(),
            workspace: this.workspace,
            newId,
            meaning,
            degraded,
            written: [],
            saved: { records: [], changes: [] },
            notes: [],
          });
        });
      });
    this.requireOutside();
    if (this.#isClosed) throw closed();
    const running = inTurn(this.#share, () => retry(engine, attempt, log, waiting));
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }
}
