import { GLOBAL_SCOPE } from '../../domain/decision.ts';
import { foldName } from '../../domain/text/text.ts';
import { recordChange } from '../change.ts';
import type { Tx } from '../tx.ts';

/** The scope that a name means, as decisions carry it (D-19); one that nobody used is itself. */
export async function scopeMeant(tx: Tx, name: string): Promise<string> {
  return (await findScope(tx, name)) ?? asNew(name);
}

/** {@link scopeMeant} for a decision that is saved there: the first one decides how the scope is spelled. */
export async function scopeToUse(tx: Tx, name: string): Promise<string> {
  const found = await findScope(tx, name);
  if (found !== undefined) return found;
  const scope = asNew(name);
  await tx.db
    .insertInto('scopes')
    .values({ name: scope, key: foldName(scope), scope, since: tx.now })
    .execute();
  return scope;
}

/** What leads to a scope leads to another one from now on. */
export async function redirectScope(tx: Tx, from: string, to: string): Promise<void> {
  await tx.db.updateTable('scopes').set({ scope: to }).where('scope', '=', from).execute();
  await recordChange(tx, 'joined', null, { before: { scope: from }, after: { scope: to } });
}

/** What leads to a scope: the exact spelling first, then any (D-19). Undefined where nothing was saved. */
export async function findScope(tx: Tx, name: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('scopes')
    .select('scope')
    .where((eb) => eb.or([eb('name', '=', name), eb('key', '=', foldName(name))]))
    .orderBy((eb) => eb.case().when('name', '=', name).then(0).else(1).end())
    .limit(1)
    .executeTakeFirst();
  return row?.scope;
}

/** However it is written, the scope that binds everywhere is that one. */
function asNew(name: string): string {
  return foldName(name) === GLOBAL_SCOPE ? GLOBAL_SCOPE : name;
}
