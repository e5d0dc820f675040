import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { compareText } from '../../domain/text/text.ts';
import { chainOf } from '../decisions/decision.ts';
import type { Tx } from '../tx.ts';
import type { NewVersion } from './decisions.ts';
import type { Merging } from './merging.ts';
import { placeChain } from './place-chain.ts';

/** A version in its chain: one that is here, or one that comes. */
type Version = Pick<Decision, 'id' | 'createdAt'> & { fresh?: NewVersion; here?: Decision };

/**
 * Where each new version of a chain belongs (D-22): behind what its source has before it, and among the others by date and
 * id. What is here keeps its order.
 * @param told the ids of the source's versions in the order that it gives them
 */
function ordered(here: Decision[], told: string[], fresh: Map<string, NewVersion>): Version[] {
  const chain: Version[] = here.map((decision) => ({ ...decision, here: decision }));
  let behind = 0;
  for (const id of told) {
    const known = chain.findIndex((version) => version.id === id);
    const version = fresh.get(id);
    if (known !== -1 || !version) {
      behind = Math.max(behind, known + 1);
      continue;
    }
    let at = behind;
    while (at < chain.length && isBefore(chain[at] as Version, version)) at++;
    chain.splice(at, 0, { id, createdAt: version.createdAt, fresh: version });
    behind = at + 1;
  }
  return chain;
}

function isBefore(
  one: Pick<Decision, 'id' | 'createdAt'>,
  other: Pick<Decision, 'id' | 'createdAt'>,
): boolean {
  return one.createdAt === other.createdAt
    ? compareText(one.id, other.id) < 0
    : one.createdAt < other.createdAt;
}

/**
 * Adds new versions to a chain, or begins one.
 * @param rootId of the chain that is here; undefined for a new one
 */
export async function extendChain(
  merging: Merging,
  rootId: string | undefined,
  told: string[],
  versions: NewVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  if (rootId !== undefined) merging.chains.add(rootId);
  const here = rootId === undefined ? [] : await chainOf(merging.tx, rootId);
  const chain = ordered(here, told, new Map(versions.map((version) => [version.id, version])));
  const topic = here[0] ? here[0].topic : (versions[0]?.topic ?? null);
  // A new name is of the date of its first version.
  for (const { scope, createdAt } of versions)
    if (merging.scopesUsed.has(scope)) noteUse(merging.used.scopes, scope, createdAt);
  if (here[0] && topic !== null)
    noteUse(
      merging.used.topics,
      topic,
      versions.reduce((least, { createdAt }) => Math.min(least, createdAt), Number.POSITIVE_INFINITY),
    );
  const isAppended = chain.slice(0, here.length).every((version) => version.here);
  if (isAppended) {
    append(merging, chain, here, topic);
    return;
  }
  for (const version of versions) addRow(merging, version, topic);
  sayRenumbered(merging, chain, topic);
  merging.after.push((tx) => renumber(tx, chain, topic));
}

/** The earliest date of what came under a name: the past finds it by that (U-5). */
function noteUse(used: Map<string, number>, name: string, at: number): void {
  used.set(name, Math.min(at, used.get(name) ?? at));
}

/** New versions behind all others, or a new chain: the rows are written as they stay. */
function append(merging: Merging, chain: Version[], here: Decision[], topic: string | null): void {
  const { rows } = merging;
  const rootId = chain[0]?.id as string;
  for (const [before, { fresh, createdAt, id }] of chain.entries()) {
    if (!fresh) continue;
    const previous = chain[before - 1];
    const follower = chain[before + 1];
    addRow(merging, fresh, topic, {
      rootId,
      version: before + 1,
      previousVersion: previous ? before : null,
      previousVersionId: previous?.id ?? null,
      isActive: follower || fresh.withdrawn ? 0 : 1,
      withdrawn: fresh.withdrawn,
      updatedAt: Math.max(fresh.updatedAt, follower?.createdAt ?? 0),
    });
    if (!previous) continue;
    rows.add('decisionEdges', { fromId: id, toId: previous.id, relationship: 'supersedes', createdAt });
  }
  const stood = here.at(-1);
  if (stood?.isActive) giveWayTo(merging, stood, chain[here.length] as Version);
}

/** What stood here stands no more, from the date of what came: at once, since only one version of a chain is active. */
function giveWayTo(merging: Merging, stood: Decision, next: Version): void {
  if (stood.strength !== 'normal') {
    merging.merged.warnings.push(
      `The ${stood.strength} "${stood.text}" of "${stood.topic}" gave way to what "${merging.source}" says since (D-20).`,
    );
  }
  merging.before.push((tx) =>
    tx.db
      .updateTable('decisions')
      .set({ isActive: 0, updatedAt: Math.max(stood.updatedAt, next.createdAt) })
      .where('id', '=', stood.id)
      .execute(),
  );
}

/** Where a version stands; the default is a place for the meantime, as a chain of its own. */
function addRow(
  merging: Merging,
  { id, topic: _, ...version }: NewVersion,
  topic: string | null,
  place: object = {
    rootId: id,
    version: 1,
    previousVersion: null,
    previousVersionId: null,
    isActive: 0,
    withdrawn: 0,
  },
): void {
  merging.rows.add('decisions', { ...version, id, topic, ...place } as never);
}

function sayRenumbered({ merged }: Merging, chain: Version[], topic: string | null): void {
  for (const [before, { id, here }] of chain.entries()) {
    const to = before + 1;
    if (here && here.version !== to)
      merged.renumbered.push({ topic: topic ?? id, id, from: here.version, to });
  }
}

async function renumber(tx: Tx, chain: Version[], topic: string | null): Promise<void> {
  await placeChain(
    tx,
    chain.map(({ id, createdAt, here, fresh }) => ({
      id,
      createdAt,
      withdrawn: here?.withdrawn ?? fresh?.withdrawn === 1,
    })),
    topic,
  );
  // What gave way did so when the next one came, as where it came last.
  await sql`update decisions set updated_at = n.created_at from decisions as n
    where decisions.root_id = ${chain[0]?.id} and n.previous_version_id = decisions.id
      and decisions.updated_at < n.created_at`.execute(tx.db);
}
