import { GLOBAL_SCOPE } from '../../domain/decision.ts';
import { foldName } from '../../domain/text/text.ts';
import { recordChange } from '../change.ts';
import { findName, usedSince } from '../names.ts';
import type { Tx } from '../tx.ts';

/** The scope that a name means, as decisions carry it (D-19); one that nobody used is itself, and no name has none. */
export async function scopeMeant<Given extends string | undefined>(
  tx: Tx,
  name: Given,
): Promise<string | Extract<Given, undefined>> {
  if (name === undefined) return name as Extract<Given, undefined>;
  return (await findName(tx, 'scopes', name))?.target ?? asNew(name);
}

/** {@link scopeMeant} for a decision that is saved there: the first one decides how the scope is spelled. */
export async function scopeToUse(tx: Tx, name: string): Promise<string> {
  const found = await findName(tx, 'scopes', name);
  if (found) {
    // Many a save of a batch is of one scope, in use by then. Another name that leads there has a date of its own.
    const isKnown = found.name === found.target && found.since <= tx.now;
    if (!isKnown) await usedSince(tx, 'scopes', [found.name, found.target]);
    return found.target;
  }
  const scope = asNew(name);
  await tx.db
    .insertInto('scopes')
    .values({ name: scope, key: foldName(scope), scope, since: tx.now })
    .execute();
  return scope;
}

/** What leads to a scope leads to another one from now on. */
export async function redirectScope(tx: Tx, from: string, to: string): Promise<void> {
  const names = await tx.db
    .selectFrom('scopes')
    .select('name')
    .where('scope', '=', from)
    .orderBy('name')
    .execute();
  for (const { name } of names) await redirectScopeName(tx, name, from, to);
}

/** One name leads to another scope from now on. */
export async function redirectScopeName(tx: Tx, name: string, from: string, to: string): Promise<void> {
  await tx.db.updateTable('scopes').set({ scope: to }).where('name', '=', name).execute();
  await recordChange(tx, 'joined', null, { before: { name, scope: from }, after: { name, scope: to } });
}

/** However it is written, the scope that binds everywhere is that one. */
function asNew(name: string): string {
  return foldName(name) === GLOBAL_SCOPE ? GLOBAL_SCOPE : name;
}
