import * as z from 'zod';
import {
  attributesOf,
  byField,
  type Content,
  contentOf,
  type Decision,
  FIELDS,
  type Field,
} from '../../domain/decision.ts';
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import { iso, resultDate } from './fields.ts';

const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcomeReason: z.string().nullable(),
});

/** The fields of a decision as results have them (B-1). */
export const content = byField<{ [Name in Field]: z.ZodType<Content[Name], Content[Name]> }>((field) => {
  const of = FIELDS[field];
  const shape = of.kind === 'number' ? z.number() : of.kind === 'choice' ? z.enum(of.of) : z.string();
  return of.first === null ? shape.nullable() : shape;
});

const { text, ...others } = content;

/** A decision as `decision_*` operations show it (D-1). */
export const decisionRecord = z.object({
  id: z.string(),
  text,
  topic: z.string().nullable(),
  outcomeWarning: z.string().optional(),
  earlierFailure: failure.optional(),
  failedBasis: z.array(failure).optional(),
  ...others,
  isActive: z.boolean(),
  withdrawn: z.boolean().optional(),
  version: z.int(),
  rootId: z.string(),
  previousVersionId: z.string().nullable(),
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
    ...contentOf(decision),
    topic: decision.topic,
    ...(warning && { outcomeWarning: warning }),
    ...(earlierFailure && { earlierFailure }),
    ...(failedBasis.length > 0 && { failedBasis }),
    isActive: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    version: decision.version,
    rootId: decision.rootId,
    previousVersionId: decision.previousVersionId,
    outcome: decision.outcome,
    outcomeReason: decision.outcomeReason,
    createdAt: iso(decision.createdAt),
    updatedAt: iso(decision.updatedAt),
  };
}

/** The attributes as a person reads them: `lock · cad · confidence 0.5`. */
export const shownAttributes = (of: Content): string =>
  attributesOf(of)
    .map(([name, value]) => (FIELDS[name].kind === 'number' ? `${name} ${value}` : value))
    .join(' · ');
