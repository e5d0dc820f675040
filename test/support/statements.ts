import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A statement as a driver sent it. */
export interface Statement {
  text: string;
  values: unknown[];
  /**
   * The round trip that it was sent in, from 1: what is sent before any statement of the last trip was answered goes
   * along with it. On SQLite there are none, and it is 0.
   */
  trip: number;
}

/** The statements that are prepared on SQLite and sent to PostgreSQL while some work runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  let trip = 0;
  let isAnswered = true;
  const { prepare } = DatabaseSync.prototype;
  const { query } = pg.Client.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
    seen.push({ text, values: [], trip: 0 });
    return prepare.call(this, text);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args;
    const isText = typeof config === 'string';
    const text = isText ? config : (config as { text?: string } | undefined)?.text;
    const given = isText ? values : ((config as { values?: unknown[] }).values ?? values);
    if (isAnswered) trip++;
    isAnswered = false;
    const own = trip;
    if (text !== undefined) seen.push({ text, values: Array.isArray(given) ? given : [], trip });
    const sent = (query as (...all: unknown[]) => unknown).apply(this, args);
    const answered = () => {
      if (own === trip) isAnswered = true;
    };
    if (sent instanceof Promise) sent.then(answered, answered);
    return sent;
  } as typeof query;
  try {
    await work();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    pg.Client.prototype.query = query;
  }
  return seen;
}

/** How often work waits for PostgreSQL: what is sent while an answer is still to come goes along with it. */
export async function waitsOf(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let waits = 0;
  let pending = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (pending++ === 0) waits++;
    const answer = (query as (...all: unknown[]) => Promise<unknown>).apply(this, args);
    const answered = () => pending--;
    answer.then(answered, answered);
    return answer;
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return waits;
}
