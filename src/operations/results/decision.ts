import * as z from 'zod';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import { iso, resultDate } from './fields.ts';

const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcomeReason: z.string().nullable(),
});

/** A decision as `decision_*` operations show it (D-1). */
export const decisionRecord = z.object({
  id: z.string(),
  text: z.string(),
  topic: z.string().nullable(),
  outcomeWarning: z.string().optional(),
  earlierFailure: failure.optional(),
  failedBasis: z.array(failure).optional(),
  strength: z.enum(STRENGTHS),
  scope: z.string(),
  isActive: z.boolean(),
  withdrawn: z.boolean().optional(),
  version: z.int(),
  rootId: z.string(),
  previousVersionId: z.string().nullable(),
  reasoning: z.string().nullable(),
  confidence: z.number(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcomeReason: z.string().nullable(),
  createdAt: resultDate(),
  updatedAt: resultDate(),
});

export function toDecisionRecord(
  decision: Decision,
  { earlierFailure, failedBasis }: Annotation,
): z.infer<typeof decisionRecord> {
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  return {
    id: decision.id,
    text: decision.text,
    topic: decision.topic,
    ...(warning && { outcomeWarning: warning }),
    ...(earlierFailure && { earlierFailure }),
    ...(failedBasis.length > 0 && { failedBasis }),
    strength: decision.strength,
    scope: decision.scope,
    isActive: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    version: decision.version,
    rootId: decision.rootId,
    previousVersionId: decision.previousVersionId,
    reasoning: decision.reasoning,
    confidence: decision.confidence,
    outcome: decision.outcome,
    outcomeReason: decision.outcomeReason,
    createdAt: iso(decision.createdAt),
    updatedAt: iso(decision.updatedAt),
  };
}
