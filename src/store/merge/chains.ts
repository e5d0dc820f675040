import type { RawBuilder } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import type { Edge } from '../../domain/edge.ts';
import { compareText, foldName } from '../../domain/text/text.ts';
import { insertEdges } from '../decisions/edge.ts';
import { loadChain } from '../decisions/loaded.ts';
import { findTopics } from '../names.ts';
import { updateRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import type { Fact, NewVersion } from './decisions.ts';
import type { MergePlan } from './merge-plan.ts';

/** A version in its chain: one that is here, or one that comes. */
type Version = Placed & { fresh?: NewVersion; here?: Decision };

/**
 * Where each new version of a chain belongs (D-22): after what its source has before it, and among the others by date and
 * id. Versions that are here keep their order.
 * @param order the ids of the source's versions in the order that it gives them
 */
function ordered(here: Decision[], order: string[], fresh: Map<string, NewVersion>): Version[] {
  const chain: Version[] = here.map((decision) => ({ ...decision, here: decision }));
  const there = new Set([...order, ...here.map(({ id }) => id)]);
  let behind = 0;
  let before: string | null = null;
  for (const id of order) {
    const known = chain.findIndex((version) => version.id === id);
    const version = fresh.get(id);
    if (known !== -1 || !version) {
      behind = Math.max(behind, known + 1);
      if (known !== -1) before = id;
      continue;
    }
    const seen = version.basedOn?.split('\n');
    const decided = fresh.get(version.tidies ?? '') ?? here.find((each) => each.id === version.tidies);
    version.tidies = decided?.id ?? null;
    if (decided) {
      version.outcome = decided.outcome;
      version.outcomeReason = decided.outcomeReason;
    }
    if (version.basedOn === '') version.basedOn = null;
    else if (!seen?.every((each) => there.has(each))) version.basedOn = before;
    before = id;
    let at = behind;
    while (at < chain.length && isBefore(chain[at] as Version, version)) at++;
    chain.splice(at, 0, { ...version, fresh: version });
    behind = at + 1;
  }
  return chain;
}

function isBefore(one: Pick<Version, 'id' | 'createdAt'>, other: Pick<Version, 'id' | 'createdAt'>): boolean {
  return (one.createdAt - other.createdAt || compareText(one.id, other.id)) < 0;
}

/**
 * Adds new versions to a chain, or begins one.
 * @param rootId of the chain that is here; undefined for a new one
 */
export async function extendChain(
  plan: MergePlan,
  rootId: string | undefined,
  order: string[],
  versions: NewVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const here = rootId === undefined ? [] : (await loadChain(plan.tx, rootId, 'all')).versions;
  const chain = ordered(here, order, new Map(versions.map((version) => [version.id, version])));
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
    return append(plan, chain, here, topic);
  }
  for (const version of versions) addRow(plan, version, topic);
  sayRenumbered(plan, chain, topic);
  plan.after.push(() => placeChain(plan.tx, chain, topic));
}

/** The earliest date of what came under a name: the past finds it by that (U-5). */
function noteUse(used: Map<string, number>, name: string, at: number): void {
  used.set(name, Math.min(at, used.get(name) ?? at));
}

/** New versions behind all others, or a new chain: the rows are written as they stay. */
async function append(plan: MergePlan, chain: Version[], here: Decision[], topic: string | null) {
  const places = placesIn(chain, topic).slice(here.length);
  for (const [at, { createdAt: _, ...place }] of places.entries()) {
    const { fresh } = chain[here.length + at] as { fresh: NewVersion };
    addRow(plan, fresh, topic, { ...place, updatedAt: Math.max(fresh.updatedAt, place.updatedAt) });
  }
  for (const edge of supersedesIn(places)) plan.rows.add('decisionEdges', edge);
  const former = here.at(-1);
  if (former?.isActive) await giveWayTo(plan, former, chain[here.length] as Version);
}

/** The version that was active here ends with the date of what came: at once, since only one version of a chain is active. */
async function giveWayTo(plan: MergePlan, former: Decision, next: Version): Promise<void> {
  if (former.strength !== 'normal') {
    plan.merged.warnings.push(
      `The ${former.strength} "${former.text}" of "${former.topic}" was overridden by a newer decision of "${plan.source}".`,
    );
  }
  const ended = { isActive: 0, updatedAt: Math.max(former.updatedAt, next.createdAt) } as const;
  await updateRows(plan.tx, 'decisions', { id: former.id }, ended);
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

/** The facts of one topic, in the order in which their reader gives them. */
interface Topic {
  name: string;
  facts: Fact[];
  /** The chain that it leads to here; undefined where there is none yet. */
  rootId: string | undefined;
}

/**
 * The topics of a source, and the chain of each. A chain that it began is its chain. Else a name leads where it leads here,
 * in any spelling (D-19); but what the source itself keeps apart stays apart, as in an older memory.
 */
export async function topicsOf(plan: MergePlan, facts: Fact[]): Promise<Topic[]> {
  const groups = Map.groupBy(facts, ({ topic }) => topic);
  const topics: Topic[] = [...groups].map(([name, of]) => ({ name, facts: of, rootId: undefined }));
  topics.sort((a, b) => first(a) - first(b));
  const claimed = new Set<string>();
  const claim = (topic: Topic, rootId: string | undefined) => {
    if (topic.rootId !== undefined || rootId === undefined) return;
    topic.rootId = rootId;
    claimed.add(rootId);
  };
  const begun = await chainsBegun(plan, facts);
  for (const topic of topics)
    claim(topic, topic.facts.map(({ importKey }) => begun.get(importKey)).find(Boolean));
  const names = await namesHere(plan, topics);
  for (const topic of topics) claim(topic, names.exact.get(topic.name));
  const folded = new Map<string, Topic>();
  for (const topic of topics) {
    const key = foldName(topic.name);
    const like = folded.get(key);
    if (like) warnAlike(plan, topic, like);
    else folded.set(key, topic);
    const known = names.any.get(topic.name);
    if (known !== undefined && !claimed.has(known)) claim(topic, known);
  }
  return topics;
}

const first = ({ facts }: Topic) =>
  facts.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);

/** The chains of the decisions that came before, by their keys. */
async function chainsBegun({ tx, origins, followed }: MergePlan, facts: Fact[]) {
  const seqs = new Map(facts.map(({ importKey }) => [origins.get(importKey)?.recordSeq ?? 0, importKey]));
  const rows = await query<{ seq: number; rootId: string }>(tx)`
    select d.seq, d.root_id from (${tx.lists.numbers([...seqs.keys()])}) as wanted
    join decisions as d on d.seq = wanted.id`;
  return new Map([...rows.map(({ seq, rootId }) => [seqs.get(seq) as string, rootId] as const), ...followed]);
}

/** The chains that the names of topics lead to here: by this spelling, and by any. */
async function namesHere({ tx }: MergePlan, topics: Topic[]) {
  const rows = await query<{ name: string; rootId: string }>(tx)`select name, root_id from topics`;
  const exact = new Map(rows.map(({ name, rootId }) => [name, rootId]));
  const wanted = topics.map(({ name }) => name);
  return { exact, any: await findTopics(tx, wanted) };
}

/** Once per pair that the source keeps apart and that was not here before. */
function warnAlike({ merged }: MergePlan, topic: Topic, like: Topic): void {
  if (topic.rootId !== undefined) return;
  merged.warnings.push(
    `"${topic.name}" and "${like.name}" are two topics there and stay two; "precedent rename --join" joins them.`,
  );
}

/** Makes each of these versions a chain of its own: unique keys are checked row by row, so that no two may be exchanged. */
export const setApart = (tx: Tx, ids: RawBuilder<unknown>) =>
  query(
    tx,
  )`update decisions set root_id = id, version = 1, previous_version = null, previous_version_id = null,
    is_active = 0, withdrawn = 0 where id in (${ids})`;

/** A version where it belongs in its chain. */
type Placed = Pick<Decision, 'id' | 'createdAt'> & { withdrawn: boolean | 0 | 1 };

/** The columns that give the rows of a chain their order. @param versions all of it, oldest first */
export function placesIn(versions: Placed[], topic: string | null) {
  const rootId = versions[0]?.id as string;
  return versions.map(({ id, createdAt, withdrawn }, at) => {
    const [before, next] = [versions[at - 1], versions[at + 1]];
    const previous = { previousVersion: before ? at : null, previousVersionId: before?.id ?? null };
    const state = { withdrawn: withdrawn ? 1 : 0, isActive: next || withdrawn ? 0 : 1 } as const;
    const updatedAt = Math.max(createdAt, next?.createdAt ?? 0);
    return { id, rootId, version: at + 1, ...previous, topic, ...state, createdAt, updatedAt };
  });
}

/** The edges of versions that have such places. */
export const supersedesIn = (places: ReturnType<typeof placesIn>): Edge[] =>
  places.flatMap(({ id, previousVersionId: toId, createdAt }) =>
    toId === null ? [] : [{ fromId: id, toId, relationship: 'supersedes', createdAt }],
  );

/**
 * Reorders the versions of one chain (D-22): number, root, the version before and `supersedes` follow from
 * it; ids, texts, outcomes, evidence and anchors stay. The only function besides `append` that writes them, and the only
 * one that changes a root.
 *
 * Each version first becomes a root of its own, and then takes its place after the one before it.
 * @param versions all of the chain, oldest first; the first one is not a withdrawal
 * @param topic the name of the chain
 * @param before what was in it until now, when that is more: versions that leave it
 */
export async function placeChain(
  tx: Tx,
  versions: Placed[],
  topic: string | null,
  before = versions,
): Promise<void> {
  const ids = tx.lists.texts(before.map(({ id }) => id));
  const names = await query<{ name: string }>(tx)`select name from topics where root_id in (${ids})`;
  await setApart(tx, ids);
  await query(tx)`delete from decision_edges where relationship = 'supersedes'
    and from_id in (${ids}) and to_id in (${ids})`;
  const places = placesIn(versions, topic);
  for (const { createdAt: _, updatedAt: __, ...place } of places)
    await updateRows(tx, 'decisions', { id: place.id }, place);
  await insertEdges(tx, supersedesIn(places));
  for (const { name } of names) {
    await updateRows(tx, 'topics', { name }, { rootId: versions[0]?.id as string });
  }
  // A version was overridden when the next one came. Join by the key of a chain: by the id of the version before, all newer
  // rows would be read.
  await query(tx)`update decisions set updated_at = n.created_at from decisions as n
    where decisions.root_id = ${versions[0]?.id} and n.root_id = ${versions[0]?.id} and n.version = decisions.version + 1
      and decisions.updated_at < n.created_at`;
}
