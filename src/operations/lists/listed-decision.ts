import * as z from 'zod';
import { DEFAULT_CONFIDENCE, type Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { quotedBasis } from '../../domain/outcome.ts';
import { cut } from '../../domain/text/sentence.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { lastSaved } from '../../store/kinds/condition.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { outdated, viewOutdated } from '../results/copies.ts';
import {
  decisionFacts,
  imported,
  importedText,
  toDecisionFacts,
  toImported,
  twice,
} from '../results/decision.ts';
import { detailsOf, failureOf, reasonOf } from '../results/details.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { by, shownBy, shownTidied } from '../results/writer.ts';
import { bad, dim, entry, good, indented, type Span, type View, warn } from '../view.ts';

/** Characters of a decision in a list; decision_get and show have all. */
const SHOWN = 400;

/** What is shown of a failure where nobody said why it failed. */
const NO_REASON = 'no reason given';

/** A decision in a list of active decisions (U-4). */
export const listedDecision = decisionFacts.omit({ reasoning: true }).extend({
  mistaken: z.boolean().optional().describe('It was undone as a mistake'),
  why: z.string().optional().describe('Its reason in a sentence'),
  failure: z.string().optional().describe('Why it failed, in a sentence, where somebody said why'),
  failedAt: resultDate().optional().describe('When it was recorded that it failed'),
  decidedTwice: twice(),
  imported: imported(),
  earlierFailure: z.string().optional().describe('What was tried before and failed'),
  failedBasis: z.array(z.string()).optional().describe('It builds on these, which failed'),
  debatedBy: z
    .array(z.string())
    .optional()
    .describe('Active decisions that debate it, by topic and short id'),
  contradicts: z
    .array(z.string())
    .optional()
    .describe('With contradicted: what binds or failed that it may contradict, and how to settle it'),
  outdated: outdated(),
  evidence: z.int().describe('Pieces of evidence, of all its versions'),
  updatedAt: resultDate(),
  ...by(),
});
type ListedDecision = z.infer<typeof listedDecision>;

/** Decisions as a list shows them, in their order, with a fixed number of queries. @param full whether texts are whole */
export async function listedDecisions(
  tx: Tx,
  decisions: Decision[],
  full: boolean,
): Promise<ListedDecision[]> {
  // A first version to which nothing happened since was saved when it was made.
  const later = decisions.filter(({ version, createdAt, updatedAt }) => version > 1 || updatedAt > createdAt);
  const [details, failures, saved] = await together(
    detailsOf(tx, decisions),
    failuresOf(tx, decisions),
    lastSaved(tx, idsOf(later)),
  );
  return decisions.map((decision) => {
    const failedAt = failures.get(decision.id);
    const { annotation, by: written, debatedBy, evidence } = details(decision);
    const { earlierFailure, failedBasis, names, decidedTwice } = annotation;
    const { reasoning: _, ...shown } = toDecisionFacts(decision, details(decision));
    const why = reasonOf(decision);
    const failure = failureOf(decision);
    return {
      ...shown,
      text: full ? decision.text : cut(decision.text, SHOWN),
      ...(why && { why }),
      ...(failure && { failure }),
      ...(failedAt !== undefined && { failedAt: iso(failedAt) }),
      ...(decidedTwice && { decidedTwice }),
      ...toImported(annotation),
      ...(earlierFailure && { earlierFailure: quotedEarlier(earlierFailure) }),
      ...(failedBasis.length > 0 && {
        failedBasis: failedBasis.map((basis) => quotedBasis(basis, names.get(basis.id))),
      }),
      ...(debatedBy.length > 0 && { debatedBy }),
      evidence,
      updatedAt: iso(saved.get(decision.id) ?? decision.updatedAt),
      ...written,
    };
  });
}

/** When those of these decisions that failed were last said to have failed, by id, in milliseconds UTC. */
async function failuresOf(tx: Tx, decisions: Decision[]): Promise<Map<string, number>> {
  const failed = decisions.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const log = failed.length === 0 ? [] : await outcomesOf(tx, failed);
  return new Map(
    log
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ decisionId, createdAt }) => [decisionId, createdAt]),
  );
}

/** A decision of a list as a person sees it: on one line, its warnings below. */
export function viewListedDecision(row: ListedDecision): View {
  const more = [
    row.strength !== 'normal' && row.strength,
    row.confidence < DEFAULT_CONFIDENCE && `confidence ${row.confidence}`,
    row.revisit !== null && `revisit ${row.revisit}`,
    row.mistaken ? 'undone' : row.status !== 'active' && row.status,
  ];
  return [
    entry({
      mark: markOf(row.outcome),
      ref: row.ref,
      at: row.createdAt,
      who: [shownBy(row), shownTidied(row.tidied)].filter(Boolean).join(', '),
      title: [row.topic ?? row.scope, ...more.filter((each) => each !== false)].join(', '),
      text: row.text,
      why: row.why,
    }),
    ...(row.decidedTwice ? [indented(warn(`! decided twice: ${row.decidedTwice}`))] : []),
    ...importedText(row).map((each) => indented(warn(each))),
    // Why it is or was active is a second call away; why it failed is what a list of failures is read for.
    ...(row.failedAt ? [indented(dim(`failed ${dayOf(row.failedAt)}: `), row.failure ?? NO_REASON)] : []),
    ...(row.failedBasis ?? []).map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    ...(row.debatedBy ?? []).map((other) => indented(warn(`! debated by ${other}`))),
    ...(row.contradicts ?? []).map((other) => indented(warn(`! ${other}`))),
    ...viewOutdated(row),
  ];
}

/** What became of a decision, as one character. */
export function markOf(outcome: ListedDecision['outcome']): Span {
  if (outcome === 'failed') return bad('✗');
  if (outcome === 'partial') return warn('~');
  return outcome === 'success' ? good('✓') : dim('·');
}
