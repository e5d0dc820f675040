import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { findDecisionRows } from '../decisions/decision.ts';
import { type Fact, idOf, type NewVersion, outcomeState, withdrawalOf } from './decisions.ts';
import { followDecision } from './follow-decision.ts';
import { type MergePlan, stateHash } from './merge-plan.ts';
import { keyOf } from './origins.ts';

/** A decision that was here before it came from a source, and what of it the source may bring as well. */
export interface Here {
  seq: number;
  decision: Decision;
  /** What was ever said of how it turned out, as a hash. */
  outcomes: Set<string>;
  /** The numbers of its evidence, by text. */
  evidence: Map<string, number>;
  /** The number of the version that takes it back. */
  withdrawal: number | undefined;
}

/** Decisions that are here under the ids of facts that did not come before: the memory was made of a copy, or wrote the source. */
export async function existingDecisions({ tx }: MergePlan, facts: Fact[]): Promise<Map<string, Here>> {
  const found = await findDecisionRows(tx, facts.map(idOf));
  const here = new Map<string, Here>();
  for (const [id, row] of found)
    here.set(id, { ...row, outcomes: new Set(), evidence: new Map(), withdrawal: undefined });
  if (here.size === 0) return here;
  const ids = tx.lists.texts([...here.keys()]);
  const { rows } = await sql<{ id: string; kind: string; seq: number; text: string; reason: string | null }>`
    select d.id, 'outcome' as kind, x.seq, x.outcome as text, x.reason
      from (${ids}) as d join outcomes as x on x.decision_id = d.id
    union all select d.id, 'evidence', x.seq, x.content, null
      from (${ids}) as d join evidence as x on x.decision_ref = d.id
    union all select d.id, 'withdrawal', x.seq, x.id, null
      from (${ids}) as d join decisions as o on o.id = d.id
      join decisions as x on x.root_id = o.root_id and x.previous_version_id = d.id and x.withdrawn = 1`.execute(
    tx.db,
  );
  for (const { id, kind, seq, text, reason } of rows) {
    const of = here.get(id) as Here;
    if (kind === 'outcome') of.outcomes.add(stateHash(outcomeState({ outcome: text, reason })));
    else if (kind === 'evidence') of.evidence.set(text, seq);
    else of.withdrawal = seq;
  }
  return here;
}

/**
 * Takes a decision that was here before as if this import had brought it: what a person has changed in the source since is
 * followed (I-2). An outcome that was ever said here is not new.
 * @returns versions to add to its chain
 */
export function matchExisting(plan: MergePlan, fact: Fact, here: Here): Promise<NewVersion[]> {
  const { seq, decision, outcomes, evidence, withdrawal } = here;
  for (const { text } of fact.evidence ?? []) {
    const known = evidence.get(text);
    const key = keyOf(plan.source, `${fact.key}/evidence/${stateHash(text)}`);
    if (known !== undefined) plan.recordPartOrigin(key, known);
  }
  if (withdrawal !== undefined && fact.withdrawn)
    plan.recordPartOrigin(withdrawalOf(plan.source, fact), withdrawal);
  const said = outcomeState(fact.outcome);
  const current = outcomeState({ outcome: decision.outcome, reason: decision.outcomeReason });
  const before = {
    source: plan.source,
    key: fact.importKey,
    recordSeq: seq,
    relationId: null,
    hash: sha256(decision.id),
    written: stateHash(outcomes.has(stateHash(said)) ? said : current),
    rest: null,
  };
  plan.setOrigin(before);
  return followDecision(plan, fact, before);
}
