import type { Facts, Merged } from '../../domain/import/facts.ts';
import { foldName } from '../../domain/text/text.ts';
import type { Document } from '../engine.ts';
import { nameEverything, usedSince } from '../names.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { fingerprintOf, type MergePlan, withKeys } from './merge-plan.ts';
import { placeOf } from './observations.ts';
import { putOrigins } from './origins.ts';
import { type PlannedMerge, type Progress, planMerge, writeLinks } from './plan.ts';
import type { Renumbering } from './rows.ts';

/** New documents after which the planner of a database learns how much there is. */
const MANY = 50;
/** Plans that others may overtake; the next one is made while nobody else writes. */
const PLANS = 3;

/** The two kinds of transaction that a merge needs. */
export interface Transactions {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * The one way in for what other tools remember (I-1, I-2), into a used memory as into an empty one. Ids, times, authors and
 * sessions of the source are kept. What came before and is the same is left alone; what changed there gives one revision,
 * outcome or version; what changed on both sides is reported and left as it is.
 *
 * It is planned while others go on saving, and carried out in one transaction, all of it or nothing. What they saved
 * meanwhile comes before it; where the plan depends on that, it is made again.
 * @param facts made fit to be kept by `cleanFacts`
 * @param progress receives how many facts are looked at, and how many there are
 */
export async function merge(
  { read, write }: Transactions,
  facts: Facts,
  progress: Progress = () => {},
): Promise<Merged> {
  const all = withKeys(facts);
  for (let plans = 1; ; plans++) {
    const planned = await read((tx) => planMerge(tx, all, progress));
    const merged = await write(async (tx) => {
      if (!(await isPlanStale(tx, planned.plan))) return carryOut(tx, planned);
      return plans < PLANS ? undefined : carryOut(tx, await planMerge(tx, all, progress));
    });
    if (merged) return merged;
  }
}

/** Does what was planned, while others wait. */
async function carryOut(tx: Tx, { plan, links, documents }: PlannedMerge): Promise<Merged> {
  for (const first of plan.before) await first(tx);
  const renumbering = await plan.rows.write(tx);
  for (const then of plan.after) await then(tx);
  await nameEverything(tx);
  for (const table of ['topics', 'scopes'] as const) {
    for (const [name, now] of plan.used[table]) await usedSince({ ...tx, now }, table, [name]);
  }
  const { unresolved, warnings } = await writeLinks(tx, links);
  await putOrigins(tx, [...plan.changed.values()], renumbering);
  await index(tx, documents, renumbering);
  const { merged } = plan;
  return {
    ...merged,
    unresolved: [...merged.unresolved, ...unresolved],
    warnings: [...merged.warnings, ...warnings],
  };
}

/** Makes the new records findable. */
async function index(tx: Tx, documents: Document[], renumbering: Renumbering): Promise<void> {
  const numbered = documents.map((document) => ({
    ...document,
    seq: renumbering.number('records', document.seq),
  }));
  await tx.text.put(tx.db, numbered);
  if (documents.length > MANY) await tx.upkeep.refreshStatistics(tx.db);
}

/** A record that was saved since, with what a plan may depend on: of an outcome its decision. */
interface Saved {
  kind: string;
  id: string | null;
  rootId: string | null;
  topic: string | null;
  project: string | null;
  scope: string | null;
  topicKey: string | null;
}

/**
 * Whether somebody saved what a plan depends on since it was made. Another topic, another observation or a memo do not
 * matter; whatever changed what was there does, since that is rare.
 */
async function isPlanStale(tx: Tx, plan: MergePlan): Promise<boolean> {
  const [then, now] = [plan.fingerprint, await fingerprintOf(tx)];
  if (now.changes !== then.changes) return true;
  const rows = await query<Saved>(tx)`
    select r.kind, coalesce(d.id, given.id) as id, coalesce(d.root_id, given.root_id) as root_id, d.topic,
      o.project, o.scope, o.topic_key
    from records as r left join decisions as d on d.seq = r.seq left join observations as o on o.seq = r.seq
    left join outcomes as x on x.seq = r.seq left join decisions as given on given.id = x.decision_id
    where r.seq > ${then.records}`;
  if (now.count !== then.count + rows.length) return true;
  return rows.some((saved) => meets(plan, saved));
}

function meets(plan: MergePlan, { kind, id, rootId, topic, ...observation }: Saved): boolean {
  if (kind === 'redaction' || plan.ids.has(id ?? '') || plan.chains.has(rootId ?? '')) return true;
  if (topic !== null && plan.topics.has(foldName(topic))) return true;
  return observation.topicKey !== null && plan.takenKeys.has(placeOf(observation));
}
