import { setTimeout as sleep } from 'node:timers/promises';
import { PrecedentError } from '../domain/error.ts';
import type { Db, Engine, Inspection } from './engine.ts';
import { type Author, LostRace, type Tx, type Understanding } from './tx.ts';

/** How long a transaction waits for its turn, in milliseconds. */
const PATIENCE = 10_000;
/** Longest pause between two tries, in milliseconds. Short: the lock is held for about a millisecond. */
const LONGEST_PAUSE = 50;
/** The same while a server is gone: it takes a while to come back, or another to take its place. */
const LONGEST_PAUSE_LOST = 250;
/** A lost race is rerun this often: twenty clients on one topic all get their version. */
const RACES = 50;

/** What a memory is given from outside, so that tests can fix it. */
export interface StoreOptions {
  engine: Engine;
  workspace: string;
  clock: () => number;
  newId: () => string;
  /** For the operator: the detail that a caller must not see. */
  log: (message: string) => void;
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

/**
 * Runs `attempt` until it succeeds, again after a lock wait, a lost race or a lost connection, within bounds.
 * @param patience how long to go on, in milliseconds
 * @throws PrecedentError always; anything unforeseen is `internal`, its detail only in the log
 */
export async function retry<T>(
  engine: Pick<Engine, 'fault'>,
  attempt: () => Promise<T>,
  log: (message: string) => void,
  patience = PATIENCE,
): Promise<T> {
  const deadline = performance.now() + patience;
  let races = 0;
  let longest = LONGEST_PAUSE;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof PrecedentError) throw error;
      const fault = error instanceof LostRace ? ({ kind: 'race' } as const) : engine.fault(error);
      if (fault.kind === 'unavailable')
        throw new PrecedentError('unavailable', fault.reason, { cause: error });
      const again = fault.kind !== 'bug' && (fault.kind !== 'race' || ++races <= RACES);
      if (!again) throw unforeseen(error, log);
      if (performance.now() > deadline) {
        const reason =
          fault.kind === 'lost'
            ? fault.reason
            : `The memory was busy for ${patience / 1000} seconds; nothing was written. Try again.`;
        throw new PrecedentError('unavailable', reason, { cause: error });
      }
      longest = fault.kind === 'lost' ? LONGEST_PAUSE_LOST : LONGEST_PAUSE;
    }
    await sleep(Math.random() * Math.min(longest, 2 ** tries));
  }
}

/** Hides what must not reach a caller, and logs it. */
export function unforeseen(error: unknown, log: (message: string) => void): PrecedentError {
  log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new PrecedentError('internal', 'Something unforeseen went wrong; the log has the detail.', {
    cause: error,
  });
}
