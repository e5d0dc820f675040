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
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import type { outcomesOf } from '../../store/decisions/outcome.ts';
import { pick } from '../brief.ts';
import type { Details } from './details.ts';
import { iso, resultDate } from './fields.ts';
import { by, tidied, toBy, toTidied } from './writer.ts';

export const failure = z.object({
  id: z.string(),
  decision: z.string(),
  outcomeReason: z.string().nullable(),
  by: z.string().optional().describe('What depends on it in between'),
  now: z.string().optional().describe('What is active on its topic instead'),
});

export const earlierFailure = failure.extend({
  version: z.int(),
  isRepeat: z.boolean().optional().describe('The decision says the same again'),
  more: z.int().optional().describe('How many other earlier versions failed'),
});

/** The fields of a decision as results have them (B-1). */
export const content = byField<{ [Name in Field]: z.ZodType<Content[Name], Content[Name]> }>((field) => {
  const of = FIELDS[field];
  const shape = of.kind === 'number' ? z.number() : of.kind === 'choice' ? z.enum(of.of) : z.string();
  return of.first === null ? shape.nullable() : shape;
});

/** What was decided twice, as results have it (Y-2). */
export const twice = () =>
  z
    .string()
    .optional()
    .describe(
      'What machines that did not see each other decided on its topic, and the command that settles it',
    );

/** Given for an axis or a lock that an import brought, until a person has reviewed it (Z-14). */
export const imported = () =>
  z.string().optional().describe('An import brought it, and nobody has reviewed it');
export const toImported = ({ isImported }: Pick<Annotation, 'isImported'>) =>
  isImported ? { imported: 'nobody has reviewed it' } : {};
/** The same as a person reads it. */
export const importedText = ({ imported }: { imported?: string | undefined }): string[] =>
  imported === undefined ? [] : [`! imported: ${imported}`];

const { text, ...others } = content;

/** A decision as `decision_*` operations show it (D-1). */
export const decisionRecord = z.object({
  id: z.string(),
  text,
  topic: z.string().nullable(),
  decidedTwice: twice(),
  imported: imported(),
  outcomeWarning: z.string().optional(),
  earlierFailure: earlierFailure.optional(),
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
  tidied: tidied(),
});

export function toDecisionRecord(decision: Decision, annotation: Annotation): z.infer<typeof decisionRecord> {
  const { isImported, earlierFailure, failedBasis, decidedTwice, tidied } = annotation;
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  return {
    id: decision.id,
    ...contentOf(decision),
    topic: decision.topic,
    ...(decidedTwice && { decidedTwice }),
    ...toImported({ isImported }),
    ...(warning && { outcomeWarning: warning }),
    ...(earlierFailure && { earlierFailure }),
    ...(failedBasis.length > 0 && { failedBasis }),
    isActive: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    ...pick(decision, 'version', 'rootId', 'previousVersionId', 'outcome', 'outcomeReason'),
    createdAt: iso((tidied?.decided ?? decision).createdAt),
    updatedAt: iso(decision.updatedAt),
    ...toTidied(annotation),
  };
}

/** A decision as its neighbours name it. */
export const decisionBrief = z.object(
  pick(decisionRecord.shape, 'id', 'topic', 'text', 'outcomeWarning', 'isActive'),
);

export function toDecisionBrief(decision: Decision): z.infer<typeof decisionBrief> {
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  return {
    ...pick(decision, 'id', 'topic', 'text', 'isActive'),
    ...(warning && { outcomeWarning: warning }),
  };
}

/** What lists for people have in common of a decision: its content and its state, under its short id (U-2, U-4). */
export const decisionFacts = z.object({
  id: z.string(),
  ref: z.string().describe('The beginning of its id; every operation takes it'),
  topic: z.string().nullable(),
  ...content,
  version: z.int(),
  status: z.enum(['active', 'withdrawn', 'superseded']),
  outcome: z.enum(OUTCOMES).nullable(),
  createdAt: resultDate(),
  tidied: tidied(),
});

export function toDecisionFacts(
  decision: Decision,
  { ref, annotation }: Pick<Details, 'ref' | 'annotation'>,
): z.infer<typeof decisionFacts> {
  return {
    id: decision.id,
    ref,
    topic: decision.topic,
    ...contentOf(decision),
    version: decision.version,
    status: statusOf(decision),
    outcome: decision.outcome,
    createdAt: iso((annotation.tidied?.decided ?? decision).createdAt),
    ...toTidied(annotation),
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
  createdAt: resultDate(),
  retracted: z.boolean().optional().describe('It was undone'),
  ...by(),
});

export function toRecordedOutcome(recorded: Awaited<ReturnType<typeof outcomesOf>>[number]) {
  return {
    ...pick(recorded, 'outcome', 'reason'),
    createdAt: iso(recorded.createdAt),
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
      ['choice', 'name'].includes(FIELDS[name].kind)
        ? value
        : `${name} ${String(value).replaceAll('\n', ', ')}`,
    )
    .join(' · ');
