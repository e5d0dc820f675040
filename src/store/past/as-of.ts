import { type CompiledQuery, type DatabaseConnection, sql } from 'kysely';
import { refusingIndex } from '../document.ts';
import type { Db } from '../engine.ts';
import { STORED } from '../kinds/kinds.ts';
import { through } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { decisionViews } from './decisions.ts';
import { memoViews } from './memos.ts';
import { observationViews } from './observations.ts';
import type { Lost, Part, Past, View } from './past.ts';
import { recordViews } from './records.ts';

/** Thrown where the text index is asked: it knows the texts of today alone. */
export class IndexNeeded extends Error {}

/**
 * The memory as it was at a moment (U-5): every statement sees views in the place of the tables, so that all that reads
 * a memory reads its past, unchanged. The views are common table expressions in front of the statement, and are called
 * as the tables are.
 * @param at milliseconds UTC; it is `now` as well
 * @param part when given, only this part of the memory is seen
 * @returns a transaction that only reads. Who asks it for words gets {@link IndexNeeded}
 */
export async function asOf(tx: Tx, at: number, part?: Part): Promise<Tx> {
  const past: Past = {
    ...tx.views,
    at: sql.lit(at),
    part,
    lost: await lostSince(tx, at),
  };
  const families = [...decisionViews(past), ...observationViews(past), ...memoViews(past)];
  const views = [...families, ...plainViews(past, families), ...recordViews(past)].map(
    ({ name, rows, once }) => {
      const { sql: text } = rows.compile(tx.db.withoutPlugins());
      return { name, text, clause: `${name} as ${once ? '' : 'not '}materialized (${text})` };
    },
  );
  return { ...tx, db: changed(tx.db, (statement) => withViews(views, statement)), now: at, text: NO_INDEX };
}

/** The records of all other kinds, which never change: they are there from their date on. */
function plainViews({ at, table }: Past, others: View[]): View[] {
  return Object.values(STORED)
    .filter((kind) => !others.some(({ name }) => name === kind.table))
    .map(({ table: name, at: moment }) => ({
      name,
      rows: sql`select x.* from ${table(name)} as x where ${sql.ref(`x.${moment}`)} <= ${at}`,
    }));
}

/** What was deleted after a moment. @param at milliseconds UTC */
async function lostSince(tx: Tx, at: number): Promise<Lost> {
  const { rows } = await sql<{ kind: string }>`
    select distinct c.kind from changes as c where c.created_at > ${at} and c.kind in ('unrelated', 'renamed')`.execute(
    tx.db,
  );
  const has = (kind: string) => rows.some((row) => row.kind === kind);
  return { relations: has('unrelated'), topics: has('renamed') };
}

interface Clause {
  name: string;
  text: string;
  clause: string;
}

/** A statement with the views that it reads, and those that they read, in front of it. */
function withViews(views: readonly Clause[], statement: string): string {
  const used: string[] = [];
  let read = statement;
  for (const { name, text, clause } of views.toReversed()) {
    // The tables themselves are named behind the schema that they are in.
    if (!new RegExp(`(?<!\\."?)\\b${name}\\b`).test(read)) continue;
    used.unshift(clause);
    read += ` ${text}`;
  }
  if (used.length === 0) return statement;
  const [own = ''] = /^\s*with\s+/i.exec(statement) ?? [];
  return `with ${used.join(', ')}${own ? ', ' : ' '}${statement.slice(own.length)}`;
}

/** The same transaction, each of whose statements is changed before it is sent. */
function changed(db: Db, change: (statement: string) => string): Db {
  const executor = db.getExecutor();
  return through(db, {
    provideConnection: (use, options) =>
      executor.provideConnection((connection) => use(changing(connection, change)), options),
  });
}

function changing(connection: DatabaseConnection, change: (statement: string) => string): DatabaseConnection {
  const changed = <R>(query: CompiledQuery<R>) => ({ ...query, sql: change(query.sql) });
  return {
    executeQuery: (query) => connection.executeQuery(changed(query)),
    streamQuery: (query, size) => connection.streamQuery(changed(query), size),
  };
}

const NO_INDEX = refusingIndex(() => {
  throw new IndexNeeded();
});
