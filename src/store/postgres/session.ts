import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Patience } from '../engine.ts';
import { isLost } from './fault.ts';
import { areNamesLost, nameOf } from './prepared.ts';
import { onRows } from './rows.ts';
import { ANSWERING, type Lent } from './servers.ts';

/** Milliseconds to wait for the answer to a statement. A timer takes no more than these 24 days. */
const LIMITS: Record<Patience, number> = { usual: ANSWERING, unhurried: 2 ** 31 - 1 };

/** The mark of a writer: it is committed or rolled back with its transaction. */
export interface Mark {
  number: number;
  value: string;
}

/**
 * Rows that are written before the server makes its plans for checking references anew. Made for two hundred rows they take
 * any index that begins with the workspace, and read all of that for each row that comes later (N-5).
 */
const PLANNED = 1_000;

/** A connection for the time of one transaction. */
export class Session implements DatabaseConnection {
  readonly #lent: Lent;
  readonly #patience: Patience;
  #written = 0;
  /** Whether it is of no more use, and closed when it is released. */
  isBroken = false;
  /** The mark of this writer. */
  mark: Mark | undefined;

  constructor(lent: Lent, patience: Patience) {
    this.#lent = lent;
    this.#patience = patience;
  }

  /** A statement of the store: the transaction says how long it may take. */
  async executeQuery<Row>({
    sql: text,
    parameters,
  }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.query(onRows(text), parameters, this.#patience);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    if (changes) this.#written += rowCount ?? 0;
    if (this.#written >= PLANNED) {
      this.#written = 0;
      await this.query('discard plans');
    }
    return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  /** @param patience `usual` for what begins and ends a transaction: that takes no longer in a large memory */
  async query(text: string, parameters: readonly unknown[] = [], patience: Patience = 'usual') {
    try {
      const name = nameOf(text);
      const limited = {
        text,
        values: [...parameters],
        query_timeout: LIMITS[patience],
        ...(name && { name }),
      };
      return await this.#lent.client.query(limited);
    } catch (error) {
      if (isLost(error) || areNamesLost(error)) this.isBroken = true;
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here reads row by row.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('not supported');
  }

  /** A second time does nothing. */
  release(): void {
    this.#lent.release(this.isBroken);
  }
}
