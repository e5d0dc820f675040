import * as z from 'zod';
import { reminders } from '../../domain/anchor.ts';
import { DEFAULT_CONFIDENCE, OPTIONAL } from '../../domain/decision.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { ASIDE, FAILED, outcomeWarning, quotedFailure } from '../../domain/outcome.ts';
import { cutToTokens, estimateTokens } from '../../domain/text/tokens.ts';
import { compact, pick, telltaleScope, telltaleStrength, withRefs } from '../brief.ts';
import { fitted, itemsOf, nodesOf } from '../fitted.ts';
import { decisionBrief, decisionRecord, recordedOutcome } from './decision.ts';
import { decisionContext, decisionLink } from './decision-links.ts';
import { whyOf } from './details.ts';
import { dayOf, refs } from './fields.ts';
import { forked } from './forked.ts';
import { anchorRecord, evidenceRecord, hintsShown } from './grounds.ts';
import { by, shownBy, shownTidied, writer } from './writer.ts';

/** Everything about one decision; `version` says to which version a part belongs. */
export const wholeDecision = z.object({
  decision: decisionRecord.extend(writer()),
  versions: z
    .array(
      decisionBrief.omit({ topic: true }).extend({
        ...pick(decisionRecord.shape, 'version', 'withdrawn', 'outcome', 'branch', 'createdAt'),
        why: z.string().optional().describe('Its reason; where it is cut, it says so'),
        mistaken: z.boolean().optional().describe('It was undone as a mistake'),
        ...forked(),
        ...by(),
      }),
    )
    .describe('The whole chain, oldest first'),
  edges: z.object({ outgoing: z.array(decisionLink), incoming: z.array(decisionLink) }),
  evidence: z.array(evidenceRecord.extend({ version: z.int(), length: z.int(), ...writer() })),
  anchors: z.array(anchorRecord),
  hints: hintsShown(),
  outcomes: z.array(recordedOutcome.extend({ version: z.int() })),
  context: decisionContext.optional(),
  tokenBudget: z.int().optional().describe('The tokens that the call gave to the answer as a model reads it'),
  refs: refs(),
});
type WholeDecision = z.output<typeof wholeDecision>;

type Listed = z.output<typeof decisionRecord>;
type Version = WholeDecision['versions'][number];
type Link = WholeDecision['edges']['outgoing'][number];

/**
 * A decision in a list of what binds, as a model reads it (T-18): the rule whole, then what warns of it and why in what is left
 * of `LISTED` tokens. Its tier is that of its strength and scope.
 */
export function briefListed(decision: Listed): Record<string, unknown> {
  const room = (said: object) => LISTED - estimateTokens(JSON.stringify(compact(said)));
  const warned = QUOTED.map((limit) => contentOf(decision, limit));
  const said = warned.find((each) => room(each) >= 0) ?? (warned.at(-1) as Record<string, unknown>);
  const why = decision.outcomeWarning === undefined ? whyOf(decision) : undefined;
  const left = room({ ...said, why: '' });
  const shown = why !== undefined && left >= WORTH ? cutToTokens(why, left) : undefined;
  return compact({ ...said, why: shown });
}
/** Tokens of a decision in a list, and those for which a reason is worth its place. */
const LISTED = 78;
const WORTH = 8;
/** Characters that are quoted of what failed, the most that fits. */
const QUOTED = [ASIDE, 60, 40, 24, 16];

/** The lists of {@link briefWhole}, but for its history. */
const LISTS = ['evidence', 'outcomes', 'links', 'linked_by', 'anchors', 'failed_basis'] as const;

/** One decision as a model reads it, within the tokens of the call; of its history the newest versions (RE-14). */
export function fittedWhole(whole: WholeDecision): Record<string, unknown> {
  const answer = withRefs(briefWhole(whole), whole.refs);
  const context = whole.context && withRefs(whole.context, whole.refs);
  const history = itemsOf(answer.history).reverse();
  const parts = [
    { name: 'history', items: history },
    ...LISTS.map((name) => ({ name, items: itemsOf(answer[name]) })),
    { name: 'context', items: nodesOf(context?.children) },
  ];
  const frame = ([history = [], ...shown]: unknown[][]) =>
    compact({
      ...answer,
      history: history.toReversed(),
      ...Object.fromEntries(LISTS.map((name, at) => [name, shown[at]])),
      ...(context && { context: { ...context, children: shown[LISTS.length] } }),
    });
  return fitted(answer, parts, frame, { budget: whole.tokenBudget, field: 'tokenBudget' });
}

/** One decision with its history as a model reads it, each text once (T-18). */
function briefWhole(whole: WholeDecision): Record<string, unknown> {
  const { decision, versions, edges, evidence, anchors, hints, outcomes, context } = whole;
  const chain = new Set(versions.map(({ id }) => id));
  const others = versions.filter(({ id }) => id !== decision.id);
  const ofThis = ({ version }: { version: number }) => (version === decision.version ? undefined : version);
  const outcomeOf = (of: { version: number }) =>
    outcomes.findLast(({ retracted, version }) => !retracted && version === of.version);
  const current = outcomeOf(decision);
  const linksOf = (links: Link[]) =>
    links
      .filter((link) => !chain.has(link.decision.id))
      .map((link) => compact({ version: ofThis(link), ...briefLink(link) }));
  return compact({
    ...contentOf(decision),
    ...briefOutcome(current),
    reasoning: decision.reasoning,
    status: decision.isActive ? undefined : decision.withdrawn ? 'withdrawn' : 'superseded',
    confidence: decision.confidence === DEFAULT_CONFIDENCE ? undefined : decision.confidence,
    ...pick(decision, ...OPTIONAL),
    version: decision.version,
    when: dayOf(decision.createdAt),
    by: decision.author && shownBy({ author: decision.author }),
    tidied: shownTidied(decision.tidied),
    client: decision.client,
    settles: versions.find(({ id }) => id === decision.id)?.settles,
    history: others.map((each) => briefVersion(each, outcomeOf(each))),
    evidence: evidence.map((item) => compact({ id: item.id, version: ofThis(item), content: item.content })),
    hints: hints?.join(' · '),
    anchors: reminders(anchors).map(({ hint, version, active }) =>
      active ? hint : `${hint} (of v${version})`,
    ),
    // The outcome that counts is said above.
    outcomes: outcomes
      .filter((each) => each !== current && (each.version === decision.version || each.retracted))
      .map((each) =>
        compact({
          version: ofThis(each),
          outcome: each.outcome,
          reason: each.reason,
          when: dayOf(each.createdAt),
          retracted: each.retracted ? true : undefined,
        }),
      ),
    links: linksOf(edges.outgoing),
    linked_by: linksOf(edges.incoming),
    ...(context && { context }),
  });
}

/** What a decision says, with its warnings. @param limit characters that are quoted of what failed, and of why */
function contentOf(decision: Listed, limit?: number): Record<string, unknown> {
  const { topic, scope, strength, earlierFailure, failedBasis } = decision;
  return {
    id: decision.id,
    topic,
    decision: decision.text,
    decided_twice: decision.decidedTwice,
    imported: decision.imported,
    strength: telltaleStrength(strength),
    scope: telltaleScope(scope, topic),
    outcome_warning: outcomeWarning(decision.outcome, decision.outcomeReason, limit),
    // The history has the whole reason.
    earlier_failure: earlierFailure && quotedEarlier(earlierFailure, limit ?? ASIDE),
    // A version that builds on the failure before it has said so already.
    failed_basis: failedBasis
      ?.filter(({ id }) => id !== earlierFailure?.id)
      .map((basis) => quotedFailure(basis, limit)),
  };
}

type Outcome = WholeDecision['outcomes'][number];

/** What became of a version, with the whole reason: no other answer has it. */
function briefOutcome(of: Outcome | undefined): Record<string, unknown> {
  if (of === undefined) return {};
  const said = of.outcome === 'failed' ? { outcome_warning: FAILED } : { outcome: of.outcome };
  return { ...said, outcome_reason: of.reason, outcome_when: dayOf(of.createdAt) };
}

function briefVersion(version: Version, outcome: Outcome | undefined): Record<string, unknown> {
  return compact({
    version: version.version,
    id: version.id,
    decision: version.text,
    status: version.mistaken
      ? 'undone'
      : version.isActive
        ? 'active'
        : version.withdrawn
          ? 'withdrawn'
          : undefined,
    settles: version.settles,
    ...briefOutcome(outcome),
    why: version.why,
    when: dayOf(version.createdAt),
    by: version.author && shownBy(version),
  });
}

function briefLink({ relationship, decision }: Link): Record<string, unknown> {
  return {
    relationship,
    id: decision.id,
    topic: decision.topic,
    decision: decision.text,
    outcome_warning: decision.outcomeWarning,
    is_active: decision.isActive ? undefined : false,
  };
}
