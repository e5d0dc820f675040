import { type RawBuilder, sql } from 'kysely';
import { insertRow } from './rows.ts';
import { query } from './statements.ts';
import type { Tx, Writer, WriterRow } from './tx.ts';

/** The columns of a {@link Writer}, for statements with {@link writersOf}. */
export const WRITER = sql`w.author, w.host, w.client, w.session`;

/** The writer `w` of each record `r`, for those of a table or a name in a statement. */
export const writersOf = (name: string) =>
  sql`join records as r on r.seq = ${sql.ref(`${name}.seq`)} join writers as w on w.id = r.writer`;

/**
 * The moment at which a record or a change was saved here, in milliseconds UTC; null unless that is later than its date, as of
 * what was entered with one (U-7). No save made what came by sync.
 * @param number of it @param at its date
 */
export const recorded = (number: RawBuilder<unknown>, at: RawBuilder<unknown>, of: Numbered = 'record') => {
  const [first, last] = [sql.ref(`s.first_${of}`), sql.ref(`s.last_${of}`)];
  return sql`(select case when ${last} >= ${number} and s.created_at > ${at} then s.created_at end
    from saves as s where ${first} <= ${number} order by ${first} desc limit 1)`;
};
/** What a save numbers. */
export type Numbered = 'record' | 'change';

/** A writer with what {@link recorded} says. */
export type Recorded = { recorded?: number | null };

/**
 * The row of the writer, which has one for each process and session (K-4): made with the first record, and looked up
 * once a transaction.
 * @param session when the caller names another one than the writer's own
 */
export async function writerRow(tx: Tx, session = tx.writer.session): Promise<WriterRow> {
  const known = tx.writerRows.get(session);
  if (known) return known;
  const row = await findOrInsert(tx, { ...tx.writer, session });
  tx.writerRows.set(session, row);
  return row;
}

async function findOrInsert(tx: Tx, { author, host, client, session }: Tx['writer']): Promise<WriterRow> {
  const rows = await query<{ id: number | null; session: number | null }>(tx)`
    select min(id) as session,
      min(case when client = ${client} and author = ${author} and host = ${host} then id end) as id
    from writers where session = ${session}`;
  const [found] = rows;
  const id = found?.id ?? (await insertRow(tx, 'writers', { author, host, client, session })).id;
  return { id, session: found?.session ?? id };
}

/** The programs that wrote here. */
export async function clientsHere(tx: Tx): Promise<string[]> {
  const rows = await query<{ client: string }>(tx)`select distinct client from writers`;
  return rows.map(({ client }) => client);
}

/** The writer of the record with this id (K-4). */
export async function writerOf(
  tx: Tx,
  table: 'anchors' | 'decisions' | 'memos',
  id: string,
): Promise<Writer & Recorded> {
  const [writer] = await query<Writer & Recorded>(tx)`
    select ${WRITER}, ${recorded(sql`x.seq`, sql`x.created_at`)} as recorded from ${sql.table(table)} as x ${writersOf('x')} where x.id = ${id}`;
  return writer as Writer & Recorded;
}

const severalAuthors = new WeakMap<Tx['db'], Promise<boolean>>();

/**
 * Whether more than one author wrote in this memory (W-3): names are shown only where they tell people apart. Asked for
 * once a transaction.
 */
export function hasSeveralAuthors(tx: Tx): Promise<boolean> {
  const known = severalAuthors.get(tx.db) ?? askForAuthors(tx);
  severalAuthors.set(tx.db, known);
  return known;
}

async function askForAuthors(tx: Tx): Promise<boolean> {
  const rows = await query<{ first: string | null; last: string | null }>(tx)`
    select (select min(author) from writers where author > '') as first,
      (select max(author) from writers where author > '') as last`;
  return rows[0]?.first !== rows[0]?.last;
}
