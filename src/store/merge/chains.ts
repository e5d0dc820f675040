import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { compareText } from '../../domain/text/text.ts';
import { chainOf } from '../decisions/decision.ts';
import type { Tx } from '../tx.ts';
import type { NewVersion } from './decisions.ts';
import type { MergePlan } from './merge-plan.ts';
import { placeChain } from './place-chain.ts';

/** A version in its chain: one that is here, or one that comes. */
type Version = Pick<Decision, 'id' | 'createdAt'> & { fresh?: NewVersion; here?: Decision };

/**
 * Where each new version of a chain belongs (D-22): behind what its source has before it, and among the others by date and
 * id. What is here keeps its order.
 * @param order the ids of the source's versions in the order that it gives them
 */
function ordered(here: Decision[], reported: string[], fresh: Map<string, NewVersion>): Version[] {
  const chain: Version[] = here.map((decision) => ({ ...decision, here: decision }));
  let behind = 0;
  for (const id of reported) {
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
  plan: MergePlan,
  rootId: string | undefined,
  reported: string[],
  versions: NewVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  if (rootId !== undefined) plan.chains.add(rootId);
  const here = rootId === undefined ? [] : await chainOf(plan.tx, rootId);
  const chain = ordered(here, reported, new Map(versions.map((version) => [version.id, version])));
  const topic = here[0] ? here[0].topic : (versions[0]?.topic ?? null);
  // A new name is of the date of its first version.
  for (const { scope, createdAt } of versions)
    if (plan.scopesUsed.has(scope)) noteUse(plan.used.scopes, scope, createdAt);
  if (here[0] && topic !== null)
    noteUse(
      plan.used.topics,
      topic,
      versions.reduce((least, { createdAt }) => Math.min(least, createdAt), Number.POSITIVE_INFINITY),
    );
  const isAppended = chain.slice(0, here.length).every((version) => version.here);
  if (isAppended) {
    append(plan, chain, here, topic);
    return;
  }
  for (const version of versions) addRow(plan, version, topic);
  sayRenumbered(plan, chain, topic);
  plan.after.push((tx) => renumber(tx, chain, topic));
}

/** The earliest date of what came under a name: the past finds it by that (U-5). */
function noteUse(used: Map<string, number>, name: string, at: number): void {
  used.set(name, Math.min(at, used.get(name) ?? at));
}

/** New versions behind all others, or a new chain: the rows are written as they stay. */
function append(plan: MergePlan, chain: Version[], here: Decision[], topic: string | null): void {
  const { rows } = plan;
  const rootId = chain[0]?.id as string;
  for (const [before, { fresh, createdAt, id }] of chain.entries()) {
    if (!fresh) continue;
    const previous = chain[before - 1];
    const follower = chain[before + 1];
    addRow(plan, fresh, topic, {
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
  const former = here.at(-1);
  if (former?.isActive) giveWayTo(plan, former, chain[here.length] as Version);
}

/** What was active here ends with the date of what came: at once, since only one version of a chain is active. */
function giveWayTo(plan: MergePlan, former: Decision, next: Version): void {
  if (former.strength !== 'normal') {
    plan.merged.warnings.push(
      `The ${former.strength} "${former.text}" of "${former.topic}" was overridden by what "${plan.source}" says since (D-20).`,
    );
  }
  plan.before.push((tx) =>
    tx.db
      .updateTable('decisions')
      .set({ isActive: 0, updatedAt: Math.max(former.updatedAt, next.createdAt) })
      .where('id', '=', former.id)
      .execute(),
  );
}

/** Where a version is; the default is a place for the meantime, as a chain of its own. */
function addRow(
  plan: MergePlan,
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
  plan.rows.add('decisions', { ...version, id, topic, ...place } as never);
}

function sayRenumbered({ merged }: MergePlan, chain: Version[], topic: string | null): void {
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
  // What was overridden was so when the next one came, as where it came last.
  await sql`update decisions set updated_at = n.created_at from decisions as n
    where decisions.root_id = ${chain[0]?.id} and n.previous_version_id = decisions.id
      and decisions.updated_at < n.created_at`.execute(tx.db);
}
