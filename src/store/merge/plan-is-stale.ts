import { sql } from 'kysely';
import { foldName } from '../../domain/text/text.ts';
import type { Tx } from '../tx.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { MergePlan } from './merge-plan.ts';
import { placeOf } from './observations.ts';

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
export async function isPlanStale(tx: Tx, plan: MergePlan): Promise<boolean> {
  const [then, now] = [plan.fingerprint, await fingerprintOf(tx)];
  if (now.changes !== then.changes) return true;
  const { rows } = await sql<Saved>`
    select r.kind, coalesce(d.id, given.id) as id, coalesce(d.root_id, given.root_id) as root_id, d.topic,
      o.project, o.scope, o.topic_key
    from records as r left join decisions as d on d.seq = r.seq left join observations as o on o.seq = r.seq
    left join outcomes as x on x.seq = r.seq left join decisions as given on given.id = x.decision_id
    where r.seq > ${then.records}`.execute(tx.db);
  if (now.count !== then.count + rows.length) return true;
  return rows.some((saved) => meets(plan, saved));
}

function meets(plan: MergePlan, { kind, id, rootId, topic, ...observation }: Saved): boolean {
  if (kind === 'redaction' || plan.ids.has(id ?? '') || plan.chains.has(rootId ?? '')) return true;
  if (topic !== null && plan.topics.has(foldName(topic))) return true;
  return observation.topicKey !== null && plan.takenKeys.has(placeOf(observation));
}
