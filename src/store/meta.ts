import type { Unit } from './unit.ts';

/** A fact about the memory itself, such as the version of the analysis its index was made with. */
export async function readMeta(unit: Unit, key: string): Promise<string | undefined> {
  const row = await unit.db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

export async function writeMeta(unit: Unit, key: string, value: string): Promise<void> {
  await unit.db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
