import type { DecisionFact, OutcomeFact } from '../../domain/arrival/facts.ts';
import { byField, type Content, defaultScope, FIELDS } from '../../domain/decision.ts';
import { foldName } from '../../domain/text/text.ts';
import { id as idRule } from '../invariants/value.ts';
import type { Tx } from '../tx.ts';
import { type Known, type Merging, stateHash } from './merging.ts';
import { keyOf } from './origins.ts';

export type Fact = Known<DecisionFact>;

/** A version that a merge adds; its place in its chain is not known yet. */
export interface NewVersion extends Content {
  seq: number;
  id: string;
  topic: string;
  withdrawn: 0 | 1;
  outcome: OutcomeFact['outcome'] | null;
  outcomeReason: string | null;
  createdAt: number;
  updatedAt: number;
}

/** What of a decision tells whether its outcome is still as its source had it: its texts never change. */
export const outcomeState = ({
  outcome,
  reason,
}: {
  outcome?: string | null;
  reason?: string | null;
} = {}) => [outcome ?? null, reason ?? null];

/** The id that a decision has here: its own, where it can be one. */
export function idOf({ id, known }: Fact): string {
  return id !== undefined && idRule(id) === undefined ? id : known;
}

/** Takes in a decision that has not come before, with its outcome, evidence and withdrawal. @returns its versions, in order */
export async function addDecision(merging: Merging, fact: Fact): Promise<NewVersion[]> {
  const { merged } = merging;
  const version = await newVersion(merging, fact, idOf(fact), fact.at);
  merging.came(fact, { recordSeq: version.seq }, outcomeState(fact.outcome));
  for (const [index, entry] of (fact.earlierOutcomes ?? []).entries())
    await addOutcome(merging, fact, version.id, entry, `earlier/${index}`);
  if (fact.outcome) await addOutcome(merging, fact, version.id, fact.outcome);
  await addEvidence(merging, fact, version.id);
  merged.decisions.new++;
  if (!fact.withdrawn) return [version];
  return [version, await addWithdrawal(merging, fact, version)];
}

/** A version with what a fact says, under an id of its own. */
export async function newVersion(
  merging: Merging,
  fact: Fact,
  id: string,
  createdAt: number,
): Promise<NewVersion> {
  const seq = merging.rows.record('decision', merging.writer(fact));
  const updatedAt = Math.max(createdAt, fact.updatedAt ?? createdAt, fact.outcome?.at ?? createdAt);
  return {
    seq,
    id,
    topic: fact.topic,
    // What its source does not know is as in a first version.
    ...byField<Content>((name) => fact[name] ?? FIELDS[name].first ?? null),
    scope: await scopeFor(merging, fact.scope ?? defaultScope(fact.topic)),
    withdrawn: 0,
    outcome: fact.outcome?.outcome ?? null,
    outcomeReason: fact.outcome?.reason ?? null,
    createdAt,
    updatedAt,
  };
}

/** The id of the version that takes a decision back, where its source has one. */
export function withdrawalOf(source: string, { key }: Fact): string {
  return keyOf(source, `${key}/withdrawn`);
}

/** The version that takes a decision back (D-15). */
export async function addWithdrawal(merging: Merging, fact: Fact, base: NewVersion): Promise<NewVersion> {
  const { reason, at } = fact.withdrawn as NonNullable<Fact['withdrawn']>;
  const key = withdrawalOf(merging.source, fact);
  const createdAt = Math.max(at, base.createdAt);
  const seq = merging.rows.record('decision', merging.writer(fact));
  merging.partCame(key, seq);
  const none = { outcome: null, outcomeReason: null, createdAt, updatedAt: createdAt };
  return { ...base, ...none, seq, id: key, reasoning: reason, withdrawn: 1 };
}

/**
 * Adds an entry to the log of a decision; its row says the same already, or is told afterwards.
 * @param name what the entry is known by there, since the same may be said twice
 */
export async function addOutcome(
  merging: Merging,
  fact: Fact,
  decisionId: string,
  { outcome, reason, at }: NonNullable<Fact['outcome']>,
  name = stateHash(outcomeState({ outcome, reason })),
): Promise<void> {
  let key = keyOf(merging.source, `${fact.key}/outcome/${name}`);
  // What was said before may be said again.
  for (let again = 2; merging.origins.has(key); again++)
    key = keyOf(merging.source, `${fact.key}/outcome/${name}/${again}`);
  const seq = merging.rows.record('outcome', merging.writer(fact), key);
  merging.partCame(key, seq);
  merging.rows.add('outcomes', { seq, decisionId, outcome, reason, createdAt: Math.max(at, fact.at) });
}

/** Adds the evidence that has not come before: each text is known by itself. @returns how many */
export async function addEvidence(merging: Merging, fact: Fact, decisionRef: string): Promise<number> {
  let added = 0;
  for (const { text, at } of fact.evidence ?? []) {
    const id = keyOf(merging.source, `${fact.key}/evidence/${stateHash(text)}`);
    if (merging.origins.has(id)) continue;
    const seq = merging.rows.record('evidence', merging.writer(fact));
    merging.partCame(id, seq);
    merging.rows.add('evidence', { seq, id, decisionRef, content: text, timestamp: at, observationId: null });
    added++;
  }
  return added;
}

/** The scope that a decision on this topic would get here, as it is spelled already (D-19). */
export async function scopeFor(merging: Merging, name: string): Promise<string> {
  const { tx, scopes, scopesUsed } = merging;
  const key = foldName(name);
  const known = scopes.get(key);
  if (known !== undefined) return known;
  merging.scopesHere ??= scopesHere(tx);
  const { exact, any } = await merging.scopesHere;
  const here = exact.get(name) ?? any.get(key);
  if (here !== undefined) scopesUsed.add(here);
  const scope = here ?? name;
  scopes.set(key, scope);
  return scope;
}

/** What every name of a scope leads to, by its spelling and folded: one question for thousands of decisions. */
async function scopesHere(tx: Tx): Promise<Record<'exact' | 'any', Map<string, string>>> {
  const rows = await tx.db.selectFrom('scopes').select(['name', 'key', 'scope']).execute();
  return {
    exact: new Map(rows.map(({ name, scope }) => [name, scope])),
    any: new Map(rows.flatMap(({ key, scope }) => (key === null ? [] : [[key, scope] as const]))),
  };
}
