import { isSameText, saysAgain } from '../../domain/alike.ts';
import type { Chain, Version } from '../../domain/chain.ts';
import {
  type Decision,
  type Draft,
  decidedId,
  isMoved,
  isUnchanged,
  nextVersion,
  overrides,
  tidying,
} from '../../domain/decision.ts';
import type { Edge } from '../../domain/edge.ts';
import { conflict, invalid, type PrecedentError } from '../../domain/error.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { earlierFailureWarning } from '../../domain/language/failures.ts';
import { failedBasisWarning } from '../../domain/outcome.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { iso } from '../../domain/text/moment.ts';
import { quoted } from '../../domain/text/text.ts';
import { isPerson, viaOf } from '../../domain/via.ts';
import { usedSince } from '../names.ts';
import { insertRecord } from '../record.ts';
import { together } from '../statements.ts';
import { LostRace, requireFollows, type Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';
import { type Annotation, annotateOne } from './annotation.ts';
import { deactivate, insertDecision } from './decision.ts';
import { insertEdges } from './edge.ts';
import { attachEvidence } from './evidence.ts';
import { chainOfTopic, loadChain } from './loaded.ts';
import {
  type Naming,
  overridingWarning,
  type Replaced,
  replacedBy,
  requireMeant,
  requireOfTopic,
} from './overriding.ts';
import { linkReasoning } from './reasoning.ts';
import { requireDecision } from './reference.ts';
import { insertTopic, scopeToUse } from './topic.ts';

/** The effect of one save. */
export interface Written {
  decision: Decision;
  /** True when the draft repeated the active version, so that no version was made. */
  unchanged: boolean;
  /** Evidence that this save added. */
  evidence: Evidence[];
  annotation: Annotation;
  /** The active version that it followed (T-5). */
  replaced?: Replaced | undefined;
  /** For the agent: references that were ignored, and failures behind the decision. */
  warnings: string[];
}

/**
 * Saves a decision as the next version of its topic's chain, or as the first version of a new one (G-1, D-3).
 * @throws PrecedentError as {@link requireMeant}
 */
export async function saveDecision(
  tx: Tx,
  draft: Draft,
  evidence: readonly string[],
  naming: Naming = {},
): Promise<Written> {
  // Look up the writer in the same round trip.
  const [chain, scope] = await together(
    draft.topic === undefined ? undefined : chainOfTopic(tx, draft.topic),
    givenScope(tx, draft),
    writerRow(tx),
  );
  // A lock refuses by itself what does not name it.
  if (chain?.newest?.strength !== 'lock')
    await requireOfTopic(tx, naming, chain?.newest?.rootId, draft.topic);
  return append(tx, chain, { ...draft, scope }, evidence, naming);
}

/**
 * Makes the next version of a chain from its active version; fields that are not given carry over.
 * @throws PrecedentError `not_found`; `conflict` when the version is not active: the message names the active one; also as
 *   {@link requireMeant}
 */
export async function reviseDecision(
  tx: Tx,
  id: string,
  changes: Omit<Draft, 'topic' | 'text'> & { text?: string | undefined },
  evidence: readonly string[],
  naming: Naming & Omit<How, 'carriesReasoning'> = {},
): Promise<Written> {
  const current = await requireDecision(tx, id);
  const [chain, scope] = await together(loadChain(tx, current.rootId, 'recent'), givenScope(tx, changes));
  if (!current.isActive) throw notActive(current, chain);
  const draft = { ...changes, scope, text: changes.text ?? current.text };
  return append(tx, chain, draft, evidence, { ...naming, carriesReasoning: true });
}

/** How a version comes to be. */
interface How {
  carriesReasoning?: boolean;
  /** Set false where the reasoning is the one that is kept, with links added: it says nothing new (D-20). */
  isReasoned?: boolean;
  /** Whether it says the same in other words (TR-3). */
  isTidy?: boolean | undefined;
  /** Whether it is withdrawn because its topic was joined with another (TR-3). */
  isJoin?: boolean;
}

/**
 * Only a person may reword a decision that keeps a person as its author (Z-14).
 * @throws PrecedentError `conflict`
 */
function requireOwn(tx: Tx, { id, client }: Version): void {
  if (!isPerson(client) || isPerson(tx.writer.client)) return;
  throw conflict.of_person(
    `Expected a person to correct the wording of what a person decided (${id}), found ${viaOf(tx.writer.client)}. Revise it without "tidy", or ask the person to edit it. Nothing was changed.`,
  );
}

/** Creates the scope if it is new. If no version is saved in the end, the scope is rolled back. */
async function givenScope(tx: Tx, { scope }: Pick<Draft, 'scope'>): Promise<string | undefined> {
  return scope === undefined ? undefined : scopeToUse(tx, scope);
}

/** Makes the next version of a draft, with its links and evidence, or none where the active version says the same. */
async function append(
  tx: Tx,
  chain: Chain | undefined,
  given: Draft,
  evidence: readonly string[],
  {
    carriesReasoning = false,
    isReasoned = true,
    isTidy = false,
    isJoin = false,
    ...naming
  }: Omit<Naming, 'reasoning'> & How,
): Promise<Written> {
  const newest = chain?.newest ?? null;
  if (chain) requireFollowsDecided(tx, chain);
  const yielding = newest && overrides(newest, given);
  const meant = { ...naming, reasoning: isReasoned ? given.reasoning : undefined };
  // Taking a file from a lock requires its name but no reason, because files are often moved and deleted.
  const needsReason = yielding !== 'unbind' && !isTidy;
  if (newest && yielding) await requireMeant(tx, newest, yielding, meant, needsReason);
  const carriedReason = carriesReasoning ? (newest?.reasoning ?? undefined) : undefined;
  const draft: Draft = { ...given, reasoning: given.reasoning ?? carriedReason };
  if (newest && !draft.withdrawn && isUnchanged(newest, draft))
    return complete(tx, newest, chain, true, evidence);
  const carried = newest && !newest.isActive && newest.isMistake ? null : newest;
  const branch = draft.branch ?? tx.writer.branch;
  const made = {
    ...nextVersion(newest, { ...draft, branch }, tx.newId(), tx.now, carried),
    // The date was checked: a version that undid something may be later.
    ...(tx.now !== tx.entered && { createdAt: tx.now, updatedAt: tx.now }),
  };
  // A tidied version keeps its day, unless that is taken away.
  const before = newest && (draft.revisit === '' ? { ...newest, revisit: null } : newest);
  const isMove = before !== null && isMoved(before, made);
  const next = before && (isTidy || isMove || isJoin) ? tidying(before, made, isMove) : made;
  if (newest && isTidy && !isMove) requireOwn(tx, newest);
  const isKnown = next.scope === (given.scope ?? carried?.scope);
  const seen = chain?.agreedHeads ?? [];
  const inScope = isKnown ? next : scopeToUse(tx, next.scope).then((scope) => ({ ...next, scope }));
  const decision = await insertNext(tx, newest, inScope, seen);
  const [written, replaced] = await together(
    complete(tx, decision, chain?.followedBy(decision, seen, tx.writer), false, evidence),
    newest?.isActive ? replacedBy(tx, newest) : undefined,
  );
  const isOtherText = decision.text !== newest?.text;
  const warning = replaced && overridingWarning(tx, replaced, yielding ?? undefined, isOtherText);
  const warnings = [
    ...(warning ? [warning] : []),
    ...(isOtherText || !newest?.isActive ? saidAgain(decision, chain) : []),
    ...(newest?.isActive ? lostLinks(newest, written) : []),
    ...written.warnings,
  ];
  return { ...written, replaced, warnings };
}

/** The warning that a version repeats one that was replaced, withdrawn or undone, so that nobody does it by accident (V-2). */
function saidAgain(decision: Decision, chain: Chain | undefined): string[] {
  const before = chain?.recentBefore(decision.version) ?? [];
  const again =
    before.find((each) => (each.withdrawn || each.isMistake) && saysAgain(each.text, decision.text)) ??
    // A failure has a warning of its own.
    before.find(({ text, outcome }) => outcome !== 'failed' && isSameText(text, decision.text));
  if (again === undefined || decision.withdrawn) return [];
  const { version, id, withdrawn, isMistake, reasoning } = again;
  const because = (why: string | null | undefined) => (why ? `: ${quoted(why)}` : '');
  if (withdrawn) return [`⚠️ this repeats what was withdrawn as v${version} (${id})${because(reasoning)}`];
  if (isMistake)
    return [`⚠️ this repeats what was undone as v${version} (${id}): ask the person before you rely on it.`];
  const next = before.filter((each) => each.version > version && !each.isMistake).at(-1);
  return [
    `⚠️ this repeats v${version} (${id})${next ? `, which v${next.version} replaced${because(next.reasoning)}` : ''}`,
  ];
}

/** A warning that lists the previous version's links, if the new version has none (T-7). */
function lostLinks(newest: Decision, { decision, annotation: { references } }: Written): string[] {
  const hasLinks = Object.values(references).some((ids) => ids.length > 0);
  if (hasLinks || decision.withdrawn || decision.reasoning === newest.reasoning) return [];
  const links = parseReasoning(newest.reasoning ?? '').references;
  if (links.length === 0) return [];
  const names = links.slice(0, LOST).map(({ relationship, written }) => `${relationship}: ${written}`);
  const more = links.length > LOST ? ` and ${links.length - LOST} more` : '';
  return [
    `v${newest.version} has links that this version does not: ${names.join(', ')}${more}. Give them in the reasoning where they still hold.`,
  ];
}
/** Links that a warning names at most. */
const LOST = 5;

/**
 * The only function that writes versions. It deactivates the version before, inserts the next one, and writes the
 * supersedes edge, so that chain and graph cannot disagree (G-7).
 * @param seen ids of versions that its author saw besides the newest (Y-6)
 */
export async function insertNext(
  tx: Tx,
  newest: Decision | null,
  next: Decision | Promise<Decision>,
  seen: string[] = [],
): Promise<Decision> {
  const [decision, isFree, seq] = await together(
    next,
    newest?.isActive ? deactivate(tx, newest.id) : true,
    insertRecord(tx, 'decision'),
  );
  if (!isFree) throw new LostRace();
  await together(
    insertDecision(tx, seq, decision, seen),
    newest && insertEdges(tx, [supersedes(tx, decision.id, newest.id)]),
    decision.topic !== null && nameChain(tx, newest, decision.topic, decision.id),
  );
  return decision;
}

function nameChain(tx: Tx, newest: Decision | null, topic: string, rootId: string): Promise<void> {
  return newest ? usedSince(tx, 'topics', [topic]) : insertTopic(tx, topic, rootId);
}

/**
 * Links a new version, attaches its evidence and collects its warnings. For a draft that repeats the active
 * version, attaches new evidence and retries unresolved references.
 * @param chain the chain whose newest version this is; undefined for the first version of a new one
 */
export async function complete(
  tx: Tx,
  decision: Decision,
  chain: Chain | undefined,
  unchanged: boolean,
  evidence: readonly string[],
) {
  // Both can run together, because links do not depend on evidence.
  const [{ annotation, warnings }, added] = await together(
    linkAndAnnotate(tx, decision, chain, !unchanged),
    attachEvidence(tx, decision.id, evidence, !unchanged),
  );
  return {
    decision,
    unchanged,
    evidence: added,
    annotation,
    // A withdrawal does not repeat the failure.
    warnings: [...warnings, ...(decision.withdrawn ? [] : failureWarnings(annotation, decision.text))],
  };
}

async function linkAndAnnotate(tx: Tx, decision: Decision, chain: Chain | undefined, isNew: boolean) {
  const earlier = chain?.recentBefore(decision.version) ?? [];
  const { warnings, isLinked, isEarlierLinked } = await linkReasoning(tx, decision, earlier, isNew);
  // A link of an earlier version may lead to a failure.
  const known = isEarlierLinked ? undefined : chain;
  return {
    warnings,
    annotation: await annotateOne(tx, decision, { mayRefer: isLinked, asked: decision.text, chain: known }),
  };
}

function failureWarnings({ decidedTwice, earlierFailure, failedBasis }: Annotation, text: string): string[] {
  const known = new Set(failedBasis.map((failure) => failure.id));
  return [
    // Y-2: a save on such a topic settles nothing.
    ...(decidedTwice ? [`⚠️ decided twice: ${decidedTwice}`] : []),
    ...failedBasis.map(failedBasisWarning),
    ...(earlierFailure && !known.has(earlierFailure.id) ? [earlierFailureWarning(earlierFailure, text)] : []),
  ];
}

function notActive(decision: Decision, { active }: Chain): PrecedentError {
  const found = `Expected the active version of a decision, found version ${decision.version} (${decision.id})`;
  if (active) {
    return conflict.not_active(`${found}, which was superseded. Revise ${active.id} instead.`);
  }
  const next =
    decision.topic === null ? 'Save a new decision' : `Save a decision on topic "${decision.topic}"`;
  return conflict.not_active(`${found} of a chain that was withdrawn. ${next} instead.`);
}

function supersedes(tx: Tx, fromId: string, toId: string): Edge {
  return { fromId, toId, relationship: 'supersedes', createdAt: tx.now };
}

/**
 * A version that is entered with a date is not before what was decided last (U-7): another wording of that, what was undone
 * and what undid it bar no date. It is never before the first version, since the past knows no chain before that.
 * @throws PrecedentError `invalid`
 */
function requireFollowsDecided(tx: Tx, { versions }: Chain): void {
  const [first] = versions;
  if (first?.isMistake && tx.now !== tx.entered && tx.now < first.createdAt)
    throw invalid.wrong_time(
      `Expected "date" not before version 1, found ${iso(tx.now)}. That version was undone, but stays the first of its topic: save the decision under another topic, and join this one to it with "precedent rename --join".`,
    );
  const last = versions.findLast(({ isMistake }) => !isMistake);
  const decided = last && (versions.find(({ id }) => id === decidedId(last)) ?? last);
  if (decided) requireFollows(tx, decided.createdAt, `version ${decided.version}, which it follows`);
}
