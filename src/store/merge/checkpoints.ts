import type { CheckpointFact } from '../../domain/import/facts.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { type Keyed, type MergePlan, stateHash } from './merge-plan.ts';
import { isRedacted, keyOf } from './origins.ts';

type Fact = Keyed<CheckpointFact>;

const stateOf = ({ summary, nextSteps, openFiles }: CheckpointFact) => [summary, nextSteps, openFiles];

/** Takes in a checkpoint, or as a new one what it says now: a checkpoint is never written over. */
export async function takeCheckpoint(plan: MergePlan, fact: Fact): Promise<void> {
  const { merged, origins } = plan;
  const before = origins.get(fact.importKey);
  if (before?.hash === fact.hash) {
    merged.checkpoints.same++;
    return;
  }
  if (before && before.written === stateHash(stateOf(fact))) {
    plan.recordOrigin(fact, { recordSeq: before.recordSeq }, stateOf(fact));
    merged.checkpoints.same++;
    return;
  }
  const seq = before?.recordSeq ?? null;
  if (seq !== null && (await isRedacted(plan.tx, seq))) {
    merged.conflicts.push({ what: fact.key, why: 'it changed there, and was redacted here' });
    return;
  }
  if (seq !== null) plan.recordPartOrigin(keyOf(plan.source, `${fact.key}/${seq}`), seq);
  const id = seq === null ? fact.importKey : keyOf(plan.source, `${fact.key}/${fact.hash}`);
  const createdAt = seq === null ? fact.at : Math.max(fact.updatedAt ?? plan.tx.now, fact.at);
  const number = await insert(plan, fact, id, createdAt);
  plan.recordOrigin(fact, { recordSeq: number }, stateOf(fact));
  merged.checkpoints[before ? 'changed' : 'new']++;
}

async function insert(plan: MergePlan, fact: Fact, id: string, createdAt: number) {
  const { rows } = plan;
  const seq = rows.record('checkpoint', plan.writer(fact));
  const { summary, nextSteps } = fact;
  const openFiles = JSON.stringify(fact.openFiles.slice(0, LIMITS.openFiles));
  rows.add('checkpoints', { seq, id, summary, nextSteps, openFiles, createdAt });
  return seq;
}
