import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { type Failure, outcomeWarning } from '../../domain/outcome.ts';
import { countCharacters, excerpt } from '../../domain/text/text.ts';
import { type Annotation, annotate } from '../../store/decisions/annotation.ts';
import type { Found } from '../../store/search/everything.ts';
import type { Tx } from '../../store/tx.ts';
import { bad, dim, indented, line, strong, type View, warn } from '../view.ts';

/** A record of any kind, in short: what it says, whether it holds and where, and why it is shown. */
export const entry = z.object({
  kind: z.enum(['decision', 'observation', 'memo', 'checkpoint']),
  id: z.string().meta({ description: 'Read it whole: decision_get, mem_get_observation, memo_list' }),
  why: z.string().meta({ description: 'Why it is here' }),
  title: z.string().optional().meta({ description: 'Topic of a decision, title of an observation' }),
  text: z.string(),
  status: z
    .enum(['stands', 'failed', 'withdrawn'])
    .optional()
    .meta({ description: 'Of the newest version of a decision' }),
  scope: z.string().optional().meta({ description: 'It holds in this scope only' }),
  outcome_warning: z.string().optional(),
  earlier_failure: z.string().optional().meta({ description: 'What was tried before and failed' }),
  failed_basis: z
    .array(z.string())
    .optional()
    .meta({ description: 'It builds on these, which failed; at most two are named' }),
});
export type Entry = z.infer<typeof entry>;

/** Characters of a warning at most, and failed bases named at most: a decision with many must still fit. */
const ASIDE = 200;
const BASES = 2;

/** A text that is longer than its limit by no more than this stays whole: saying what is missing takes room too. */
const TOLERANCE = 60;

/** Found records as entries; each says how much of the question it answers. @param shown characters of each text */
export async function relevantEntries(tx: Tx, found: Found[], shown: number): Promise<Entry[]> {
  const decisions = found.flatMap((each) => (each.kind === 'decision' ? [each.decision] : []));
  const annotationOf = await annotate(tx, decisions);
  return found.map((each) =>
    each.kind === 'decision'
      ? decisionEntry(each.decision, annotationOf(each.decision), whyFound(tx, each), shown)
      : recordEntry(each, whyFound(tx, each), shown),
  );
}

export function decisionEntry(
  decision: Decision,
  { earlierFailure, failedBasis }: Annotation,
  why: string,
  shown: number,
): Entry {
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  const aside = Math.min(shown, ASIDE);
  const named = ({ decision: text, outcomeReason: reason }: Failure) =>
    shortened(reason ? `${text} (${reason})` : text, aside, 'decision_get has all');
  return {
    kind: 'decision',
    id: decision.id,
    why,
    ...(decision.topic !== null && { title: decision.topic }),
    text: shortened(decision.text, shown, 'decision_get has all'),
    status: statusOf(decision),
    scope: decision.scope,
    ...(warning && { outcome_warning: shortened(warning, aside, 'decision_get has all') }),
    ...(earlierFailure && { earlier_failure: named(earlierFailure) }),
    ...(failedBasis.length > 0 && { failed_basis: failedBasis.slice(0, BASES).map(named) }),
  };
}

/** An entry as a person sees it. */
export function viewEntry(each: Entry): View {
  const place = [each.status, each.scope].filter(Boolean).join(' · ');
  return [
    line(strong(each.title ?? each.kind), dim(`  ${each.why}${place ? ` · ${place}` : ''}`)),
    indented(each.text),
    ...(each.outcome_warning ? [indented(bad(each.outcome_warning))] : []),
    ...(each.earlier_failure ? [indented(warn(`! failed before: ${each.earlier_failure}`))] : []),
    ...(each.failed_basis ?? []).map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    indented(dim(`${each.kind} ${each.id}`)),
  ];
}

function whyFound(tx: Tx, { similarity }: Found): string {
  return tx.meaning
    ? `close to what was asked (${similarity.toFixed(2)})`
    : `answers ${Math.round(100 * similarity)} % of what was asked`;
}

function recordEntry(found: Exclude<Found, { kind: 'decision' }>, why: string, shown: number): Entry {
  switch (found.kind) {
    case 'observation': {
      const { id, title, content } = found.observation;
      return {
        kind: found.kind,
        id: String(id),
        why,
        title,
        text: shortened(content, shown, 'mem_get_observation has all'),
      };
    }
    case 'memo':
      return { kind: found.kind, id: found.id, why, text: found.summary };
    case 'checkpoint': {
      const text = found.nextSteps ? `${found.summary} Next: ${found.nextSteps}` : found.summary;
      return { kind: found.kind, id: found.id, why, text: shortened(text, shown, 'mama_load_checkpoint') };
    }
  }
}

function statusOf({ withdrawn, outcome }: Decision): NonNullable<Entry['status']> {
  if (withdrawn) return 'withdrawn';
  return outcome === 'failed' ? 'failed' : 'stands';
}

function shortened(text: string, limit: number, full: string): string {
  return countCharacters(text) <= limit + TOLERANCE ? text : excerpt(text, limit, full);
}
