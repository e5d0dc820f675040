import type { Tx } from './tx.ts';

/** A fact about the memory itself, such as the version of its text index. */
export async function readMeta(tx: Tx, key: string): Promise<string | undefined> {
  const row = await tx.db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await tx.db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
