import type { CheckpointFact } from '../../domain/arrival/facts.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { type Known, type Merging, stateHash } from './merging.ts';
import { isRedacted, keyOf } from './origins.ts';

type Fact = Known<CheckpointFact>;

const stateOf = ({ summary, nextSteps, openFiles }: CheckpointFact) => [summary, nextSteps, openFiles];

/** Takes in a checkpoint, or as a new one what it says now: a checkpoint is never written over. */
export async function takeCheckpoint(merging: Merging, fact: Fact): Promise<void> {
  const { merged, origins } = merging;
  const before = origins.get(fact.known);
  if (before?.hash === fact.hash) {
    merged.checkpoints.same++;
    return;
  }
  if (before && before.written === stateHash(stateOf(fact))) {
    merging.came(fact, { recordSeq: before.recordSeq }, stateOf(fact));
    merged.checkpoints.same++;
    return;
  }
  const seq = before?.recordSeq ?? null;
  if (seq !== null && (await isRedacted(merging.tx, seq))) {
    merged.conflicts.push({ what: fact.key, why: 'it changed there, and was redacted here' });
    return;
  }
  if (seq !== null) merging.partCame(keyOf(merging.source, `${fact.key}/${seq}`), seq);
  const id = seq === null ? fact.known : keyOf(merging.source, `${fact.key}/${fact.hash}`);
  const createdAt = seq === null ? fact.at : Math.max(fact.updatedAt ?? merging.tx.now, fact.at);
  const number = await insert(merging, fact, id, createdAt);
  merging.came(fact, { recordSeq: number }, stateOf(fact));
  merged.checkpoints[before ? 'changed' : 'new']++;
}

async function insert(merging: Merging, fact: Fact, id: string, createdAt: number) {
  const { rows } = merging;
  const seq = rows.record('checkpoint', merging.writer(fact));
  const { summary, nextSteps } = fact;
  const openFiles = JSON.stringify(fact.openFiles.slice(0, LIMITS.openFiles));
  rows.add('checkpoints', { seq, id, summary, nextSteps, openFiles, createdAt });
  return seq;
}
