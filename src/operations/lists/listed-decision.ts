import * as z from 'zod';
import { DEFAULT_CONFIDENCE, type Decision, FIELDS, OPTIONAL } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { cut } from '../../domain/text/sentence.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { lastSaved } from '../../store/kinds/condition.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { omit } from '../brief.ts';
import { outdated, viewOutdated } from '../results/copies.ts';
import { failuresInWords, importedText, toFailuresInWords } from '../results/decision.ts';
import { decisionRow, toDecisionRow } from '../results/decision-row.ts';
import { detailsOf, failureOf, reasonOf } from '../results/details.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { markOfOutcome } from '../results/named-decision.ts';
import { shownBy, shownTidied, shownUndone, undone } from '../results/writer.ts';
import { dim, entry, indented, type View, warn } from '../view.ts';

/** Characters of a decision in a list; decision_get and show have all. */
const LONGEST_TEXT = 400;

/** What is shown of a failure where nobody said why it failed. */
const NO_REASON = 'no reason given';

/** A decision in a list for people (U-4). */
export const listedDecision = decisionRow.omit({ reasoning: true, edges: true }).extend({
  mistaken: z.boolean().optional().describe('It was undone as a mistake'),
  undone: undone(),
  why: z.string().optional().describe('Its reason in a sentence'),
  failure: z.string().optional().describe('Why it failed, in a sentence, where somebody said why'),
  failed_at: resultDate().optional().describe('When it was recorded that it failed'),
  ...failuresInWords,
  contradicts: z
    .array(z.string())
    .optional()
    .describe('With contradicted: what binds or failed that it may contradict, and how to settle it'),
  outdated: outdated(),
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
    const of = details(decision);
    const failedAt = failures.get(decision.id);
    const why = reasonOf(decision);
    const failure = failureOf(decision);
    return {
      ...omit(toDecisionRow(decision, of), 'reasoning', 'edges', 'why', 'earlier_failure', 'failed_basis'),
      text: full ? decision.text : cut(decision.text, LONGEST_TEXT),
      ...(why && { why }),
      ...(failure && { failure }),
      ...(failedAt !== undefined && { failed_at: iso(failedAt) }),
      ...toFailuresInWords(of.annotation),
      updated_at: iso(saved.get(decision.id) ?? decision.updatedAt),
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
    !row.mistaken && row.status !== 'active' && row.status,
  ];
  return [
    entry({
      mark: markOfOutcome(row.outcome),
      ref: row.ref,
      at: row.created_at,
      who: [
        shownBy(row),
        shownTidied(row.tidied),
        row.mistaken && shownUndone(row.undone),
        ...OPTIONAL.map((name) => FIELDS[name].isListed && row[name] && `${name} ${row[name]}`),
      ]
        .filter(Boolean)
        .join(', '),
      title: [row.topic ?? row.scope, ...more.filter((each) => each !== false)].join(', '),
      text: row.text,
      why: row.why,
    }),
    ...(row.decided_twice ? [indented(warn(`! decided twice: ${row.decided_twice}`))] : []),
    ...importedText(row).map((each) => indented(warn(each))),
    // Why it is or was active is a second call away; why it failed is what a list of failures is read for.
    ...(row.failed_at ? [indented(dim(`failed ${dayOf(row.failed_at)}: `), row.failure ?? NO_REASON)] : []),
    ...(row.failed_basis ?? []).map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    ...(row.debated_by ?? []).map((other) => indented(warn(`! debated by ${other}`))),
    ...(row.contradicts ?? []).map((other) => indented(warn(`! ${other}`))),
    ...viewOutdated(row),
  ];
}
