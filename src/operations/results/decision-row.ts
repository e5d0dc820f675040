import * as z from 'zod';
import { contentOf, type Decision } from '../../domain/decision.ts';
import { type Failure, OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import { excerpt, REASONING_SHOWN } from '../../domain/text/text.ts';
import { content } from './decision.ts';
import { anchorLine, type Details, whyOf } from './details.ts';
import { iso, resultDate } from './fields.ts';
import { author } from './writer.ts';

/** A failed decision as a row names it. */
export const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcome_reason: z.string().nullable(),
});

const { text: decision, ...others } = content;

/** A decision that a search found, as `mama_*` operations show it (G-5, O-4, O-8, O-9), in reading order. */
export const foundRow = z.object({
  id: z.string(),
  ref: z.string().meta({ description: 'The beginning of its id; every operation takes it' }),
  topic: z.string().nullable(),
  decision,
  outcome_warning: z.string().optional(),
  earlier_failure: failure.optional(),
  failed_basis: z.array(failure).optional(),
  is_current: z.boolean(),
  withdrawn: z.boolean().optional(),
  version: z.int(),
  ...others,
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_reason: z.string().nullable(),
  why: z.string().optional().meta({ description: 'Its reason in a sentence; of what failed, why it failed' }),
  edges: z.object({
    supersedes_count: z.int(),
    superseded_by: z.string().optional(),
    builds_on: z.array(z.string()),
    debates: z.array(z.string()),
    synthesizes: z.array(z.string()),
  }),
  links: z
    .array(z.string())
    .optional()
    .meta({ description: 'Its links by topic and short id, such as "builds_on infra:redis (3a2ee091)"' }),
  anchors: z
    .array(z.string())
    .optional()
    .meta({ description: 'Reminders, with the version they lead to and whether it stands' }),
  similarity: z.number(),
  matched: z.string().optional().meta({ description: 'The words that matched, when they are not shown' }),
  created_at: resultDate(),
  author: author(),
});
export type FoundRow = z.infer<typeof foundRow>;

/** {@link foundRow} of a decision that no search found. */
export const decisionRow = foundRow.omit({ similarity: true, matched: true });
export type DecisionRow = z.infer<typeof decisionRow>;

export function toDecisionRow(decision: Decision, details: Details): DecisionRow {
  const { annotation, ref, reasoning, anchors, author } = details;
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  const { earlierFailure, failedBasis, supersededBy } = annotation;
  const links = [
    ...(details.supersededBy ? [`superseded_by ${details.supersededBy}`] : []),
    ...details.links,
  ];
  const why = whyOf(decision);
  const { text, ...others } = contentOf(decision);
  return {
    id: decision.id,
    ref,
    topic: decision.topic,
    decision: text,
    ...(warning && { outcome_warning: warning }),
    ...(earlierFailure && { earlier_failure: toRowFailure(earlierFailure) }),
    ...(failedBasis.length > 0 && { failed_basis: failedBasis.map(toRowFailure) }),
    is_current: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    version: decision.version,
    ...others,
    reasoning: reasoning && excerpt(reasoning, REASONING_SHOWN, 'decision_get has all'),
    outcome: decision.outcome,
    outcome_reason: decision.outcomeReason,
    ...(why && { why }),
    edges: {
      supersedes_count: decision.version - 1,
      ...(supersededBy && { superseded_by: supersededBy }),
      ...annotation.references,
    },
    ...(links.length > 0 && { links }),
    ...(anchors.length > 0 && { anchors: anchors.map(anchorLine) }),
    created_at: iso(decision.createdAt),
    ...(author && { author }),
  };
}

function toRowFailure({ id, decision, outcomeReason }: Failure) {
  return { id, decision, outcome_reason: outcomeReason };
}
