import * as z from 'zod';
import { contentOf, type Decision } from '../../domain/decision.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { OUTCOMES, outcomeWarning, quotedFailure, shownReason } from '../../domain/outcome.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { telling } from '../../domain/text/sentence.ts';
import { excerpt, REASONING_SHOWN } from '../../domain/text/text.ts';
import { compact, telltaleScope, toRow } from '../brief.ts';
import {
  type Block,
  bad,
  counted,
  date,
  dim,
  facts,
  good,
  indented,
  line,
  type Span,
  strong,
  warn,
} from '../view.ts';
import {
  content,
  earlierFailure as earlierRecord,
  failure as failureRecord,
  imported,
  importedText,
  toImported,
  twice,
  why,
} from './decision.ts';
import { anchorLine, type Details } from './details.ts';
import { dayOf, iso, nearness, resultDate, shownShare } from './fields.ts';
import { firstWords, markOf, nameLine } from './names.ts';
import { by, shownBy, shownTidied, tidied, toTidied } from './writer.ts';

/** Failed decisions as a row names them. */
const failure = z.object(toRow(failureRecord.shape));
const earlierFailure = z.object(toRow(earlierRecord.shape));

const { text: decision, ...others } = content;

/** A decision that a search found, as `mama_*` operations show it (G-5, O-4, O-8, O-9), in reading order. */
export const foundRow = z.object({
  id: z.string(),
  ref: z.string().describe('The beginning of its id; every operation takes it'),
  topic: z.string().nullable(),
  decision,
  decided_twice: twice(),
  imported: imported(),
  outcome_warning: z.string().optional(),
  earlier_failure: earlierFailure.optional(),
  failed_basis: z.array(failure).optional(),
  is_current: z.boolean(),
  withdrawn: z.boolean().optional(),
  version: z.int(),
  ...others,
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_reason: z.string().nullable(),
  why: why(),
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
    .describe('Its links by topic and short id, such as "builds_on infra:redis (3a2ee091)"'),
  evidence: z.int().optional().describe('Pieces of evidence, of all its versions: decision_get shows them'),
  anchors: z
    .array(z.string())
    .optional()
    .describe('Reminders, with the version they lead to and whether it is active'),
  similarity: z.number(),
  nearness: nearness(),
  matched: z.string().optional().describe('The words that matched, when they are not shown'),
  created_at: resultDate(),
  ...by(),
  tidied: tidied(),
});
export type FoundRow = z.infer<typeof foundRow>;

/** {@link foundRow} of a decision that no search found. */
export const decisionRow = foundRow.omit({ similarity: true, nearness: true, matched: true });
type DecisionRow = z.infer<typeof decisionRow>;

export function toDecisionRow(decision: Decision, details: Details): DecisionRow {
  const { annotation, ref, reasoning, anchors, by } = details;
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  const { earlierFailure, failedBasis, supersededBy, decidedTwice } = annotation;
  const links = [
    ...(details.supersededBy ? [`superseded_by ${details.supersededBy}`] : []),
    ...details.links,
    ...details.debatedBy.map((debater) => `debated_by ${debater}`),
  ];
  const reason = details.why;
  const { text, ...others } = contentOf(decision);
  return {
    id: decision.id,
    ref,
    topic: decision.topic,
    decision: text,
    ...(decidedTwice && { decided_twice: decidedTwice }),
    ...toImported(annotation),
    ...(warning && { outcome_warning: warning }),
    ...(earlierFailure && { earlier_failure: toRow(earlierFailure) }),
    ...(failedBasis.length > 0 && { failed_basis: failedBasis.map(toRow) }),
    is_current: decision.isActive,
    ...(decision.withdrawn && { withdrawn: true }),
    version: decision.version,
    ...others,
    reasoning: reasoning && excerpt(reasoning, REASONING_SHOWN, 'decision_get has all'),
    outcome: decision.outcome,
    outcome_reason: decision.outcomeReason,
    ...(reason && { why: reason }),
    edges: {
      supersedes_count: decision.version - 1,
      ...(supersededBy && { superseded_by: supersededBy }),
      ...annotation.references,
    },
    ...(links.length > 0 && { links }),
    ...(details.evidence > 0 && { evidence: details.evidence }),
    ...(anchors.length > 0 && { anchors: anchors.map(anchorLine) }),
    created_at: iso((annotation.tidied?.decided ?? decision).createdAt),
    ...by,
    ...toTidied(annotation),
  };
}

/** Characters of an outcome's reason that a person reads in a list. */
const REASON_READ = 300;
/** Characters of an outcome's reason that a model reads in a list; decision_get has all. */
const REASON_SHOWN = 240;

type Row = DecisionRow & Partial<Pick<FoundRow, 'similarity' | 'matched'>>;

/** A row as a model reads it: every token counts (W-3). What is usual, or said already, is left out. */
export function briefDecisionRow(row: Row): Record<string, unknown> {
  const { outcome_warning, earlier_failure, failed_basis } = row;
  return compact({
    id: row.ref,
    topic: row.topic,
    // Before a text that holds no longer.
    is_current: row.is_current ? undefined : false,
    withdrawn: row.withdrawn,
    outcome_warning,
    decision: row.decision,
    decided_twice: row.decided_twice,
    imported: row.imported,
    earlier_failure: earlier_failure && quotedEarlierRow(earlier_failure),
    failed_basis: failed_basis?.map(quotedRow),
    version: row.version > 1 ? row.version : undefined,
    strength: row.strength === 'normal' ? undefined : row.strength,
    scope: telltaleScope(row.scope, row.topic),
    outcome: row.outcome,
    outcome_reason: row.outcome_reason && telling(row.outcome_reason, REASON_SHOWN),
    why: outcome_warning === undefined ? row.why : undefined,
    matched: row.matched,
    edges: edgesOf(row.links ?? []),
    evidence: row.evidence,
    anchors: row.anchors,
    created_at: dayOf(row.created_at),
    author: row.author && shownBy(row),
    tidied: shownTidied(row.tidied),
  });
}

/** A row by its name (RE-7). */
export function rowName({
  ref,
  topic,
  decision,
  outcome,
  withdrawn,
  is_current,
  strength,
}: FoundRow): string {
  const mark = markOf({ outcome, withdrawn, isReplaced: !is_current, strength });
  return nameLine({ ref, ...(topic && { title: topic }), text: firstWords(decision), ...mark });
}

/** A found row as a model reads it: with everything that a search promises (G-5), whether it is telling or not. */
export const briefFoundRow = (row: FoundRow): Record<string, unknown> => {
  const brief = briefDecisionRow(row);
  return {
    ...brief,
    topic: row.topic,
    similarity: shownShare(row.similarity),
    outcome: row.outcome,
    edges: brief.edges ?? {},
  };
};

/** Links such as `builds_on infra:redis (3a2ee091)` by their relationship; undefined when there are none. */
function edgesOf(links: string[]): Record<string, string | string[]> | undefined {
  if (links.length === 0) return undefined;
  const edges: Record<string, string | string[]> = {};
  for (const link of links) {
    const at = link.indexOf(' ');
    const [relationship, name] = [link.slice(0, at), link.slice(at + 1)];
    edges[relationship] = relationship === 'superseded_by' ? name : [...(edges[relationship] ?? []), name];
  }
  return edges;
}

/** A row as a person sees it: the decision, its warnings, its reasons, then its links, when, who and its short id. */
export function viewDecisionRow(row: Row, answers?: string): Block[] {
  // The links are on lines of their own.
  const why = parseReasoning(row.reasoning ?? '').prose;
  return [
    line(
      strong(row.topic ?? '(no topic)'),
      '  ',
      status(row),
      dim(`  ${row.strength} · ${row.scope} · v${row.version}`),
    ),
    ...(row.decided_twice ? [indented(warn(`! decided twice: ${row.decided_twice}`))] : []),
    ...importedText(row).map((each) => indented(warn(each))),
    indented(row.decision),
    ...(row.outcome && row.outcome !== 'failed'
      ? [indented(good(`outcome: ${row.outcome} — ${telling(shownReason(row.outcome_reason), REASON_READ)}`))]
      : []),
    ...(row.outcome_warning
      ? [indented(bad(`⚠️ outcome: failed — ${telling(shownReason(row.outcome_reason), REASON_READ)}`))]
      : []),
    ...(row.earlier_failure
      ? [indented(warn(`! earlier version failed: ${quotedEarlierRow(row.earlier_failure)}`))]
      : []),
    ...(row.failed_basis ?? []).map((basis) =>
      indented(warn(`! builds on a failed decision: ${quotedRow(basis)}`)),
    ),
    ...(why ? [indented(dim('why: '), why)] : []),
    ...(row.links ?? []).map((link) => indented(dim(link))),
    ...(row.matched ? [indented(dim('matched: '), row.matched)] : []),
    ...(row.anchors ?? []).map((anchor) => indented(dim(`⚓ ${anchor}`))),
    facts(
      date(row.created_at),
      shownBy(row),
      shownTidied(row.tidied),
      answers,
      row.evidence && counted(row.evidence, 'piece of evidence', 'pieces of evidence'),
      row.ref,
    ),
  ];
}

function status(row: DecisionRow): Span {
  if (row.withdrawn) return warn('withdrawn');
  return row.is_current ? good('active') : dim('superseded');
}

function quotedEarlierRow({ is_repeat, outcome_reason, ...failure }: z.infer<typeof earlierFailure>): string {
  return quotedEarlier({ ...failure, isRepeat: is_repeat, outcomeReason: outcome_reason });
}

function quotedRow({ outcome_reason, ...ground }: z.infer<typeof failure>): string {
  return quotedFailure({ ...ground, outcomeReason: outcome_reason });
}
