import { byField, type Content, defaultScope, FIELDS } from '../../domain/decision.ts';
import type { DecisionFact, OutcomeFact } from '../../domain/import/facts.ts';
import { foldName } from '../../domain/text/text.ts';
import { id as idRule } from '../columns.ts';
import { findDecisionRows } from '../decisions/decision.ts';
import { findRow } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { type Keyed, type MergePlan, stateHash } from './merge-plan.ts';
import { keyOf } from './origins.ts';

export type Fact = Keyed<DecisionFact>;

/** A version that a merge adds; its place in its chain is not known yet. */
export interface NewVersion extends Content {
  seq: number;
  id: string;
  topic: string | null;
  withdrawn: 0 | 1;
  /** The versions that its author saw: the version before it in its source where that says nothing; null for the first one (Y-6). */
  basedOn: string | null;
  tidies: string | null;
  outcome: OutcomeFact['outcome'] | null;
  outcomeReason: string | null;
  createdAt: number;
  updatedAt: number;
}

/** The state that tells whether a decision's outcome is still as its source had it: its texts never change. */
export const outcomeState = ({
  outcome,
  reason,
}: {
  outcome?: string | null;
  reason?: string | null;
} = {}) => [outcome ?? null, reason ?? null];

/** The id that a decision has here: its own, where it can be one. */
export const idOf = ({ id, importKey }: Fact): string => ownOr(importKey, id);
const ownOr = (key: string, id: string | undefined) =>
  id !== undefined && idRule(id) === undefined ? id : key;

/** Takes in a decision that has not come before, with its outcome, evidence and withdrawal. @returns its versions, in order */
export async function addDecision(plan: MergePlan, fact: Fact): Promise<NewVersion[]> {
  const { merged } = plan;
  const version = await newVersion(plan, fact, idOf(fact), fact.at);
  plan.recordOrigin(fact, { recordSeq: version.seq }, outcomeState(fact.outcome));
  for (const [index, entry] of (fact.earlierOutcomes ?? []).entries())
    await addOutcome(plan, fact, version.id, entry, `earlier/${index}`);
  if (fact.outcome) await addOutcome(plan, fact, version.id, fact.outcome);
  await addEvidence(plan, fact, version.id);
  merged.decisions.new++;
  if (!fact.withdrawn) return [version];
  return [version, await addWithdrawal(plan, fact, version)];
}

/** A version with what a fact says, under an id of its own. */
export async function newVersion(
  plan: MergePlan,
  fact: Fact,
  id: string,
  createdAt: number,
): Promise<NewVersion> {
  const seq = plan.rows.record('decision', await plan.writer(fact));
  const updatedAt = Math.max(createdAt, fact.updatedAt ?? createdAt, fact.outcome?.at ?? createdAt);
  return {
    seq,
    id,
    topic: fact.isNameless ? null : fact.topic,
    // Fields that its source does not know are as in a first version.
    ...byField<Content>((name) => fact[name] ?? FIELDS[name].first ?? null),
    scope: await scopeFor(plan, fact.scope ?? defaultScope(fact.topic)),
    withdrawn: 0,
    // Empty where its author saw no other version, null where that is not known.
    basedOn: fact.basedOn?.filter((each) => idRule(each) === undefined).join('\n') ?? null,
    tidies: idOrNull(fact.tidies),
    outcome: fact.outcome?.outcome ?? null,
    outcomeReason: fact.outcome?.reason ?? null,
    createdAt,
    updatedAt,
  };
}

const idOrNull = (id: string | undefined) => (id !== undefined && idRule(id) === undefined ? id : null);

/** The key of the version that takes a decision back, where its source has one. */
export function withdrawalOf(source: string, { name }: Fact): string {
  return keyOf(source, `${name}/withdrawn`);
}

const outcomeId = (source: string, fact: Fact, name: string) => keyOf(source, `${fact.name}/outcome/${name}`);

export const evidenceId = (source: string, { name }: Fact, text: string): string =>
  keyOf(source, `${name}/evidence/${stateHash(text)}`);

/** The ids that the parts of a decision get here: the version that takes it back, its outcomes and its evidence. */
export const partIds = (source: string, fact: Fact): string[] => [
  ...(fact.withdrawn ? [withdrawalOf(source, fact)] : []),
  ...(fact.outcome ? [outcomeId(source, fact, stateHash(outcomeState(fact.outcome)))] : []),
  ...(fact.earlierOutcomes ?? []).map((_, index) => outcomeId(source, fact, `earlier/${index}`)),
  ...(fact.evidence ?? []).map(({ text }) => evidenceId(source, fact, text)),
];

/** The ids that this version may have here: its own, and its key where that one is taken. */
export const withdrawalIds = (source: string, fact: Fact): string[] => {
  const key = withdrawalOf(source, fact);
  return [ownOr(key, fact.withdrawn?.id), key];
};

/** An id that no decision has: this one, that of the name, or one of the name with a number. */
export async function freeId(plan: MergePlan, name: string, own = keyOf(plan.source, name)): Promise<string> {
  let id = own;
  for (let again = 1; plan.ids.has(id) || (await findDecisionRows(plan.tx, [id])).has(id); again++)
    id = keyOf(plan.source, again === 1 ? name : `${name}/${again}`);
  plan.ids.add(id);
  return id;
}

/** The version that takes a decision back (D-15). */
export async function addWithdrawal(plan: MergePlan, fact: Fact, base: NewVersion): Promise<NewVersion> {
  const { reason, at, tidies } = fact.withdrawn as NonNullable<Fact['withdrawn']>;
  const [own, key] = withdrawalIds(plan.source, fact) as [string, string];
  const id = await freeId(plan, `${fact.name}/withdrawn`, own);
  const createdAt = Math.max(at, base.createdAt);
  const seq = plan.rows.record('decision', await plan.writer(fact));
  plan.recordPartOrigin(key, seq);
  const none = { outcome: null, outcomeReason: null, createdAt, updatedAt: createdAt };
  return {
    ...base,
    ...none,
    seq,
    id,
    reasoning: reason,
    withdrawn: 1,
    basedOn: base.id,
    tidies: idOrNull(tidies),
  };
}

/**
 * Adds an entry to the log of a decision; its row says the same already, or is changed afterwards.
 * @param name the entry's name there, since the same may be said twice
 */
export async function addOutcome(
  plan: MergePlan,
  fact: Fact,
  decisionId: string,
  { outcome, reason, at }: NonNullable<Fact['outcome']>,
  name = stateHash(outcomeState({ outcome, reason })),
): Promise<void> {
  let key = outcomeId(plan.source, fact, name);
  const isTaken = async () => (await findRow(plan.tx, 'records', { uid: key })) !== undefined;
  // Earlier texts may be said again. The first id was looked up with those of all facts.
  for (let again = 2; plan.origins.has(key) || (again > 2 && (await isTaken())); again++)
    key = outcomeId(plan.source, fact, `${name}/${again}`);
  const seq = plan.rows.record('outcome', await plan.writer(fact), key);
  plan.recordPartOrigin(key, seq);
  plan.rows.add('outcomes', { seq, decisionId, outcome, reason, createdAt: Math.max(at, fact.at) });
}

/** Adds the evidence that has not come before: each text is its own key. @returns how many */
export async function addEvidence(plan: MergePlan, fact: Fact, decisionRef: string): Promise<number> {
  let added = 0;
  for (const { text, at } of fact.evidence ?? []) {
    const id = evidenceId(plan.source, fact, text);
    if (plan.origins.has(id)) continue;
    const seq = plan.rows.record('evidence', await plan.writer(fact));
    plan.recordPartOrigin(id, seq);
    plan.rows.add('evidence', { seq, id, decisionRef, content: text, timestamp: at, observationId: null });
    added++;
  }
  return added;
}

/** The scope that a decision on this topic would get here, as it is spelled already (D-19). */
export async function scopeFor(plan: MergePlan, name: string): Promise<string> {
  const { tx, scopes, scopesUsed } = plan;
  const key = foldName(name);
  const known = scopes.get(key);
  if (known !== undefined) return known;
  plan.scopesHere ??= scopesHere(tx);
  const { exact, any } = await plan.scopesHere;
  const here = exact.get(name) ?? any.get(key);
  if (here !== undefined) scopesUsed.add(here);
  const scope = here ?? name;
  scopes.set(key, scope);
  return scope;
}

/** The target of every name of a scope, by its spelling and folded: one question for thousands of decisions. */
async function scopesHere(tx: Tx): Promise<Record<'exact' | 'any', Map<string, string>>> {
  const rows = await query<Schema['scopes']>(tx)`select name, key, scope from scopes`;
  return {
    exact: new Map(rows.map(({ name, scope }) => [name, scope])),
    any: new Map(rows.flatMap(({ key, scope }) => (key === null ? [] : [[key, scope] as const]))),
  };
}
