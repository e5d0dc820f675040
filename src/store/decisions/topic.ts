import { sql } from 'kysely';
import { foldName } from '../../domain/text/text.ts';
import { type ChangedValues, recordChange } from '../change.ts';
import { findName } from '../names.ts';
import { insertRows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { reindexDecision } from './decision-document.ts';

/**
 * Names a chain. No name leads to another chain by this spelling: the caller has looked.
 * @param key null where another spelling of the name leads to the chain already
 */
export async function insertTopic(
  tx: Tx,
  name: string,
  rootId: string,
  key: string | null = foldName(name),
): Promise<void> {
  await insertRows(tx, 'topics', [{ name, key, rootId, since: tx.now }]);
}

/** Every name of one chain leads to another one from now on. */
export async function redirectTopics(tx: Tx, from: string, to: string): Promise<void> {
  const names = await tx.db
    .selectFrom('topics')
    .select('name')
    .where('rootId', '=', from)
    .orderBy('name')
    .execute();
  for (const { name } of names) await redirectTopic(tx, name, from, to);
}

/** One name leads to another chain from now on. */
export async function redirectTopic(tx: Tx, name: string, from: string, to: string): Promise<void> {
  await tx.db.updateTable('topics').set({ rootId: to }).where('name', '=', name).execute();
  await recordChange(tx, 'joined', await seqOf(tx, from), {
    before: { topic: name, chain: from },
    after: { topic: name, chain: to },
  });
}

/** What a chain was called, what it is called now, and what became of its names. */
export interface Renaming {
  rootId: string;
  /** Null for a decision without a topic. */
  from: string | null;
  to: string | null;
  /** The name that leads to it from now on, and that which no longer does: undoing a renaming takes its name back. */
  added?: string | undefined;
  dropped?: string | undefined;
}

/**
 * Calls every version of a chain by another topic (U-6). Names that lead to it go on doing so, but for one that is dropped.
 * What was said of the chain before the change tells.
 */
export async function renameChain(tx: Tx, { rootId, from, to, added, dropped }: Renaming): Promise<void> {
  if (added !== undefined) {
    const isKnown = (await findName(tx, 'topics', added)) !== undefined;
    await insertTopic(tx, added, rootId, isKnown ? null : foldName(added));
  }
  const gone = dropped === undefined ? undefined : await dropTopic(tx, dropped, rootId);
  const versions = await tx.db
    .updateTable('decisions')
    .set({ topic: to })
    .where('rootId', '=', rootId)
    .returning('seq')
    .execute();
  // The topic is searched as the title of each version.
  for (const { seq } of versions.sort((a, b) => a.seq - b.seq)) await reindexDecision(tx, seq);
  await recordChange(tx, 'renamed', await seqOf(tx, rootId), {
    before: { topic: from, ...gone },
    after: { topic: to, ...(added !== undefined && { name: added }) },
  });
}

/** A name leads nowhere any more. @returns what was there, for the change: the name, its key, its chain and since when */
async function dropTopic(tx: Tx, name: string, rootId: string): Promise<ChangedValues | undefined> {
  const row = await tx.db
    .deleteFrom('topics')
    .where('name', '=', name)
    .where('rootId', '=', rootId)
    .returning(['key', 'since'])
    .executeTakeFirst();
  return row && { name, key: row.key, chain: rootId, since: row.since };
}

/** The chain whose versions carry this topic, whatever chain the name leads to; undefined when none does. */
export async function chainCalled(tx: Tx, topic: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('decisions')
    .select('rootId')
    .where('topic', '=', topic)
    .where('version', '=', 1)
    .executeTakeFirst();
  return row?.rootId;
}

/** The number of a chain's first version. */
async function seqOf(tx: Tx, rootId: string): Promise<number> {
  const root = await tx.db
    .selectFrom('decisions')
    .select('seq')
    .where('id', '=', rootId)
    .executeTakeFirstOrThrow();
  return root.seq;
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
