import * as z from 'zod';
import {
  attributesOf,
  byField,
  type Content,
  contentOf,
  DEFAULT_CONFIDENCE,
  type Decision,
  FIELDS,
  type Field,
} from '../../domain/decision.ts';
import type { Reference } from '../../domain/edge.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { OUTCOMES, outcomeWarning, quotedBasis, quotedFailure } from '../../domain/outcome.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import type { outcomesOf } from '../../store/decisions/outcome.ts';
import { pick } from '../brief.ts';
import { camel, snake } from '../cases.ts';
import { iso, resultDate } from './fields.ts';
import { by, tidied, toBy, toTidied } from './writer.ts';

const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcome_reason: z.string().nullable(),
  by: z.string().optional().describe('The decision in between, which builds on it'),
  now: z.string().optional().describe('The decision that is active on its topic now'),
});

const earlierFailure = failure.extend({
  version: z.int(),
  is_repeat: z.boolean().optional().describe('The decision says the same again'),
  more: z.int().optional().describe('How many other earlier versions failed'),
});

/** The fields of a decision as results have them (B-1). */
export const content = byField<{ [Name in Field]: z.ZodType<Content[Name], Content[Name]> }>((field) => {
  const of = FIELDS[field];
  const shape = of.kind === 'number' ? z.number() : of.kind === 'choice' ? z.enum(of.of) : z.string();
  return of.first === null ? shape.nullable() : shape;
});

/** What was decided twice, as results have it (Y-2). */
const twice = () =>
  z
    .string()
    .optional()
    .describe(
      'The versions that machines decided on its topic without knowing of each other, and the command that settles it',
    );

/** Given for an axis or a lock that an import brought, until a person has reviewed it (Z-14). */
const imported = () => z.string().optional().describe('An import brought it, and nobody has reviewed it');
const toImported = ({ isImported }: Pick<Annotation, 'isImported'>) =>
  isImported ? { imported: 'nobody has reviewed it' } : {};
/** The same as a person reads it. */
export const importedText = ({ imported }: { imported?: string | undefined }): string[] =>
  imported === undefined ? [] : [`! imported: ${imported}`];

const { text, ...others } = content;

/** The ids that a decision links, by the kind of link. */
export const referenceLists = {
  builds_on: z.array(z.string()),
  debates: z.array(z.string()),
  synthesizes: z.array(z.string()),
} satisfies Record<Reference, z.ZodType>;

/** A decision as results show it (D-1). */
export const decisionRecord = z.object({
  id: z.string(),
  text,
  topic: z.string().nullable(),
  decided_twice: twice(),
  imported: imported(),
  outcome_warning: z.string().optional(),
  earlier_failure: earlierFailure.optional(),
  failed_basis: z.array(failure).optional(),
  ...others,
  is_active: z.boolean(),
  withdrawn: z.boolean().optional(),
  version: z.int(),
  root_id: z.string(),
  previous_version_id: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_reason: z.string().nullable(),
  created_at: resultDate(),
  updated_at: resultDate(),
  tidied: tidied(),
});

export function toDecisionRecord(decision: Decision, annotation: Annotation): z.infer<typeof decisionRecord> {
  const { earlierFailure, failedBasis, decidedTwice, tidied } = annotation;
  return {
    id: decision.id,
    ...contentOf(decision),
    topic: decision.topic,
    ...(decidedTwice && { decided_twice: decidedTwice }),
    ...toImported(annotation),
    ...warningOf(decision),
    ...(earlierFailure && { earlier_failure: snake(earlierFailure) }),
    ...(failedBasis.length > 0 && { failed_basis: snake(failedBasis) }),
    is_active: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    ...pick(decision, 'version', 'outcome'),
    root_id: decision.rootId,
    previous_version_id: decision.previousVersionId,
    outcome_reason: decision.outcomeReason,
    created_at: iso((tidied?.decided ?? decision).createdAt),
    updated_at: iso(decision.updatedAt),
    ...toTidied(annotation),
  };
}

export function warningOf({ outcome, outcomeReason }: Pick<Decision, 'outcome' | 'outcomeReason'>) {
  const warning = outcomeWarning(outcome, outcomeReason);
  return warning === undefined ? {} : { outcome_warning: warning };
}

type Failed = z.infer<typeof decisionRecord>;
/** Says in words what failed before, and what failed of its grounds. @param limit characters of each */
export const saidEarlier = (of: NonNullable<Failed['earlier_failure']>, limit?: number) =>
  quotedEarlier(camel(of), limit);
export const saidBasis = (of: NonNullable<Failed['failed_basis']>, limit?: number) =>
  of.map((each) => quotedFailure(camel(each), limit));

/** The part of a decision's failures that people read in lists. */
export const failuresInWords = {
  earlier_failure: z.string().optional().describe('What was tried before and failed'),
  failed_basis: z.array(z.string()).optional().describe('It builds on these, which failed'),
};
export function toFailuresInWords({ earlierFailure, failedBasis, names }: Annotation) {
  return {
    ...(earlierFailure && { earlier_failure: quotedEarlier(earlierFailure) }),
    ...(failedBasis.length > 0 && {
      failed_basis: failedBasis.map((basis) => quotedBasis(basis, names.get(basis.id))),
    }),
  };
}

export function statusOf({ isActive, withdrawn }: Pick<Decision, 'isActive' | 'withdrawn'>) {
  if (isActive) return 'active';
  return withdrawn ? 'withdrawn' : 'superseded';
}

/** Why, in a result: `whyOf` says it. */
export const why = () =>
  z.string().optional().describe('Its reason in a sentence; of what failed, why it failed');

/** An outcome that was recorded of a decision. */
export const recordedOutcome = z.object({
  outcome: z.enum(OUTCOMES),
  reason: z.string().nullable(),
  created_at: resultDate(),
  retracted: z.boolean().optional().describe('It was undone'),
  ...by(),
});

export function toRecordedOutcome(recorded: Awaited<ReturnType<typeof outcomesOf>>[number]) {
  return {
    ...pick(recorded, 'outcome', 'reason'),
    created_at: iso(recorded.createdAt),
    ...(recorded.retractedAt !== null && { retracted: true }),
    ...toBy(recorded),
  };
}

/** The attributes as a person reads them: `lock · cad · confidence 0.9`. */
export const shownAttributes = (of: Content): string =>
  attributesOf(of)
    // A branch is said with the author; a confidence only where somebody gave one.
    .filter(([name, value]) => name !== 'branch' && !(name === 'confidence' && value === DEFAULT_CONFIDENCE))
    .map(([name, value]) =>
      name === 'strength' || name === 'scope' ? value : `${name} ${String(value).replaceAll('\n', ', ')}`,
    )
    .join(' · ');
