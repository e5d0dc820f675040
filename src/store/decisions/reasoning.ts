import type { Decision } from '../../domain/decision.ts';
import { wasMistake } from '../../domain/decision.ts';
import type { Edge } from '../../domain/edge.ts';
import { idCandidates } from '../../domain/id.ts';
import { type ParsedReasoning, parseReasoning } from '../../domain/reasoning/reasoning.ts';
import type { NearLink, Words, WrittenReference } from '../../domain/reasoning/reference.ts';
import { canMean, isObservation } from '../../domain/reasoning/spelling.ts';
import { capped, ignored, nearLink } from '../../domain/reasoning/warnings.ts';
import { findTopics } from '../names.ts';
import { someOf } from '../prefix.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecisions, mistakesAmong } from './decision.ts';
import { insertEdges, type Linked, linkedFrom } from './edge.ts';
import { loadChains } from './loaded.ts';
import { type Meant, meantInReasoning, topicsIn } from './reference.ts';

/** References of earlier versions that one save looks for again at most. */
const RETRIED = 100;
/** Characters of their reasoning that one save reads again at most: as long as it takes for a few milliseconds. */
const REREAD = 100_000;

/** A reference in the reasoning of a version. */
interface Said extends WrittenReference {
  by: Decision;
}

/** A decision that a link leads to. */
type Target = Pick<Decision, 'id' | 'rootId'> & { isActive: boolean | 0 | 1 };

/** A decision with what its reasoning was read as. */
export interface Reasoned {
  decision: Decision;
  read: ParsedReasoning;
}

/**
 * Writes the edges that the reasoning of a version names (G-2 … G-4). Each reference is resolved once: its edge keeps the
 * id. References of earlier versions that led nowhere when they were saved are tried again (G-10).
 * @param before the versions before it whose references are tried again, the newest first
 * @param isNew whether the version was just made, so that it links nothing yet but the one before it
 * @returns `warnings`: references of this version that were ignored, what to write for a link, an outdated basis (G-6);
 *   `isLinked`: whether it may refer to others now; `isEarlierLinked`: whether a version before it does that did not
 */
export async function linkReasoning(
  tx: Tx,
  decision: Decision,
  before: Decision[],
  isNew: boolean,
): Promise<{ warnings: string[]; isLinked: boolean; isEarlierLinked: boolean }> {
  const parsed = parseReasoning(decision.reasoning ?? '');
  // A reasoning that is carried along was warned of when it was written.
  const read = before[0]?.reasoning === decision.reasoning ? { ...parsed, warnings: [] } : parsed;
  const earlier = saidEarlier(before);
  const { warnings, linked } = await linkAll(tx, [{ decision, read }], {
    earlier,
    isNew,
    when: () => tx.now,
  });
  return {
    warnings: warnings.get(decision.id) ?? [],
    isLinked: !isNew || linked.has(decision.id),
    isEarlierLinked: [...linked].some((id) => id !== decision.id),
  };
}

/**
 * {@link linkReasoning} for many versions at once. A reference that has its edge is not looked up again.
 * @param earlier what else is tried again
 * @param isNew whether these versions were just made, so that they link nothing yet but those before them
 * @param when the date of an edge, by the version that says it
 * @returns `warnings`: those of each version that has any, by its id; `linked`: the ids of the versions that link more now
 */
export async function linkAll(
  tx: Tx,
  all: Reasoned[],
  {
    earlier = [],
    isNew = false,
    when,
  }: { earlier?: Said[]; isNew?: boolean; when: (by: Decision) => number },
): Promise<{ warnings: Map<string, string[]>; linked: Set<string> }> {
  const said = all.map(({ decision, read }) => read.references.map((each) => ({ ...each, by: decision })));
  const own = said.flat();
  const asked = [...(isNew ? [] : own), ...earlier];
  const from = await linkedFrom(tx, [...new Set(asked.map(({ by }) => by.id))]);
  const links = Map.groupBy(from, ({ fromId }) => fromId);
  const linksOf = ({ by }: Said) => links.get(by.id) ?? [];
  const linkOf = (each: Said) => linksOf(each).find((link) => isOf(each, link) && canMean(each, link));
  const open = own.filter((each) => !linkOf(each));
  const again = earlier.filter((each) => !isObservation(each) && !linkOf(each)).slice(0, RETRIED);
  const near = all.flatMap(({ read }) => read.nearLinks.flatMap(({ references }) => references));
  const meant = await meanings(tx, [...open, ...again, ...near]);
  const targetOf = (each: Said) => linkOf(each) ?? toTarget(each, meant(each), linksOf(each));
  const edges = [...open, ...again].flatMap((each) => edgesOf(each, targetOf(each), when(each.by)));
  await insertEdges(tx, edges);
  const outdated = await outdatedBases(tx, own, targetOf);
  // A synthesis comes in place of what it is made of, unless it builds on it or debates it as well (T-7).
  const linkedBy = Map.groupBy(own, (each) => `${each.by.id} ${targetOf(each)?.id}`);
  for (const sayings of linkedBy.values()) {
    const [said] = sayings as [Said];
    const target = targetOf(said);
    if (!target?.isActive || target.rootId === said.by.rootId) continue;
    if (sayings.every(({ relationship }) => relationship === 'synthesizes'))
      for (const each of sayings) outdated.set(each, stillActive(target.id));
  }
  const reported = all.map(({ decision, read: { nearLinks, warnings } }, n): [string, string[]] => {
    const problems = (said[n] ?? []).flatMap((each) =>
      targetOf(each)
        ? (outdated.get(each) ?? [])
        : each.isAside && isObservation(each)
          ? []
          : [ignored(each, ...named(meant(each)))],
    );
    const likely = nearLinks.filter(
      (each) =>
        !namesOwnChain(each, decision, meant) &&
        (each.isCertain || each.references.some((one) => meant(one).decisions.length > 0)),
    );
    return [decision.id, [...warnings, ...capped([...new Set([...problems, ...likely.map(nearLink)])])]];
  });
  const warned = reported.filter(([, warnings]) => warnings.length > 0);
  return { warnings: new Map(warned), linked: new Set(edges.map(({ fromId }) => fromId)) };
}

/** `supersedes:` may name what a save replaces (T-6): that link is made by itself. */
function namesOwnChain(
  { meant, references }: NearLink,
  { rootId }: Decision,
  decisionsOf: (of: Words) => Meant,
) {
  const all = references.flatMap((each) => decisionsOf(each).decisions);
  return meant === 'supersedes' && all.length > 0 && all.every((each) => each.rootId === rootId);
}

/** The references of these versions, in their order. */
function saidEarlier(versions: Decision[]): Said[] {
  // Versions often carry the same reasoning.
  const parsed = new Map<string, WrittenReference[]>();
  let length = 0;
  return versions.flatMap((by) => {
    const { reasoning } = by;
    if (reasoning === null) return [];
    const known = parsed.get(reasoning);
    if (!known) length += reasoning.length;
    if (length > REREAD) return [];
    const references = known ?? parseReasoning(reasoning).references;
    parsed.set(reasoning, references);
    return references.map((each) => ({ ...each, by }));
  });
}

/** The present meaning of each of these references. All whole ids are looked up at once, and all topics. */
async function meanings(tx: Tx, references: Words[]): Promise<(reference: Words) => Meant> {
  const ids = new Set(references.flatMap(({ written }) => idCandidates(written)));
  const [found, chains] = await together(findDecisions(tx, [...ids]), findTopics(tx, topicsIn(references)));
  const known = new Map(found.map((decision) => [decision.id, decision]));
  const meant = new Map<string, Meant>();
  const key = ({ written, mayBeTopic }: Words) => `${mayBeTopic} ${written}`;
  for (const reference of references) {
    if (meant.has(key(reference)) || isObservation(reference)) continue;
    const id = idCandidates(reference.written).find((candidate) => known.has(candidate));
    const exact = id === undefined ? undefined : known.get(id);
    meant.set(
      key(reference),
      exact ? { decisions: [exact], byTopic: false } : await meantInReasoning(tx, reference, chains),
    );
  }
  return (reference) => meant.get(key(reference)) ?? { decisions: [], byTopic: false };
}

/** The other decision that a reference leads to: one, and not the version that says it. */
function toTarget(said: Said, { decisions, byTopic }: Meant, links: Linked[]): Target | undefined {
  const [found, another] = decisions;
  if (!found || another) return undefined;
  if (!byTopic) return found.id === said.by.id ? undefined : found;
  // Another name may lead to the chain today than when the link was made.
  const linked = links.find((link) => isOf(said, link) && link.rootId === found.rootId);
  if (linked) return linked;
  if (found.rootId !== said.by.rootId) return found;
  // Of its own chain it means what was active when it was saved.
  const { previousVersionId: id, rootId } = said.by;
  return id === null ? undefined : { id, rootId, isActive: false };
}

function isOf(said: Said, link: Linked): boolean {
  return link.fromId === said.by.id && link.relationship === said.relationship;
}

function edgesOf({ by, relationship }: Said, target: Target | undefined, createdAt: number): Edge[] {
  return target ? [{ fromId: by.id, toId: target.id, relationship, createdAt }] : [];
}

function named({ decisions }: Meant): [ids: string[], named: string] {
  const ids = decisions.map(({ id }) => id).sort();
  return [ids, someOf(ids)];
}

const stillActive = (id: string) =>
  `synthesizes: ${id} is still active. Where this takes its place, withdraw it.`;

/** A decision may build on one that is no longer active; a warning says so to the agent. */
async function outdatedBases(tx: Tx, own: Said[], targetOf: (said: Said) => Target | undefined) {
  const bases = own.flatMap((said): [Said, Target][] => {
    const target = said.relationship === 'builds_on' ? targetOf(said) : undefined;
    return target && !target.isActive && target.rootId !== said.by.rootId ? [[said, target]] : [];
  });
  const chains = await loadChains(tx, [...new Set(bases.map(([, { rootId }]) => rootId))]);
  const mistaken = await mistakesAmong(tx, [...new Set(bases.map(([, { id }]) => id))]);
  return new Map(
    bases.map(([said, { id, rootId }]) => {
      const next = chains.get(rootId)?.newest;
      const was = (what: string) => (mistaken.has(id) ? wasMistake(id) : `${id} was ${what}`);
      const state = next?.isActive
        ? `${was('superseded')}; ${next.id} is active now`
        : `${was('withdrawn')}, and nothing is active in its place`;
      return [said, `builds_on: ${state}. The link was kept.`];
    }),
  );
}
