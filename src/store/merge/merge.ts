import { setImmediate } from 'node:timers/promises';
import type { AnyFact, Facts, Merged } from '../../domain/arrival/facts.ts';
import { PrecedentError } from '../../domain/error.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { findDecision, findDecisions } from '../decisions/decision.ts';
import { insertEdges } from '../decisions/edge.ts';
import { linkReasoning } from '../decisions/reasoning.ts';
import { nameEverything } from '../names.ts';
import { piecesOf } from '../rows.ts';
import { everyDocument } from '../search/documents.ts';
import type { Tx } from '../tx.ts';
import { type Afterwards, extendChain } from './chains.ts';
import { takeCheckpoint } from './checkpoints.ts';
import {
  addDecision,
  type Fact,
  hereAlready,
  idOf,
  type NewVersion,
  outcomeState,
  withdrawalOf,
} from './decisions.ts';
import { followDecision } from './follow-decision.ts';
import { type Known, Merging } from './merging.ts';
import { addObservation, followObservation } from './observations.ts';
import { putOrigins } from './origins.ts';
import { takeRelation } from './relations.ts';
import { topicsOf } from './topics.ts';

/** Records indexed at once. */
const PAGE = 50;

/**
 * The one way in for what other tools remember (I-1, I-2), into a used memory as into an empty one, in one transaction.
 * Ids, times, authors and sessions of the source are kept. What came before and is the same is left alone; what changed
 * there gives one revision, outcome or version; what changed on both sides is reported and left as it is.
 * @param facts made fit to be kept by `arriving`
 * @param progress receives how many facts are taken in, and how many there are
 */
export async function merge(
  tx: Tx,
  facts: Facts,
  progress: (done: number, all: number) => void = () => {},
): Promise<Merged> {
  const merging = await Merging.begin(tx, facts);
  const decisions = facts.decisions.map((fact) => merging.know(fact));
  const observations = facts.observations.map((fact) => merging.know(fact));
  const checkpoints = facts.checkpoints.map((fact) => merging.know(fact));
  const relations = facts.relations.map((fact) => merging.know(fact));
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
  ];
  const all = todo.length + relations.length;
  for (const [done, { take }] of todo.sort((a, b) => a.at - b.at).entries()) {
    await take();
    if (done % PAGE === 0) progress(done, all);
  }
  const afterwards = await placeVersions(merging, decisions, versions);
  for (const fact of relations) await takeRelation(merging, fact);
  for (const first of merging.before) await first();
  await merging.rows.write();
  for (const then of [...afterwards, ...merging.after]) await then();
  await nameEverything(tx.db);
  await linkDecisions(
    merging,
    decisions,
    new Set([...versions].filter(([, of]) => of.length > 0).map(([key]) => key)),
  );
  await putOrigins(tx, [...merging.changed.values()]);
  await index(tx, merging.rows.seqs);
  progress(all, all);
  return merging.merged;
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

async function takeDecision(merging: Merging, fact: Fact, here: Map<string, number>): Promise<NewVersion[]> {
  const before = merging.origins.get(fact.known);
  if (before?.hash === fact.hash) {
    merging.merged.decisions.same++;
    return [];
  }
  if (before) return followDecision(merging, fact, before);
  const seq = here.get(idOf(fact));
  if (seq === undefined) return addDecision(merging, fact);
  merging.came(fact, { recordSeq: seq }, outcomeState(fact.outcome));
  merging.merged.decisions.same++;
  return [];
}

async function takeObservation(merging: Merging, fact: Known<Facts['observations'][number]>): Promise<void> {
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
): Promise<Afterwards[]> {
  const afterwards: Afterwards[] = [];
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
    const then = await extendChain(merging, rootId, [...new Set(told)], mine);
    if (then) afterwards.push(then);
  }
  return afterwards;
}

/** Links that the source has as such, and those that stand in its reasoning; what did not resolve is tried again. */
async function linkDecisions(merging: Merging, decisions: Fact[], fresh: Set<string>): Promise<void> {
  const { tx, merged } = merging;
  const ids = new Map(decisions.map((fact) => [fact.key, idOf(fact)]));
  for (const fact of decisions) {
    for (const { relationship, to, at = fact.at } of fact.links ?? []) {
      const [fromId, toId] = [idOf(fact), ids.get(to)];
      const isHere = toId !== undefined && (await findDecision(tx, toId));
      if (!isHere)
        merged.unresolved.push(
          `${fact.key} ${relationship} ${to}: no such decision came; the next import tries it again`,
        );
      else if (toId !== fromId) await insertEdges(tx, [{ fromId, toId, relationship, createdAt: at }]);
    }
    if (parseReasoning(fact.reasoning ?? '').references.length === 0) continue;
    const [decision] = await findDecisions(tx, [idOf(fact)]);
    if (!decision) continue;
    const { warnings: told } = await linkReasoning({ ...tx, now: decision.createdAt }, decision);
    if (fresh.has(fact.known)) merged.warnings.push(...told.map((warning) => `${decision.id}: ${warning}`));
  }
}

/** Makes the new records findable. */
async function index(tx: Tx, seqs: number[]): Promise<void> {
  for (const piece of piecesOf(seqs, PAGE)) {
    await tx.text.put(tx.db, await everyDocument(tx, piece));
    await setImmediate();
  }
  if (seqs.length > PAGE) await tx.upkeep.refreshStatistics(tx.db);
}
