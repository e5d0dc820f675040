import type { Decision } from '../../domain/decision.ts';
import { takenBack } from '../../domain/decision.ts';
import type { Edge } from '../../domain/edge.ts';
import { idCandidates } from '../../domain/id.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import type { Words, WrittenReference } from '../../domain/reasoning/reference.ts';
import { canMean, isObservation } from '../../domain/reasoning/spelling.ts';
import { capped, ignored, nearLink } from '../../domain/reasoning/warnings.ts';
import { findTopics } from '../names.ts';
import { someOf } from '../prefix.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecisions, isMistake, newestInChain, reasonedBefore } from './decision.ts';
import { insertEdges, type Linked, linkedFrom } from './edge.ts';
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
type Target = Pick<Decision, 'id' | 'rootId' | 'isActive'>;

/**
 * Writes the edges that the reasoning of a version names (G-2 … G-4). Each reference is resolved once: its edge keeps the
 * id. What earlier versions of the chain refer to, and did not exist when they were saved, is tried again (G-10).
 * @param isNew whether the version was just made, so that it links nothing yet but the one before it
 * @returns `warnings`: references of this version that were ignored, what to write for a link, an outdated basis (G-6);
 *   `isLinked`: whether it may refer to others now
 */
export async function linkReasoning(
  tx: Tx,
  decision: Decision,
  { isNew = false } = {},
): Promise<{ warnings: string[]; isLinked: boolean }> {
  const { references, nearLinks, warnings } = parseReasoning(decision.reasoning ?? '');
  const own = references.map((each) => ({ ...each, by: decision }));
  const earlier = await saidEarlier(tx, decision);
  const asked = [...(isNew ? [] : own), ...earlier];
  const links = await linkedFrom(tx, [...new Set(asked.map(({ by }) => by.id))]);
  const linkOf = (said: Said) => links.find((link) => isOf(said, link) && canMean(said, link));
  const open = own.filter((said) => !linkOf(said));
  const again = earlier.filter((said) => !isObservation(said) && !linkOf(said)).slice(0, RETRIED);
  const meant = await meanings(tx, [...open, ...again, ...nearLinks.flatMap((near) => near.references)]);
  const targetOf = (said: Said) => linkOf(said) ?? toTarget(said, meant(said), links);
  const made = [...open, ...again].flatMap((said) => edges(tx, said, targetOf(said)));
  await insertEdges(tx, made);
  const problems: string[] = [];
  for (const said of own) {
    const target = targetOf(said);
    if (!target) problems.push(ignored(said, ...named(meant(said))));
    else if (said.relationship === 'builds_on') problems.push(...(await outdatedBasis(tx, decision, target)));
  }
  const near = nearLinks.filter(
    (each) => each.isCertain || each.references.some((one) => meant(one).decisions.length > 0),
  );
  return {
    warnings: [...warnings, ...capped([...new Set([...problems, ...near.map(nearLink)])])],
    isLinked: !isNew || made.some(({ fromId }) => fromId === decision.id),
  };
}

/** What the earlier versions of a chain refer to, the newest first. */
async function saidEarlier(tx: Tx, decision: Decision): Promise<Said[]> {
  // Versions often carry the same reasoning.
  const parsed = new Map<string, WrittenReference[]>();
  let length = 0;
  return (await reasonedBefore(tx, decision)).flatMap((by) => {
    const reasoning = by.reasoning ?? '';
    const known = parsed.get(reasoning);
    if (!known) length += reasoning.length;
    if (length > REREAD) return [];
    const references = known ?? parseReasoning(reasoning).references;
    parsed.set(reasoning, references);
    return references.map((each) => ({ ...each, by }));
  });
}

/** What each of these references means now. All whole ids are looked up at once, and all topics. */
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
  // Of its own chain it means what stood when it was saved.
  const { previousVersionId: id, rootId } = said.by;
  return id === null ? undefined : { id, rootId, isActive: false };
}

function isOf(said: Said, link: Linked): boolean {
  return link.fromId === said.by.id && link.relationship === said.relationship;
}

function edges(tx: Tx, { by, relationship }: Said, target: Target | undefined): Edge[] {
  return target ? [{ fromId: by.id, toId: target.id, relationship, createdAt: tx.now }] : [];
}

function named({ decisions }: Meant): [ids: string[], named: string] {
  const ids = decisions.map(({ id }) => id).sort();
  return [ids, someOf(ids)];
}

/** A decision may build on one that no longer stands; a warning tells the agent. */
async function outdatedBasis(tx: Tx, decision: Decision, target: Target): Promise<string[]> {
  if (target.isActive || target.rootId === decision.rootId) return [];
  const newest = await newestInChain(tx, target.rootId);
  const mistaken = (await isMistake(tx, target.id)) ? takenBack(target.id) : undefined;
  const state = newest.isActive
    ? `${mistaken ?? `${target.id} was superseded`}; ${newest.id} stands now`
    : `${mistaken ?? `${target.id} was withdrawn`}, and nothing stands in its place`;
  return [`builds_on: ${state}. The link was kept.`];
}
