import * as z from 'zod';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { type Failure, OUTCOMES, outcomeWarning, shownReason } from '../../domain/outcome.ts';
import { excerpt, REASONING_SHOWN } from '../../domain/text/text.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import { type Block, bad, dim, good, indented, line, type Span, strong, warn } from '../view.ts';
import { iso, resultDate } from './fields.ts';

const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcome_reason: z.string().nullable(),
});

/** A decision that a search found, as `mama_*` operations show it (G-5, O-4, O-8, O-9), in reading order. */
export const foundRow = z.object({
  id: z.string(),
  topic: z.string().nullable(),
  decision: z.string(),
  outcome_warning: z.string().optional(),
  earlier_failure: failure.optional(),
  failed_basis: z.array(failure).optional(),
  is_current: z.boolean(),
  withdrawn: z.boolean().optional(),
  version: z.int(),
  strength: z.enum(STRENGTHS),
  scope: z.string(),
  confidence: z.number(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_reason: z.string().nullable(),
  reasoning: z.string().nullable(),
  edges: z.object({
    supersedes_count: z.int(),
    superseded_by: z.string().optional(),
    builds_on: z.array(z.string()),
    debates: z.array(z.string()),
    synthesizes: z.array(z.string()),
  }),
  similarity: z.number(),
  created_at: resultDate(),
});
export type FoundRow = z.infer<typeof foundRow>;

/** {@link foundRow} of a decision that no search found: without its similarity. */
export const decisionRow = foundRow.omit({ similarity: true });
export type DecisionRow = z.infer<typeof decisionRow>;

export function toDecisionRow(decision: Decision, annotation: Annotation): DecisionRow {
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  const { earlierFailure, failedBasis, supersededBy } = annotation;
  return {
    id: decision.id,
    topic: decision.topic,
    decision: decision.text,
    ...(warning && { outcome_warning: warning }),
    ...(earlierFailure && { earlier_failure: toRowFailure(earlierFailure) }),
    ...(failedBasis.length > 0 && { failed_basis: failedBasis.map(toRowFailure) }),
    is_current: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    version: decision.version,
    strength: decision.strength,
    scope: decision.scope,
    confidence: decision.confidence,
    outcome: decision.outcome,
    outcome_reason: decision.outcomeReason,
    reasoning: decision.reasoning && excerpt(decision.reasoning, REASONING_SHOWN, 'decision_get has all'),
    edges: {
      supersedes_count: decision.version - 1,
      ...(supersededBy && { superseded_by: supersededBy }),
      ...annotation.references,
    },
    created_at: iso(decision.createdAt),
  };
}

/** A row as a person sees it: the decision, its warnings, then its reasons, links and id. */
export function viewDecisionRow(row: DecisionRow & { similarity?: number }): Block[] {
  const links = (['builds_on', 'debates', 'synthesizes'] as const)
    .filter((relationship) => row.edges[relationship].some((id) => !row.reasoning?.includes(id)))
    .map((relationship) => `${relationship} ${row.edges[relationship].join(', ')}`);
  const similarity = row.similarity ? `  similarity ${row.similarity}` : '';
  return [
    line(
      strong(row.topic ?? '(no topic)'),
      '  ',
      status(row),
      dim(`  ${row.strength} · ${row.scope} · v${row.version}`),
    ),
    indented(row.decision),
    ...(row.outcome_warning ? [indented(bad(row.outcome_warning))] : []),
    ...(row.earlier_failure
      ? [indented(warn(`! earlier version failed: ${failed(row.earlier_failure)}`))]
      : []),
    ...(row.failed_basis ?? []).map((basis) =>
      indented(warn(`! builds on a failed decision: ${failed(basis)}`)),
    ),
    ...(row.reasoning ? [indented(dim(row.reasoning))] : []),
    ...links.map((link) => indented(dim(link))),
    indented(dim(`${row.id}  ${row.created_at}${similarity}`)),
  ];
}

function status(row: DecisionRow): Span {
  if (row.withdrawn) return warn('withdrawn');
  if (!row.is_current) return dim('superseded');
  return row.outcome === 'failed' ? bad('failed') : good(row.outcome ?? 'current');
}

function failed(basis: z.infer<typeof failure>): string {
  return `${basis.decision} (${shownReason(basis.outcome_reason)})`;
}

function toRowFailure({ id, decision, outcomeReason }: Failure) {
  return { id, decision, outcome_reason: outcomeReason };
}
