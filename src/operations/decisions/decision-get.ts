import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { resolveAnchor } from '../../store/decisions/anchor.ts';
import { resolveEvidence } from '../../store/decisions/evidence.ts';
import { requireDecision, resolveDecision } from '../../store/decisions/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { defineDocument } from '../documents.ts';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { charactersOf, tokenBudget } from '../fitted.ts';
import { fittedWhole, readWhole, wholeDecision } from '../results/whole-decision.ts';

/** Characters that are shown of each evidence where a call says nothing of it. */
const EVIDENCE = 2_000;

export const decisionGet = defineDocument({
  name: 'decision_get',
  family: 'decisions',
  title: 'Read one decision whole',
  summary:
    'Read one decision whole: why it was made, every version, what it builds on and what builds on it, evidence, anchors, outcomes.',
  access: 'read',
  searchHint: 'why did we choose this, history of a decision',
  positional: ['id'],
  input: z.strictObject({
    id: decisionId(),
    evidenceCharacters: wholeNumber(0, LIMITS.evidence, 'Characters shown of each evidence')
      .optional()
      .meta({ description: `Characters shown of each evidence; default ${EVIDENCE}`, model: false }),
    tokenBudget: tokenBudget(),
    depth: wholeNumber(1, 5, 'Also the decisions around it, this many links away').optional(),
    asOf: asOf(),
  }),
  output: wholeDecision,
  async run(tx, { id, tokenBudget, evidenceCharacters, depth }) {
    const evidence = evidenceCharacters ?? (tokenBudget === undefined ? EVIDENCE : charactersOf(tokenBudget));
    return {
      ...(await readWhole(tx, await requireOriginal(tx, id), { depth, evidence, within: true })),
      ...(tokenBudget !== undefined && { token_budget: tokenBudget }),
    };
  },
  toModel: fittedWhole,
});

/** The decision that is meant, or the one that an evidence or an anchor leads to (D-17). */
async function requireOriginal(tx: Tx, reference: string): Promise<Decision> {
  const decision = await resolveDecision(tx, reference);
  if (decision) return decision;
  const anchor = await resolveAnchor(tx, reference);
  const evidence = await resolveEvidence(tx, anchor?.targetRef ?? reference);
  return requireDecision(tx, evidence?.decisionRef ?? anchor?.targetRef ?? reference);
}
