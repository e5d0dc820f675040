import type { ObservationFact } from '../../domain/import/facts.ts';
import type { Origin } from '../../domain/import/origin.ts';
import { sha256 } from '../../domain/text/digest.ts';
import {
  findObservationsAt,
  hashOf,
  restoreObservation,
  type StoredObservation,
  softDelete,
} from '../observations/observation.ts';
import { revisionsOf } from '../observations/revision.ts';
import { updateObservation } from '../observations/save.ts';
import { findRow } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { type Keyed, type MergePlan, stateHash } from './merge-plan.ts';
import { isRedacted, OLDER, saysAgain, whyNotHere } from './origins.ts';

type Fact = Keyed<ObservationFact>;

/** The state that tells whether an observation is still as its source had it. */
const stateOf = ({ title, content, type, project, scope, topicKey, deletedAt }: Partial<ObservationFact>) => [
  title,
  content,
  type,
  project ?? null,
  scope,
  topicKey ?? null,
  typeof deletedAt === 'number',
];

/** Takes in an observation that has not come before, at its time and with its earlier texts. */
export async function addObservation(plan: MergePlan, fact: Fact): Promise<void> {
  const { rows } = plan;
  const topicKey = await freeKey(plan, fact);
  const by = await plan.writer(fact);
  const seq = rows.record('observation', by, fact.importKey);
  const id = rows.number('observations');
  const updatedAt = Math.max(fact.at, fact.updatedAt ?? fact.at);
  const revisions = fact.revisions ?? [];
  rows.add('observations', {
    id,
    seq,
    title: fact.title,
    content: fact.content,
    contentHash: hashOf(fact.content),
    type: fact.type,
    project: fact.project ?? '',
    scope: fact.scope,
    topicKey,
    revisionCount: revisions.length,
    duplicateCount: fact.repeats ?? 0,
    createdAt: fact.at,
    updatedAt,
    lastSeenAt: Math.max(fact.lastSeenAt ?? updatedAt, fact.at),
    deletedAt: fact.deletedAt ?? null,
    writer: by.id,
  });
  for (const [before, revision] of revisions.entries()) {
    rows.add('observationRevisions', { ...revision, observationId: id, revision: before + 1, writer: by.id });
  }
  plan.numbers.set(fact.importKey, id);
  plan.recordOrigin(fact, { recordSeq: seq }, stateOf({ ...fact, topicKey }));
  plan.merged.observations.new++;
}

/** Of two observations that are both here, one has a topic key: the other comes in without it. */
async function freeKey(plan: MergePlan, fact: Fact, own?: number): Promise<string | null> {
  const { tx, takenKeys, merged } = plan;
  if (fact.topicKey === null || fact.deletedAt !== undefined) return fact.topicKey;
  const place = placeOf(fact);
  plan.keysHere ??= keysHere(tx);
  const holder = (await plan.keysHere).get(place);
  const isTaken = (holder !== undefined && holder.id !== own) || takenKeys.has(place);
  takenKeys.add(place);
  if (!isTaken) return fact.topicKey;
  const which = holder ? `observation ${holder.id} ("${holder.title}")` : 'another one of this source';
  merged.warnings.push(
    `"${fact.title}" comes in without its topic key "${fact.topicKey}", which ${which} has.`,
  );
  return null;
}

/** Every topic key of this memory, by where it is, and the observation that has it: one question for thousands of facts. */
export async function keysHere(tx: Tx): Promise<Map<string, { id: number; title: string }>> {
  const rows = await query<
    Pick<Schema['observations'], 'title' | 'project' | 'scope' | 'topicKey'> & { id: number }
  >(
    tx,
  )`select id, title, project, scope, topic_key from observations where deleted_at is null and topic_key is not null`;
  return new Map(rows.map(({ id, title, ...row }) => [placeOf(row), { id, title }]));
}

/** Where a topic key belongs to one observation alone. */
export function placeOf(of: Record<'project' | 'scope' | 'topicKey', string | null>): string {
  return JSON.stringify([of.project ?? '', of.scope, of.topicKey]);
}

/**
 * Takes an observation that a sync or an export brought as if this import had brought it: what was ever said of it here is
 * not new, and anything else is a change of the source.
 */
export async function matchObservation(plan: MergePlan, fact: Fact, recordSeq: number): Promise<void> {
  const { tx, source, merged } = plan;
  const [current] = await findObservationsAt(tx, [recordSeq]);
  const said = current ? [current, ...(await revisionsOf(tx, current.id))] : [];
  if (current && said.some((each) => isUnchanged(each, fact))) {
    plan.recordOrigin(fact, { recordSeq }, stateOf({ ...fact, topicKey: current.topicKey }));
    merged.observations.same++;
    return;
  }
  const written = stateHash(stateOf({ ...current, deletedAt: undefined }));
  const hash = sha256(fact.importKey);
  const before = { source, key: fact.importKey, recordSeq, relationId: null, hash, written, rest: null };
  if (current) plan.setOrigin(before);
  await followObservation(plan, fact, before);
}

/** Follows what changed in the source, where nothing changed here (I-2). */
export async function followObservation(plan: MergePlan, fact: Fact, before: Origin): Promise<void> {
  const { merged, tx } = plan;
  const seq = before.recordSeq ?? 0;
  const [current] = await findObservationsAt(tx, [seq]);
  if (!current) return plan.conflict(fact.title, await whyNotHere(tx, 'observation', before));
  const topicKey = await freeKey(plan, fact, current.id);
  const there = stateOf({ ...fact, topicKey });
  if (stateHash(there) === before.written) {
    // Only what has no place here is another.
    plan.setOrigin({ ...before, hash: fact.hash });
    plan.recordOrigin(fact, { recordSeq: seq }, there);
    merged.observations.same++;
    return;
  }
  const here = stateHash(stateOf({ ...current, deletedAt: current.deletedAt ?? undefined }));
  if (here !== before.written || (await isRedacted(tx, seq)))
    return plan.conflict(
      fact.title,
      `it changed there and here (observation ${current.id}): neither was touched`,
    );
  if (await isOlder(tx, fact, current)) return plan.conflict(fact.title, OLDER);
  if (hasNoDates(fact) && (await revisionsOf(tx, current.id)).some((each) => isUnchanged(each, fact)))
    merged.warnings.push(saysAgain(fact.title));
  plan.after.push(() => change(plan, { ...fact, topicKey }, current));
  plan.recordOrigin(fact, { recordSeq: seq }, there);
  merged.observations.changed++;
}

type Said = Pick<StoredObservation, 'title' | 'content' | 'type'>;

/** Whether it is from a copy of its source that was made before the one that came: then it is not a change. */
async function isOlder(tx: Tx, fact: Fact, current: StoredObservation): Promise<boolean> {
  const { updatedAt, deletedAt } = fact;
  if (hasNoDates(fact) || updatedAt === undefined || deletedAt !== undefined) return false;
  if (updatedAt > current.updatedAt) return false;
  const replaced = await revisionsOf(tx, current.id);
  const since = replaced.at(-2)?.replacedAt ?? current.createdAt;
  if (replaced.length > 0 && updatedAt < current.updatedAt && updatedAt > since) return true;
  // Its last text was undone there since.
  const said: Said[] = current.deletedAt === null ? replaced : [...replaced, current];
  return said.some((each) => isUnchanged(each, fact));
}

const hasNoDates = ({ isUndated, updatedAt }: Fact) => isUndated === true || updatedAt === undefined;

const isUnchanged = (one: Said, other: Said) =>
  one.title === other.title && one.content === other.content && one.type === other.type;

async function change(plan: MergePlan, fact: Fact, current: StoredObservation): Promise<void> {
  const said = fact.updatedAt ?? fact.at;
  const at = plan.at(said > current.updatedAt && !fact.isUndated ? said : plan.tx.now, fact);
  if (current.deletedAt !== null && fact.deletedAt === undefined) await restoreObservation(at, current);
  const changed = await updateObservation(at, current, fact);
  if (current.deletedAt === null && fact.deletedAt !== undefined) {
    await softDelete({ ...at, now: Math.max(fact.deletedAt, current.updatedAt) }, changed);
  }
}

/** The number of an observation by its key: of one that came now, or earlier. Undefined where none came. */
export async function observationNumber(plan: MergePlan, known: string): Promise<number | undefined> {
  const fresh = plan.numbers.get(known);
  const seq = plan.origins.get(known)?.recordSeq;
  if (fresh !== undefined || seq === null || seq === undefined) return fresh;
  const number = (await findRow(plan.tx, 'observations', { seq }))?.id;
  if (number !== undefined) plan.numbers.set(known, number);
  return number;
}
