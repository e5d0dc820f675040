import type { Decision } from '../../domain/decision.ts';
import { notFound } from '../../domain/error.ts';
import { didYouMean } from '../../domain/filter/near.ts';
import { idCandidates, isIdPrefix, isUuid, tooShort } from '../../domain/id.ts';
import type { Words } from '../../domain/reasoning/reference.ts';
import { idBeginning, topicSpellings, versionOfTopic, withoutKind } from '../../domain/reasoning/spelling.ts';
import { normalizeName } from '../../domain/text/text.ts';
import { findName, namesOf } from '../names.ts';
import { idByPrefix, idsByPrefix } from '../prefix.ts';
import { findRow } from '../rows.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecision, findDecisions, findVersion, newestInChain, newestOfTopic } from './decision.ts';

/**
 * The decision that a reference means (U-1), on every face: an id in any form that agents write; a topic, whose newest
 * version is meant; `topic@2`, a version of it; the beginning of an id; a link as results show it. The first that fits wins.
 * @throws PrecedentError `invalid` when several ids begin so
 */
export async function resolveDecision(tx: Tx, reference: string): Promise<Decision | undefined> {
  // A text that looks like an id is one; any other is most likely a topic: look it up in the same round trip.
  const isId = idCandidates(reference).some(isUuid);
  const [exact, ofTopic] = await together(
    findDecision(tx, reference),
    isId ? undefined : byTopic(tx, reference),
  );
  return (
    exact ??
    (isId ? await byTopic(tx, reference) : ofTopic) ??
    (await byVersion(tx, reference)) ??
    (await byPrefix(tx, reference)) ??
    (await asShown(tx, reference))
  );
}

/** {@link resolveDecision}. @throws PrecedentError also `not_found` */
export async function requireDecision(tx: Tx, reference: string): Promise<Decision> {
  const decision = await resolveDecision(tx, reference);
  if (decision) return decision;
  const other = await otherKind(tx, reference);
  const near = other ? '' : didYouMean(reference, await namesOf(tx, 'topics'));
  const what = other
    ? `which is ${other}`
    : `which does not exist${near ? '' : '. Search for it by topic or text'}`;
  const error = notFound.no_record(
    `Expected a decision: its id, an id prefix, or its topic; found "${reference}", ${what}.${near || (other ? '' : tooShort(reference))}`,
  );
  throw Object.assign(error, { near });
}

/** The tools that read the records of other kinds which agents are shown by id. */
const OTHERS = {
  memos: 'a memo: read it with memo_list, as its infoId',
  checkpoints: 'a checkpoint: read it with mama_load_checkpoint',
} as const;

/** The other record that a reference names, and the tool that reads it; undefined for none. */
async function otherKind(tx: Tx, reference: string): Promise<string | undefined> {
  const [, sign, digits] = /^\s*(#?)(\d{1,15})\s*$/.exec(reference) ?? [];
  if (sign === '#' || (digits && (await findRow(tx, 'observations', { id: Number(digits) }))))
    return 'an observation: read it with mem_get_observation';
  const prefix = reference.trim().toLowerCase();
  if (!isIdPrefix(prefix)) return undefined;
  for (const table of ['memos', 'checkpoints'] as const)
    if ((await idsByPrefix(tx, table, prefix)).length > 0) return OTHERS[table];
  return undefined;
}

/** The possible meanings of a reference in reasoning. */
export interface Meant {
  /** None, one, or several whose ids begin so. */
  decisions: Decision[];
  /** Whether it named a topic, so that the version that is active now was taken. */
  byTopic: boolean;
}

/**
 * The meaning of a reference in reasoning that is not a whole id, in the order of {@link resolveDecision} (U-1). Only a
 * reference written as a topic may be one, and the beginning of an id is longer than elsewhere.
 * @param chains the chains that {@link topicsIn} lead to
 */
export async function meantInReasoning(
  tx: Tx,
  reference: Words,
  chains: Map<string, string>,
): Promise<Meant> {
  for (const spelling of topicSpellings(reference)) {
    const chain = chains.get(normalizeName(spelling));
    if (chain !== undefined) return { decisions: [await newestInChain(tx, chain)], byTopic: true };
    const of = versionOfTopic(spelling);
    const versioned = of && chains.get(of.name);
    const version = versioned && (await findVersion(tx, versioned, of.version));
    if (version) return { decisions: [version], byTopic: false };
  }
  const beginning = idBeginning(reference);
  const ids = beginning === undefined ? [] : await idsByPrefix(tx, 'decisions', beginning);
  return { decisions: await findDecisions(tx, ids), byTopic: false };
}

/** Every topic that references in reasoning may name. */
export function topicsIn(references: Words[]): string[] {
  const names = references
    .flatMap(topicSpellings)
    .flatMap((spelling) => [normalizeName(spelling), versionOfTopic(spelling)?.name ?? []].flat());
  return [...new Set(names)];
}

const byTopic = (tx: Tx, reference: string) => newestOfTopic(tx, normalizeName(reference));

async function byVersion(tx: Tx, reference: string): Promise<Decision | undefined> {
  const of = versionOfTopic(reference);
  const topic = of && (await findName(tx, 'topics', of.name));
  return topic && findVersion(tx, topic.target, of.version);
}

/** A link as results show it, `infra:redis (3a2ee091)`: what is shown is taken, too. */
async function asShown(tx: Tx, reference: string): Promise<Decision | undefined> {
  const [, id] = reference.match(/ \(([\w-]{8,200})\)$/) ?? [];
  return id === undefined ? undefined : ((await findDecision(tx, id)) ?? (await byPrefix(tx, id)));
}

async function byPrefix(tx: Tx, reference: string): Promise<Decision | undefined> {
  const id = await idByPrefix(tx, 'decisions', withoutKind(reference), 'decisions');
  return id === undefined ? undefined : findDecision(tx, id);
}
