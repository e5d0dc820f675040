import type { Decision } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { normalizeName } from '../../domain/text/text.ts';
import { idByPrefix } from '../prefix.ts';
import type { Tx } from '../tx.ts';
import { findDecision, findVersion, newestInChain } from './decision.ts';
import { findTopic } from './topic.ts';

/**
 * The decision that a reference means (U-1), on every face: an id in any form that agents write; a topic, whose newest
 * version is meant; `topic@2`, a version of it; the beginning of an id. The first that fits wins.
 * @throws PrecedentError `invalid` when several ids begin so
 */
export async function resolveDecision(tx: Tx, reference: string): Promise<Decision | undefined> {
  return (
    (await findDecision(tx, reference)) ??
    (await byTopic(tx, reference)) ??
    (await byVersion(tx, reference)) ??
    (await byPrefix(tx, reference))
  );
}

/** {@link resolveDecision}. @throws PrecedentError also `not_found` */
export async function requireDecision(tx: Tx, reference: string): Promise<Decision> {
  const decision = await resolveDecision(tx, reference);
  if (decision) return decision;
  throw new PrecedentError(
    'not_found',
    `Expected a decision: its id, the beginning of it, or its topic; found "${reference}", which does not exist. Search for it by topic or text.`,
  );
}

async function byTopic(tx: Tx, reference: string): Promise<Decision | undefined> {
  const topic = await findTopic(tx, normalizeName(reference));
  return topic && newestInChain(tx, topic.rootId);
}

async function byVersion(tx: Tx, reference: string): Promise<Decision | undefined> {
  const [, name, version] = normalizeName(reference).match(/^(.+)@(\d{1,9})$/su) ?? [];
  const topic = name === undefined ? undefined : await findTopic(tx, normalizeName(name));
  return topic && findVersion(tx, topic.rootId, Number(version));
}

async function byPrefix(tx: Tx, reference: string): Promise<Decision | undefined> {
  const id = await idByPrefix(tx, 'decisions', reference.replace(/^decision_/i, ''), 'decisions');
  return id === undefined ? undefined : findDecision(tx, id);
}
