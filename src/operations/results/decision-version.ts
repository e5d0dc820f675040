import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import { whyOf } from './details.ts';
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
  why: z.string().optional().meta({ description: 'Its reason in a sentence; of what failed, why it failed' }),
  createdAt: resultDate(),
});

export function toDecisionVersion(version: Decision): z.infer<typeof decisionVersion> {
  const why = whyOf(version);
  const warning = outcomeWarning(version.outcome, version.outcomeReason);
  return {
    version: version.version,
    id: version.id,
    text: version.text,
    isActive: version.isActive,
    ...(version.withdrawn && { withdrawn: true }),
    outcome: version.outcome,
    ...(warning && { outcomeWarning: warning }),
    ...(why && { why }),
    createdAt: iso(version.createdAt),
  };
}
