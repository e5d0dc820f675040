import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import { iso, resultDate } from './fields.ts';

/** One version in the history of a decision, in camel case. Outcome and isActive are those of today. */
export const decisionVersion = z.object({
  version: z.int(),
  id: z.string(),
  text: z.string(),
  isActive: z.boolean(),
  withdrawn: z.boolean().optional(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcomeWarning: z.string().optional(),
  createdAt: resultDate(),
});

export function toDecisionVersion(version: Decision): z.infer<typeof decisionVersion> {
  const warning = outcomeWarning(version.outcome, version.outcomeReason);
  return {
    version: version.version,
    id: version.id,
    text: version.text,
    isActive: version.isActive,
    ...(version.withdrawn && { withdrawn: true }),
    outcome: version.outcome,
    ...(warning && { outcomeWarning: warning }),
    createdAt: iso(version.createdAt),
  };
}
