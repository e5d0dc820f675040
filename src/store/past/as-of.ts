import { type CompiledQuery, type DatabaseConnection, sql } from 'kysely';
import { RECORD_KINDS } from '../../domain/kinds.ts';
import { refusingIndex } from '../document.ts';
import type { Db } from '../engine.ts';
import { STORED } from '../kinds/kinds.ts';
import { query, through } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { decisionViews } from './decisions.ts';
import { memoViews, observationViews } from './observations.ts';
import { type Lost, nothing, type Past, retractedAt, since, there, type View } from './past.ts';

/** Thrown where the text index is asked: it knows the texts of today alone. */
export class IndexNeeded extends Error {}

/**
 * The memory as it was at a moment (U-5): every statement sees views instead of the tables, so that all that reads
 * a memory reads its past, unchanged. The views are common table expressions in front of the statement, and are called
 * as the tables are.
 * @param at milliseconds UTC; it is `now` as well
 * @returns a transaction that only reads; a search by words throws {@link IndexNeeded}
 */
export async function asOf(tx: Tx, at: number): Promise<Tx> {
  const past: Past = {
    ...tx.views,
    at: sql.lit(at),
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
function plainViews(past: Past, others: View[]): View[] {
  return Object.values(STORED)
    .filter((kind) => !others.some(({ name }) => name === kind.table))
    .map(({ table, at }) => since(past, table, at));
}

/** Kinds of things that were deleted after a moment. @param at milliseconds UTC */
async function lostSince(tx: Tx, at: number): Promise<Lost> {
  const rows = await query<{ kind: string }>(tx)`
    select distinct c.kind from changes as c where c.created_at > ${at} and c.kind in ('unrelated', 'renamed')`;
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
    // The tables themselves are qualified by their schema.
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

/** Tables of all kinds: the list of records, the changes, and the writers until then. */
function recordViews(past: Past): View[] {
  const { table } = past;
  const isThere = RECORD_KINDS.map(
    (kind) =>
      sql`when ${sql.lit(kind)} then (select count(*) from ${sql.id(there(STORED[kind].table))} as there where there.seq = r.seq)`,
  );
  // An observation that is deleted has a date of its own.
  const mark = retractedAt(past, sql`r.seq`, sql`r.retracted_at`);
  return [
    since(past, 'changes', 'created_at'),
    {
      name: 'records',
      rows: sql`select r.seq, r.kind, r.session, r.writer,
          case when r.kind = 'observation' then null else ${mark} end as retracted_at, r.uid
        from ${table('records')} as r where case r.kind ${sql.join(isThere, sql` `)} else 0 end = 1`,
    },
    {
      name: 'writers',
      // By way of the session, by which records are indexed, and which is itself the number of a writer.
      rows: sql`select w.* from ${table('writers')} as w where exists (select 1 from records as r where r.session = w.id)
        or exists (select 1 from records as r where r.writer = w.id
            and r.session = (select min(s.id) from ${table('writers')} as s where s.session = w.session))
        or w.id in (select c.writer from changes as c)
        or w.id in (select x.writer from relations as x)
        or w.id in (select o.writer from observations as o)
        or w.id in (select v.writer from observation_revisions as v)`,
    },
    // Where it came from is kept with what it is today.
    nothing(past, 'origins'),
    nothing(past, 'keptFacts'),
    // Vectors are computed from today's texts.
    nothing(past, 'vectors'),
  ];
}
