import { setImmediate } from 'node:timers/promises';
import { PrecedentError } from '../../domain/error.ts';
import type { AnyFact } from '../../domain/import/facts.ts';
import { foldName } from '../../domain/text/text.ts';
import type { Document } from '../engine.ts';
import type { Tx } from '../tx.ts';
import { extendChain } from './chains.ts';
import { takeCheckpoint } from './checkpoints.ts';
import { addDecision, type Fact, idOf, type NewVersion, withdrawalOf } from './decisions.ts';
import { documentsOf } from './documents.ts';
import { followDecision } from './follow-decision.ts';
import { type Links, linksOf } from './links.ts';
import { existingDecisions, type Here, matchExisting } from './match-existing.ts';
import { type Keyed, type KeyedFacts, MergePlan } from './merge-plan.ts';
import { addObservation, followObservation } from './observations.ts';
import { inKeptOrder } from './origins.ts';
import { takeRelation } from './relations.ts';
import { topicsOf } from './topics.ts';

/** Facts after which others get their turn. */
const TOGETHER = 50;

/** What a merge will do. */
export interface PlannedMerge {
  plan: MergePlan;
  links: Links;
  documents: Document[];
}

/** Receives how many facts are done, and how many there are. */
export type Progress = (done: number, all: number) => void;

/**
 * Says what is to be done with every fact, and writes nothing: all that takes long is done before others have to wait (I-3).
 * @throws PrecedentError `invalid` where two rows have one name
 */
export async function planMerge(tx: Tx, facts: KeyedFacts, progress: Progress): Promise<PlannedMerge> {
  const plan = await MergePlan.begin(tx, facts);
  const { decisions, observations, checkpoints, relations } = facts;
  requireDistinct([...decisions, ...observations, ...checkpoints]);
  const here = await existingDecisions(
    plan,
    decisions.filter(({ importKey }) => !plan.origins.has(importKey)),
  );
  const versions = new Map<string, NewVersion[]>();
  const todo = [
    ...decisions.map((fact) => ({
      at: fact.at,
      take: async () => void versions.set(fact.importKey, await takeDecision(plan, fact, here)),
    })),
    ...observations.map((fact) => ({ at: fact.at, take: () => takeObservation(plan, fact) })),
    ...checkpoints.map((fact) => ({ at: fact.at, take: () => takeCheckpoint(plan, fact) })),
    ...relations.map((fact) => ({ at: Number.POSITIVE_INFINITY, take: () => takeRelation(plan, fact) })),
  ];
  todo.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at));
  for (const [done, { take }] of todo.entries()) {
    await take();
    if (done % TOGETHER !== 0) continue;
    progress(done, todo.length);
    await setImmediate();
  }
  await placeVersions(plan, decisions, versions);
  const fresh = new Set([...versions].filter(([, of]) => of.length > 0).map(([key]) => key));
  for (const fact of decisions) plan.ids.add(idOf(fact));
  for (const fact of decisions) if (fresh.has(fact.importKey)) plan.topics.add(foldName(fact.topic));
  plan.changed = inKeptOrder(plan.changed);
  return { plan, links: linksOf(decisions, fresh), documents: await documentsOf(plan.rows) };
}

/** A key that two rows have would make one of them overwrite the other with every import. */
function requireDistinct(facts: Keyed<AnyFact>[]): void {
  const seen = new Set<string>();
  for (const { importKey, key } of facts) {
    if (seen.has(importKey)) {
      throw new PrecedentError('invalid', `Expected rows with names of their own, found "${key}" twice.`);
    }
    seen.add(importKey);
  }
}

async function takeDecision(plan: MergePlan, fact: Fact, here: Map<string, Here>): Promise<NewVersion[]> {
  const before = plan.origins.get(fact.importKey);
  if (before?.hash === fact.hash) {
    plan.merged.decisions.same++;
    return [];
  }
  if (before) return followDecision(plan, fact, before);
  const standing = here.get(idOf(fact));
  return standing ? matchExisting(plan, fact, standing) : addDecision(plan, fact);
}

async function takeObservation(plan: MergePlan, fact: KeyedFacts['observations'][number]): Promise<void> {
  const before = plan.origins.get(fact.importKey);
  if (before?.hash === fact.hash) plan.merged.observations.same++;
  else if (before) await followObservation(plan, fact, before.recordSeq ?? 0);
  else await addObservation(plan, fact);
}

/** Gives every new version its place in its chain. */
async function placeVersions(
  plan: MergePlan,
  decisions: Fact[],
  versions: Map<string, NewVersion[]>,
): Promise<void> {
  const fresh = decisions.filter(({ importKey }) => (versions.get(importKey) ?? []).length > 0);
  const isFresh = new Set(fresh.map(({ topic }) => topic));
  const touched = decisions.filter(({ topic }) => isFresh.has(topic));
  for (const { facts, rootId } of await topicsOf(plan, touched)) {
    const reported = facts.flatMap((fact) => [
      idOf(fact),
      withdrawalOf(plan.source, fact),
      ...(versions.get(fact.importKey) ?? []).map(({ id }) => id),
    ]);
    const mine = facts.flatMap(({ importKey }) => versions.get(importKey) ?? []);
    await extendChain(plan, rootId, [...new Set(reported)], mine);
  }
}
