import * as z from 'zod';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import type { Written } from '../../store/decisions/chain.ts';
import { date, iso } from '../fields.ts';
import { dim, good, indented, line, strong, type View, warnings } from '../view.ts';

const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcomeReason: z.string().nullable(),
});

/** A decision as `decision_*` operations show it: the fields of PRD-005 (D-1), then ours, in camel case. */
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
  createdAt: date(),
  updatedAt: date(),
});

const referenceLists = z.object({
  supersedes: z.string().nullable(),
  buildsOn: z.array(z.string()),
  debates: z.array(z.string()),
  synthesizes: z.array(z.string()),
});

export const evidenceRecord = z.object({
  id: z.string(),
  content: z.string(),
  decisionRef: z.string(),
  timestamp: date(),
  observationId: z
    .int()
    .optional()
    .meta({ description: 'The observation it is a snapshot of; that may be changed or gone since' }),
});

export const anchorRecord = z.object({
  id: z.string(),
  hint: z.string(),
  targetRef: z.string(),
  type: z.enum(['evidence_link', 'decision_link']),
  createdAt: date(),
});

/** What `decision_save` and `decision_revise` answer. */
export const writtenDecision = z.object({
  decision: decisionRecord,
  unchanged: z.boolean().optional().meta({ description: 'It stands already: no new version was made' }),
  edges: referenceLists,
  evidence: z.array(z.string()).meta({ description: 'Ids of the evidence that was added' }),
  warnings: z.array(z.string()),
  workspace: z.string(),
});

export function toEvidenceRecord(evidence: Evidence): z.infer<typeof evidenceRecord> {
  return {
    id: evidence.id,
    content: evidence.content,
    decisionRef: evidence.decisionRef,
    timestamp: iso(evidence.timestamp),
    ...(evidence.observationId !== null && { observationId: evidence.observationId }),
  };
}

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

function toReferenceLists(decision: Decision, { references }: Annotation): z.infer<typeof referenceLists> {
  return {
    supersedes: decision.previousVersionId,
    buildsOn: references.builds_on,
    debates: references.debates,
    synthesizes: references.synthesizes,
  };
}

export function toWrittenDecision(written: Written, workspace: string): z.infer<typeof writtenDecision> {
  return {
    decision: toDecisionRecord(written.decision, written.annotation),
    ...(written.unchanged && { unchanged: true }),
    edges: toReferenceLists(written.decision, written.annotation),
    evidence: written.evidence.map((evidence) => evidence.id),
    warnings: written.warnings,
    workspace,
  };
}

export function viewWrittenDecision(result: z.infer<typeof writtenDecision>): View {
  const { decision } = result;
  return [
    line(
      good(result.unchanged ? '= stands already' : decision.withdrawn ? '✔ withdrawn' : '✔ saved'),
      ' ',
      strong(decision.topic ?? '(no topic)'),
      dim(
        `  ${decision.strength} · ${decision.scope} · v${decision.version} · workspace ${result.workspace}`,
      ),
    ),
    indented(decision.text),
    indented(dim(decision.id)),
    ...warnings([
      ...(result.unchanged && decision.outcomeWarning ? [decision.outcomeWarning] : []),
      ...result.warnings,
    ]),
  ];
}
