import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient, QueryConfig } from 'pg';
import { isLost } from './fault.ts';

/** Statements that take the longer the more a memory holds: nobody can say when their answer is overdue. */
const GROWING =
  /^\s*(vacuum|analyze|select pg_advisory_xact_lock|select count|delete from [\w"]+\s*$|insert into keyword_connections|update decisions set is_active)/;
const UNHURRIED = 24 * 60 * 60 * 1_000;

/** A connection for the time of one transaction. */
export class Session implements DatabaseConnection {
  readonly #client: PoolClient;
  #isBroken = false;
  /** What this writer left behind, and what was there before it. */
  marks: { own: string; before: string } | undefined;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>({
    sql: text,
    parameters,
  }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.query(text, parameters);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  async query(text: string, parameters: readonly unknown[] = []) {
    try {
      const values = [...parameters];
      return await this.#client.query(
        GROWING.test(text) ? ({ text, values, query_timeout: UNHURRIED } as QueryConfig) : { text, values },
      );
    } catch (error) {
      if (isLost(error)) this.#isBroken = true;
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here reads row by row.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('not supported');
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  discard(): void {
    this.#isBroken = true;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }
}
