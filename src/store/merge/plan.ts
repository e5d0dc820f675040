import { setImmediate } from 'node:timers/promises';
import type { AnyFact } from '../../domain/arrival/facts.ts';
import { PrecedentError } from '../../domain/error.ts';
import { foldName } from '../../domain/text/text.ts';
import type { Document } from '../engine.ts';
import type { Tx } from '../tx.ts';
import { extendChain } from './chains.ts';
import { takeCheckpoint } from './checkpoints.ts';
import { addDecision, type Fact, idOf, type NewVersion, withdrawalOf } from './decisions.ts';
import { documentsOf } from './documents.ts';
import { followDecision } from './follow-decision.ts';
import { type Links, linksOf } from './links.ts';
import { type Here, hereAlready, meetDecision } from './meet-decision.ts';
import { type Known, type KnownFacts, Merging } from './merging.ts';
import { addObservation, followObservation } from './observations.ts';
import { inKeptOrder } from './origins.ts';
import { takeRelation } from './relations.ts';
import { topicsOf } from './topics.ts';

/** Facts after which others get their turn. */
const TOGETHER = 50;

/** What a merge will do. */
export interface Plan {
  merging: Merging;
  links: Links;
  documents: Document[];
}

/** Receives how many facts are done, and how many there are. */
export type Progress = (done: number, all: number) => void;

/**
 * Says what is to be done with every fact, and writes nothing: all that takes long is done before others have to wait (I-3).
 * @throws PrecedentError `invalid` where two rows have one name
 */
export async function planMerge(tx: Tx, facts: KnownFacts, progress: Progress): Promise<Plan> {
  const merging = await Merging.begin(tx, facts);
  const { decisions, observations, checkpoints, relations } = facts;
  requireDistinct([...decisions, ...observations, ...checkpoints]);
  const here = await hereAlready(
    merging,
    decisions.filter(({ known }) => !merging.origins.has(known)),
  );
  const versions = new Map<string, NewVersion[]>();
  const todo = [
    ...decisions.map((fact) => ({
      at: fact.at,
      take: async () => void versions.set(fact.known, await takeDecision(merging, fact, here)),
    })),
    ...observations.map((fact) => ({ at: fact.at, take: () => takeObservation(merging, fact) })),
    ...checkpoints.map((fact) => ({ at: fact.at, take: () => takeCheckpoint(merging, fact) })),
    ...relations.map((fact) => ({ at: Number.POSITIVE_INFINITY, take: () => takeRelation(merging, fact) })),
  ];
  todo.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at));
  for (const [done, { take }] of todo.entries()) {
    await take();
    if (done % TOGETHER !== 0) continue;
    progress(done, todo.length);
    await setImmediate();
  }
  await placeVersions(merging, decisions, versions);
  const fresh = new Set([...versions].filter(([, of]) => of.length > 0).map(([key]) => key));
  for (const fact of decisions) merging.ids.add(idOf(fact));
  for (const fact of decisions) if (fresh.has(fact.known)) merging.topics.add(foldName(fact.topic));
  merging.changed = inKeptOrder(merging.changed);
  return { merging, links: linksOf(decisions, fresh), documents: await documentsOf(merging.rows) };
}

/** A key that two rows have would make one of them overwrite the other with every import. */
function requireDistinct(facts: Known<AnyFact>[]): void {
  const seen = new Set<string>();
  for (const { known, key } of facts) {
    if (seen.has(known)) {
      throw new PrecedentError('invalid', `Expected rows with names of their own, found "${key}" twice.`);
    }
    seen.add(known);
  }
}

async function takeDecision(merging: Merging, fact: Fact, here: Map<string, Here>): Promise<NewVersion[]> {
  const before = merging.origins.get(fact.known);
  if (before?.hash === fact.hash) {
    merging.merged.decisions.same++;
    return [];
  }
  if (before) return followDecision(merging, fact, before);
  const standing = here.get(idOf(fact));
  return standing ? meetDecision(merging, fact, standing) : addDecision(merging, fact);
}

async function takeObservation(merging: Merging, fact: KnownFacts['observations'][number]): Promise<void> {
  const before = merging.origins.get(fact.known);
  if (before?.hash === fact.hash) merging.merged.observations.same++;
  else if (before) await followObservation(merging, fact, before.recordSeq ?? 0);
  else await addObservation(merging, fact);
}

/** Gives every new version its place in its chain. */
async function placeVersions(
  merging: Merging,
  decisions: Fact[],
  versions: Map<string, NewVersion[]>,
): Promise<void> {
  const fresh = decisions.filter(({ known }) => (versions.get(known) ?? []).length > 0);
  const isFresh = new Set(fresh.map(({ topic }) => topic));
  const touched = decisions.filter(({ topic }) => isFresh.has(topic));
  for (const { facts, rootId } of await topicsOf(merging, touched)) {
    const told = facts.flatMap((fact) => [
      idOf(fact),
      withdrawalOf(merging.source, fact),
      ...(versions.get(fact.known) ?? []).map(({ id }) => id),
    ]);
    const mine = facts.flatMap(({ known }) => versions.get(known) ?? []);
    await extendChain(merging, rootId, [...new Set(told)], mine);
  }
}
