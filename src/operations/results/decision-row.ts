import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { shownReason } from '../../domain/outcome.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { telling } from '../../domain/text/sentence.ts';
import { excerpt, REASONING_SHOWN } from '../../domain/text/text.ts';
import { compact, pick, telltaleScope } from '../brief.ts';
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
  decisionRecord,
  importedText,
  referenceLists,
  saidBasis,
  saidEarlier,
  statusOf,
  toDecisionRecord,
  why,
} from './decision.ts';
import { anchorLine, type Details } from './details.ts';
import { dayOf, nearness, shownShare } from './fields.ts';
import { markOf, nameLine, wordsOfName } from './names.ts';
import { by, shownBy, shownTidied } from './writer.ts';

/** A decision in a list: with its links, and with what hangs on it in short (G-5, O-4, O-8, O-9). */
export const decisionRow = decisionRecord.extend({
  ref: z.string().describe('A prefix of its id; every operation accepts it'),
  status: z.enum(['active', 'withdrawn', 'superseded']),
  why: why(),
  edges: z.object({
    supersedes_count: z.int(),
    superseded_by: z.string().optional(),
    ...referenceLists,
  }),
  links: z
    .array(z.string())
    .optional()
    .describe('Its links by topic and short id, such as "builds_on infra:redis (3a2ee091)"'),
  debated_by: z
    .array(z.string())
    .optional()
    .describe('Active decisions that debate it, by topic and short id'),
  evidence: z.int().describe('Pieces of evidence, of all its versions: decision_get shows them'),
  anchors: z
    .array(z.string())
    .optional()
    .describe('Reminders, with the version they lead to and whether it is active'),
  ...by(),
});
type DecisionRow = z.infer<typeof decisionRow>;

export function toDecisionRow(decision: Decision, details: Details): DecisionRow {
  const { annotation, ref, reasoning, anchors, debatedBy, evidence, why } = details;
  const { supersededBy, references } = annotation;
  const links = [
    ...(details.supersededBy ? [`superseded_by ${details.supersededBy}`] : []),
    ...details.links,
  ];
  return {
    ...toDecisionRecord(decision, annotation),
    ref,
    status: statusOf(decision),
    reasoning: reasoning && excerpt(reasoning, REASONING_SHOWN, 'decision_get has all'),
    ...(why && { why }),
    edges: {
      supersedes_count: decision.version - 1,
      ...(supersededBy && { superseded_by: supersededBy }),
      ...references,
    },
    ...(links.length > 0 && { links }),
    ...(debatedBy.length > 0 && { debated_by: debatedBy }),
    evidence,
    ...(anchors.length > 0 && { anchors: anchors.map(anchorLine) }),
    ...details.by,
  };
}

const { text, is_active, ...others } = decisionRow.shape;
/** {@link decisionRow} with MAMA's names. */
export const mamaRow = z.object({
  ...pick(others, 'id', 'ref', 'topic'),
  decision: text,
  is_current: is_active,
  ...others,
});
type MamaRow = z.infer<typeof mamaRow>;
export const toMamaRow = ({ text, is_active, ...row }: DecisionRow): MamaRow => ({
  ...pick(row, 'id', 'ref', 'topic'),
  decision: text,
  is_current: is_active,
  ...row,
});

/** A decision that a search found. */
export const foundRow = mamaRow.extend({
  similarity: z.number(),
  nearness: nearness(),
  matched: z.string().optional().describe('The words that matched, when they are not shown'),
});
export type FoundRow = z.infer<typeof foundRow>;

/** Characters of an outcome's reason that a person reads in a list. */
const REASON_READ = 300;
/** Characters of an outcome's reason that a model reads in a list; decision_get has all. */
const REASON_SHOWN = 240;

type Row = MamaRow & Partial<Pick<FoundRow, 'similarity' | 'matched'>>;

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
    earlier_failure: earlier_failure && saidEarlier(earlier_failure),
    failed_basis: failed_basis && saidBasis(failed_basis),
    version: row.version > 1 ? row.version : undefined,
    strength: row.strength === 'normal' ? undefined : row.strength,
    scope: telltaleScope(row.scope, row.topic),
    outcome: row.outcome,
    outcome_reason: row.outcome_reason && telling(row.outcome_reason, REASON_SHOWN),
    why: outcome_warning === undefined ? row.why : undefined,
    matched: row.matched,
    edges: edgesOf(linksOf(row)),
    evidence: row.evidence || undefined,
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
  return nameLine({ ref, ...(topic && { title: topic }), text: wordsOfName(decision, mark), ...mark });
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

/** The decisions that it links, and those that debate it. */
const linksOf = ({ links = [], debated_by = [] }: Row) => [
  ...links,
  ...debated_by.map((other) => `debated_by ${other}`),
];

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
      ? [indented(warn(`! earlier version failed: ${saidEarlier(row.earlier_failure)}`))]
      : []),
    ...saidBasis(row.failed_basis ?? []).map((basis) =>
      indented(warn(`! builds on a failed decision: ${basis}`)),
    ),
    ...(why ? [indented(dim('why: '), why)] : []),
    ...linksOf(row).map((link) => indented(dim(link))),
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

function status({ status }: Row): Span {
  return { active: good, withdrawn: warn, superseded: dim }[status](status);
}
