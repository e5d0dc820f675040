import * as z from 'zod';
import { type Decision, STRENGTHS } from '../../domain/decision.ts';
import { FOUND_KINDS } from '../../domain/kinds.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { outcomeWarning, quotedFailure } from '../../domain/outcome.ts';
import { telling } from '../../domain/text/sentence.ts';
import { countCharacters, excerpt } from '../../domain/text/text.ts';
import { imported, toImported, twice, why } from '../results/decision.ts';
import { anchorLine, type Details } from '../results/details.ts';
import { iso, nearness, resultDate } from '../results/fields.ts';
import { named } from '../results/names.ts';
import { since } from '../results/since.ts';
import { by } from '../results/writer.ts';

/** A record of any kind, in short: what it says, why, when, whether it holds and where, and why it is listed (W-3). */
export const entry = z.object({
  kind: z.enum(FOUND_KINDS),
  id: z.string().describe('Read it whole: decision_get, mem_get_observation, memo_list'),
  ref: z.string().describe('The beginning of its id; every operation takes it'),
  because: z.string().describe('Why it is listed'),
  similarity: z
    .number()
    .optional()
    .describe('How much of the question it answers, 0 to 1, when it was searched for'),
  nearness: nearness(),
  title: z.string().optional().describe('Topic of a decision, title of an observation'),
  text: z.string(),
  status: z
    .enum(['active', 'failed', 'withdrawn'])
    .optional()
    .describe('Of the newest version of a decision'),
  strength: z.enum(STRENGTHS).optional().describe('Of a decision'),
  since: since(),
  superseded_by: z.string().optional().describe('The observation that supersedes it'),
  decided_twice: twice(),
  imported: imported(),
  outcome_warning: z.string().optional(),
  outcome: z.string().optional().describe('What became of it, when it did not fail, with the reason'),
  earlier_failure: z.string().optional().describe('What was tried before and failed'),
  failed_basis: z
    .array(z.string())
    .optional()
    .describe('It builds on these, which failed; at most two are named'),
  why: why(),
  matched: z.string().optional().describe('The words that matched, when they are not shown'),
  earlier: named.optional().describe('The earlier version that matched, by its name'),
  when: resultDate(),
  version: z.int().optional().describe('When it is not the first'),
  ...by(),
  scope: z.string().optional().describe('It holds in this scope only'),
  debated_by: z.array(z.string()).optional().describe('Active decisions that argue against it'),
  evidence: z.int().optional().describe('Pieces of evidence: decision_get shows them'),
  anchors: z.array(z.string()).optional().describe('Reminders, not rules'),
});
export type Entry = z.infer<typeof entry>;

/** Characters of a failure at most, and failed bases named at most: a decision with many must still fit. */
const ASIDE = 200;
const BASES = 2;

/** A text that is longer than its limit by no more than this stays whole: saying what is missing takes room too. */
const TOLERANCE = 60;

/** How the entries of found records look. */
export interface Look {
  /** Characters of each text. */
  shown: number;
  /** Of anchors only the hint, at most three of an entry (D-17). */
  hintsOnly?: boolean;
}

const HINTS = 3;

export function decisionEntry(
  decision: Decision,
  { annotation, ref, by: written, links, anchors, debatedBy, evidence, why: reasons }: Details,
  because: string,
  { shown, hintsOnly }: Look,
): Entry {
  const { earlierFailure, failedBasis, decidedTwice } = annotation;
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  const aside = Math.min(shown, ASIDE);
  const named = (failure: Parameters<typeof quotedFailure>[0]) =>
    shortened(quotedFailure(failure), aside, GET);
  // A reasoning that holds links alone gives them as its reason.
  const reason = reasons ?? links.join(', ');
  return {
    kind: 'decision',
    id: decision.id,
    ref,
    because,
    ...(decision.topic !== null && { title: decision.topic }),
    text: shortened(decision.text, shown, GET),
    status: statusOf(decision),
    strength: decision.strength,
    ...(decidedTwice && { decided_twice: decidedTwice }),
    ...toImported(annotation),
    ...(warning && { outcome_warning: warning }),
    ...(decision.outcome && !warning && { outcome: outcomeOf(decision) }),
    ...(earlierFailure && {
      earlier_failure: quotedEarlier(earlierFailure, undefined, Math.max(ASIDE, 2 * shown)),
    }),
    ...(failedBasis.length > 0 && { failed_basis: failedBasis.slice(0, BASES).map(named) }),
    ...(reason && { why: reason }),
    when: iso(decision.createdAt),
    ...(decision.version > 1 && { version: decision.version }),
    ...written,
    scope: decision.scope,
    ...(debatedBy.length > 0 && { debated_by: debatedBy }),
    ...(evidence > 0 && { evidence }),
    ...(anchors.length > 0 && {
      anchors: hintsOnly
        ? anchors.slice(0, HINTS).map((each) => hintAt(each, decision))
        : anchors.map(anchorLine),
    }),
  };
}

/** The hint of an anchor, and where it leads if that is another version. */
function hintAt({ hint, decisionId, version }: Details['anchors'][number], { id }: Decision): string {
  return decisionId === id ? hint : `${hint} (of v${version})`;
}

const GET = 'decision_get has all';

/** An outcome other than a failure, in a sentence. */
function outcomeOf({ outcome, outcomeReason }: Decision): string {
  const reason = outcomeReason && telling(outcomeReason, ASIDE);
  return reason ? `${outcome}: ${reason}` : `${outcome}`;
}

function statusOf({ withdrawn, outcome }: Decision): NonNullable<Entry['status']> {
  if (withdrawn) return 'withdrawn';
  return outcome === 'failed' ? 'failed' : 'active';
}

/** @param full how to read the whole, as an instruction */
export function shortened(text: string, limit: number, full: string): string {
  return countCharacters(text) <= limit + TOLERANCE ? text : excerpt(text, limit, full);
}
