import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A statement as a driver sent it. */
export interface Statement {
  text: string;
  values: unknown[];
  /** The round trip that it was sent in, from 1: what is sent while answers are awaited goes along. On SQLite 0. */
  trip: number;
}

/**
 * The statements that are prepared on SQLite and sent to PostgreSQL while some work runs. Nobody sees an answer of a trip
 * before all of them are there, so that it does not depend on the machine what goes along with what.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  let trip = 0;
  let pending = 0;
  let all = Promise.withResolvers<void>();
  const { prepare } = DatabaseSync.prototype;
  const { query } = pg.Client.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
    seen.push({ text, values: [], trip: 0 });
    return prepare.call(this, text);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const sent = (query as (...all: unknown[]) => unknown).apply(this, args);
    if (!(sent instanceof Promise)) return sent;
    if (pending++ === 0) {
      trip++;
      all = Promise.withResolvers();
    }
    const [config, values] = args;
    const { text, values: own } = typeof config === 'string' ? { text: config } : (config as pg.QueryConfig);
    seen.push({ text, values: own ?? (Array.isArray(values) ? values : []), trip });
    const { promise, resolve } = all;
    return sent.finally(() => {
      if (--pending === 0) resolve();
      return promise;
    });
  } as typeof query;
  try {
    await work();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    pg.Client.prototype.query = query;
  }
  return seen;
}

/** How often work waits for PostgreSQL. */
export async function waitsOf(work: () => Promise<unknown>): Promise<number> {
  return (await statementsOf(work)).at(-1)?.trip ?? 0;
}
