import type { Reference } from '../../domain/edge.ts';
import { invalid } from '../../domain/error.ts';
import type { AnyFact, CheckpointFact, FactKind } from '../../domain/import/facts.ts';
import type { Origin } from '../../domain/import/origin.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { findDecisionRows, findDecisions } from '../decisions/decision.ts';
import { insertEdges } from '../decisions/edge.ts';
import { linkAll, type Reasoned } from '../decisions/reasoning.ts';
import { giveWay } from '../turns.ts';
import type { Tx } from '../tx.ts';
import { extendChain, topicsOf } from './chains.ts';
import { addDecision, type Fact, idOf, type NewVersion, partIds, withdrawalIds } from './decisions.ts';
import { existingDecisions, followDecision, type Here, matchExisting } from './follow-decision.ts';
import { type Keyed, type KeyedFacts, MergePlan, stateHash } from './merge-plan.ts';
import { addObservation, followObservation, matchObservation } from './observations.ts';
import { inKeptOrder, isRedacted, keyOf, originsOf, recordsWithIds, relationsWithIds } from './origins.ts';
import { takeRelation } from './relations.ts';
import { NewRows } from './rows.ts';
import { tellSourcesApart } from './sources.ts';

/** Facts after which others get their turn. */
const TOGETHER = 50;

/**
 * Says what is to be done with every fact: which rows are written, what is changed after them, and what is linked.
 * @throws PrecedentError `invalid` where two rows have one name
 */
export async function planMerge(tx: Tx, facts: KeyedFacts): Promise<{ plan: MergePlan; links: Links }> {
  const plan = new MergePlan(tx, facts, await originsOf(tx, facts.source), await NewRows.of(tx));
  const { decisions, observations, checkpoints, relations } = facts;
  requireDistinct([...decisions, ...observations, ...checkpoints]);
  const keepTopics = await tellSourcesApart(plan, decisions);
  for (const fact of decisions) plan.ids.add(idOf(fact));
  const others = await broughtOtherwise(plan, facts);
  const unknown = decisions.filter(({ importKey }) => !plan.origins.has(importKey));
  const here = await existingDecisions(plan, unknown);
  const versions = new Map<string, NewVersion[]>();
  const todo: { at: number; take: () => Promise<unknown> }[] = [];
  const look = <Fact extends Keyed<AnyFact>>(
    kind: FactKind,
    facts: Fact[],
    take: (fact: Fact, before: Origin | undefined) => Promise<unknown>,
    atOf = (fact: Fact) => fact.at,
  ) => {
    for (const fact of facts) {
      const lookAt = async () => {
        const before = plan.origins.get(fact.importKey);
        // A relation whose end was missing is tried again.
        const isSame = before?.hash === fact.hash && (kind !== 'relations' || before.relationId !== null);
        if (isSame) plan.merged[kind].same++;
        else await take(fact, before);
      };
      todo.push({ at: atOf(fact), take: lookAt });
    }
  };
  look('decisions', decisions, async (fact, before) => {
    versions.set(fact.importKey, await takeDecision(plan, fact, before, here));
  });
  look('observations', observations, (fact, before) => {
    if (before) return followObservation(plan, fact, before);
    const seq = others.records.get(fact.importKey);
    return seq === undefined ? addObservation(plan, fact) : matchObservation(plan, fact, seq);
  });
  look('checkpoints', checkpoints, (fact, before) => takeCheckpoint(plan, fact, before));
  look(
    'relations',
    relations,
    (fact, before) =>
      takeRelation(plan, fact, before?.relationId ?? others.relations.get(fact.importKey) ?? null),
    () => Number.POSITIVE_INFINITY,
  );
  todo.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at));
  for (const [done, { take }] of todo.entries()) {
    await take();
    if (done % TOGETHER === 0) await giveWay();
  }
  await placeVersions(plan, decisions, versions);
  keepTopics();
  const fresh = new Set([...versions].filter(([, of]) => of.length > 0).map(([key]) => key));
  plan.changed = inKeptOrder(plan.changed);
  return { plan, links: linksOf(decisions, fresh) };
}

/**
 * Records with an id that this source gives, and that did not come from it here: a sync or an export brought it from a machine that
 * imports the same source. Parts of decisions are taken as if this import had brought them.
 * @returns the numbers of observations and relations by their ids
 */
async function broughtOtherwise(plan: MergePlan, { decisions, observations, relations }: KeyedFacts) {
  const { tx, origins, source } = plan;
  const changed = decisions.filter(({ importKey, hash }) => origins.get(importKey)?.hash !== hash);
  const parts = changed.flatMap((fact) => partIds(source, fact)).filter((id) => !origins.has(id));
  const news = observations.flatMap(({ importKey }) => (origins.has(importKey) ? [] : [importKey]));
  const records = await recordsWithIds(tx, [...parts, ...news]);
  for (const id of parts) {
    const seq = records.get(id);
    if (seq !== undefined) plan.recordPartOrigin(id, seq);
  }
  const keys = relations.map(({ importKey }) => importKey);
  return {
    records,
    relations: await relationsWithIds(tx, keys),
  };
}

/** A key that two rows have would make one of them overwrite the other with every import. */
function requireDistinct(facts: Keyed<AnyFact>[]): void {
  const seen = new Set<string>();
  for (const { importKey, key } of facts) {
    if (seen.has(importKey))
      throw invalid.given_twice(`Expected rows with names of their own, found "${key}" twice.`);
    seen.add(importKey);
  }
}

function takeDecision(plan: MergePlan, fact: Fact, before: Origin | undefined, here: Map<string, Here>) {
  if (before) return followDecision(plan, fact, before);
  const current = here.get(idOf(fact)) ?? here.get(fact.importKey);
  return current ? matchExisting(plan, fact, current) : addDecision(plan, fact);
}

/** Gives every new version its place in its chain. */
async function placeVersions(plan: MergePlan, decisions: Fact[], versions: Map<string, NewVersion[]>) {
  const fresh = decisions.filter(({ importKey }) => (versions.get(importKey) ?? []).length > 0);
  const isFresh = new Set(fresh.map(({ topic }) => topic));
  const touched = decisions.filter(({ topic }) => isFresh.has(topic));
  for (const { facts, rootId } of await topicsOf(plan, touched)) {
    const order = facts.flatMap((fact) => [
      idOf(fact),
      ...withdrawalIds(plan.source, fact),
      ...(versions.get(fact.importKey) ?? []).map(({ id }) => id),
    ]);
    const mine = facts.flatMap(({ importKey }) => versions.get(importKey) ?? []);
    await extendChain(plan, rootId, [...new Set(order)], mine);
  }
}

const checkpointState = ({ summary, nextSteps, openFiles }: CheckpointFact) => [
  summary,
  nextSteps,
  openFiles,
];

/** Takes in a checkpoint, or as a new one what it says now: a checkpoint is never written over. */
async function takeCheckpoint(plan: MergePlan, fact: Keyed<CheckpointFact>, before: Origin | undefined) {
  const { merged, rows } = plan;
  if (before && before.written === stateHash(checkpointState(fact))) {
    plan.recordOrigin(fact, { recordSeq: before.recordSeq }, checkpointState(fact));
    merged.checkpoints.same++;
    return;
  }
  const seq = before?.recordSeq ?? null;
  if (seq !== null && (await isRedacted(plan.tx, seq)))
    return plan.conflict(fact.key, 'it changed there, and was redacted here');
  if (seq !== null) plan.recordPartOrigin(keyOf(plan.source, `${fact.key}/${seq}`), seq);
  const id = seq === null ? fact.importKey : keyOf(plan.source, `${fact.key}/${fact.hash}/${seq}`);
  const createdAt = seq === null ? fact.at : Math.max(fact.updatedAt ?? plan.tx.now, fact.at);
  const number = rows.record('checkpoint', await plan.writer(fact));
  const { summary, nextSteps } = fact;
  const openFiles = JSON.stringify(fact.openFiles.slice(0, LIMITS.openFiles));
  rows.add('checkpoints', { seq: number, id, summary, nextSteps, openFiles, createdAt });
  plan.recordOrigin(fact, { recordSeq: number }, checkpointState(fact));
  merged.checkpoints[before ? 'changed' : 'new']++;
}

/** The links of a source's decisions, by their ids here. */
interface Links {
  /** Links that the source has as such. */
  own: { fact: Fact; relationship: Reference; to: string; at: number }[];
  /** The ids of decisions by their keys there. */
  ids: Map<string, string>;
  /** The reasoning of those that refer to others in it, by id. */
  read: Map<string, Reasoned['read']>;
  /** The ids of decisions that are new or say something new: a person is shown those. */
  fresh: Set<string>;
}

/** Where a decision is among those of all sources of a tool. */
const keyThere = ({ of = '', key }: Pick<Fact, 'of' | 'key'>) => `${of}\0${key}`;

/** Reads what decisions link. @param fresh their keys */
function linksOf(decisions: Fact[], fresh: Set<string>): Links {
  const read = decisions.map((fact) => [idOf(fact), parseReasoning(fact.reasoning ?? '')] as const);
  return {
    own: decisions.flatMap((fact) => (fact.links ?? []).map((link) => ({ fact, at: fact.at, ...link }))),
    ids: new Map(decisions.map((fact) => [keyThere(fact), idOf(fact)])),
    read: new Map(read.filter(([, { references }]) => references.length > 0)),
    fresh: new Set(decisions.filter(({ importKey }) => fresh.has(importKey)).map(idOf)),
  };
}

/**
 * Writes the links of decisions that are here by now. A link that did not resolve is tried again by every import
 * that brings its decision; one that did has its edge, and is not looked up (I-2).
 * @returns links without their other end, and warnings
 */
export async function writeLinks(
  tx: Tx,
  { own, ids, read, fresh }: Links,
): Promise<{ unresolved: string[]; warnings: string[] }> {
  const target = ({ fact, to }: Links['own'][number]) => ids.get(keyThere({ ...fact, key: to })) ?? '';
  const here = await findDecisionRows(tx, [...new Set(own.map(target))]);
  const unresolved = own
    .filter((link) => !here.has(target(link)))
    .map(
      ({ fact, relationship, to }) =>
        `${fact.key} ${relationship} ${to}: no such decision was imported; the next import tries it again`,
    );
  const edges = own
    .filter((link) => here.has(target(link)) && target(link) !== idOf(link.fact))
    .map((link) => ({
      fromId: idOf(link.fact),
      toId: target(link),
      relationship: link.relationship,
      createdAt: link.at,
    }));
  await insertEdges(tx, edges);
  const found = new Map((await findDecisions(tx, [...read.keys()])).map((each) => [each.id, each]));
  // In the order of the source, not of an engine: the warnings are in it.
  const all = [...read].flatMap(([id, said]) => {
    const decision = found.get(id);
    return decision ? [{ decision, read: said }] : [];
  });
  const { warnings: reported } = await linkAll(tx, all, { when: (by) => by.createdAt });
  const warnings = [...reported]
    .filter(([id]) => fresh.has(id))
    .flatMap(([id, of]) => of.map((warning) => `${id}: ${warning}`));
  return { unresolved, warnings };
}
