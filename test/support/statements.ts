import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A statement as a driver sent it. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that are prepared on SQLite and sent to PostgreSQL while some work runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { prepare } = DatabaseSync.prototype;
  const { query } = pg.Client.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string) {
    seen.push({ text, values: [] });
    return prepare.call(this, text);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args;
    const isText = typeof config === 'string';
    const text = isText ? config : (config as { text?: string } | undefined)?.text;
    const given = isText ? values : ((config as { values?: unknown[] }).values ?? values);
    if (text !== undefined) seen.push({ text, values: Array.isArray(given) ? given : [] });
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    pg.Client.prototype.query = query;
  }
  return seen;
}
