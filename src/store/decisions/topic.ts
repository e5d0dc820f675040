import { sql } from 'kysely';
import { foldName } from '../../domain/text/text.ts';
import { recordChange } from '../change.ts';
import type { Tx } from '../tx.ts';

/** Names a new chain. No name leads to another chain by this spelling: the caller has looked. */
export async function insertTopic(tx: Tx, name: string, rootId: string): Promise<void> {
  await tx.db
    .insertInto('topics')
    .values({ name, key: foldName(name), rootId, since: tx.now })
    .execute();
}

/** Every name of one chain leads to another one from now on. */
export async function redirectTopics(tx: Tx, from: string, to: string): Promise<void> {
  const root = await tx.db
    .selectFrom('decisions')
    .select('seq')
    .where('id', '=', from)
    .executeTakeFirstOrThrow();
  const names = await tx.db
    .updateTable('topics')
    .set({ rootId: to })
    .where('rootId', '=', from)
    .returning('name')
    .execute();
  for (const topic of names.map(({ name }) => name).sort())
    await recordChange(tx, 'joined', root.seq, {
      before: { topic, chain: from },
      after: { topic, chain: to },
    });
}

/** Names that differ only in how they are written and lead to different things: files of older versions have them. */
export async function namesAlike(tx: Tx): Promise<{ what: 'topic' | 'scope'; name: string; like: string }[]> {
  const other = async (what: 'topic' | 'scope', column: 'root_id' | 'scope') => {
    const table = sql.table(`${what}s`);
    const { rows } = await sql<{ name: string; target: string }>`
      select name, ${sql.ref(column)} as target from ${table} where key is null order by since, name`.execute(
      tx.db,
    );
    const known = await sql<{ name: string; key: string; target: string }>`
      select name, key, ${sql.ref(column)} as target from ${table} where key is not null`.execute(tx.db);
    const byKey = new Map(known.rows.map((row) => [row.key, row]));
    return rows.flatMap(({ name, target }) => {
      const like = byKey.get(foldName(name));
      const isOther = like !== undefined && like.target !== target;
      return isOther ? [{ what, name, like: like.name }] : [];
    });
  };
  return [...(await other('topic', 'root_id')), ...(await other('scope', 'scope'))];
}
