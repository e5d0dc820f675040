import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { FOUND_KINDS } from '../../domain/kinds.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { quotedFailure } from '../../domain/outcome.ts';
import { telling } from '../../domain/text/sentence.ts';
import { countCharacters, excerpt } from '../../domain/text/text.ts';
import { pick } from '../brief.ts';
import { failuresInWords } from '../results/decision.ts';
import { decisionRow, foundRow, toDecisionRow } from '../results/decision-row.ts';
import type { Details } from '../results/details.ts';
import { inKinds, iso, resultDate } from '../results/fields.ts';
import { named } from '../results/names.ts';
import { since } from '../results/since.ts';
import { by } from '../results/writer.ts';

const { shape } = decisionRow;

/** A record of any kind, in short: what it says, why, when, whether it holds and where, and why it is listed (W-3). */
const anyEntry = z.object({
  kind: z.enum(FOUND_KINDS),
  id: z.string().describe('Read it whole: decision_get, mem_get_observation, memo_list'),
  ...pick(foundRow.shape, 'ref', 'nearness', 'matched'),
  because: z.string().describe('Why it is listed'),
  similarity: z
    .number()
    .optional()
    .describe('How much of the question it answers, 0 to 1, when it was searched for'),
  title: z.string().optional().describe('Topic of a decision, title of an observation'),
  text: z.string(),
  status: z
    .enum(['active', 'failed', 'withdrawn'])
    .optional()
    .describe('Of the newest version of a decision'),
  strength: shape.strength.optional().describe('Of a decision'),
  since: since(),
  superseded_by: z.string().optional().describe('The observation that supersedes it'),
  ...pick(shape, 'decided_twice', 'imported', 'outcome_warning', 'why', 'debated_by', 'anchors'),
  outcome: z.string().optional().describe('Its outcome and the reason, unless it failed'),
  ...failuresInWords,
  earlier: named.optional().describe('The earlier version that matched, by its name'),
  when: resultDate(),
  version: z.int().optional().describe('If it is not the first'),
  ...by(),
  scope: z.string().optional().describe('It holds in this scope only'),
  evidence: z.int().optional().describe('Pieces of evidence: decision_get shows them'),
});
export const entry = inKinds(anyEntry, 'kind', {
  decision: {
    always: ['status', 'strength'],
    maybe: [
      ...(['title', 'why', 'outcome', 'version', 'scope', 'evidence', 'anchors', 'debated_by'] as const),
      ...([
        'earlier',
        'earlier_failure',
        'failed_basis',
        'outcome_warning',
        'decided_twice',
        'imported',
      ] as const),
    ],
  },
  observation: { always: ['title'], maybe: ['superseded_by'] },
  memo: {},
  checkpoint: { maybe: ['since'] },
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
  details: Details,
  because: string,
  { shown, hintsOnly }: Look,
): Entry {
  const { annotation, by, links, anchors, evidence, why = links.join(', ') } = details;
  const { earlierFailure, failedBasis } = annotation;
  const row = toDecisionRow(decision, details);
  const aside = Math.min(shown, ASIDE);
  return {
    kind: 'decision',
    because,
    ...pick(row, 'id', 'ref', 'strength', 'scope', 'decided_twice', 'imported', 'outcome_warning'),
    ...pick(row, 'debated_by', 'anchors'),
    ...by,
    ...(decision.topic !== null && { title: decision.topic }),
    text: shortened(decision.text, shown, GET),
    status: statusOf(decision),
    ...(decision.outcome && decision.outcome !== 'failed' && { outcome: outcomeOf(decision) }),
    ...(earlierFailure && {
      earlier_failure: quotedEarlier(earlierFailure, undefined, Math.max(ASIDE, 2 * shown)),
    }),
    ...(failedBasis.length > 0 && {
      failed_basis: failedBasis.slice(0, BASES).map((basis) => shortened(quotedFailure(basis), aside, GET)),
    }),
    // A reasoning that holds links alone gives them as its reason.
    ...(why && { why }),
    // When it was decided, not when it was tidied (TR-3).
    when: iso((annotation.tidied?.decided ?? decision).createdAt),
    ...(decision.version > 1 && { version: decision.version }),
    ...(evidence > 0 && { evidence }),
    ...(hintsOnly &&
      anchors.length > 0 && { anchors: anchors.slice(0, HINTS).map((each) => hintAt(each, decision)) }),
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
