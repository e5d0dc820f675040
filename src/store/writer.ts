import type { Tx } from './tx.ts';

/** The columns of a {@link Writer}, for queries that join `writers`. */
export const WRITER = ['writers.author', 'writers.host', 'writers.client', 'writers.session'] as const;

/**
 * The number of who writes in the table of writers, which has a row for each process and session (K-4): made with the
 * first record, and asked for once a transaction.
 * @param session when the caller names another one than the writer's own
 */
export async function writerNumber(tx: Tx, session = tx.writer.session): Promise<number> {
  const known = tx.writerNumbers.get(session);
  if (known !== undefined) return known;
  const writer = { ...tx.writer, session };
  const row = (await findWriter(tx, writer)) ?? (await insertWriter(tx, writer));
  tx.writerNumbers.set(session, row.id);
  return row.id;
}

function findWriter(tx: Tx, { author, host, client, session }: Tx['writer']) {
  return tx.db
    .selectFrom('writers')
    .select('id')
    .where('session', '=', session)
    .where('client', '=', client)
    .where('author', '=', author)
    .where('host', '=', host)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

function insertWriter(tx: Tx, { author, host, client, session }: Tx['writer']) {
  return tx.db
    .insertInto('writers')
    .values({ author, host, client, session })
    .returning('id')
    .executeTakeFirstOrThrow();
}
