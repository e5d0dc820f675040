import * as z from 'zod';
import { reminders } from '../../domain/anchor.ts';
import type { Version } from '../../domain/chain.ts';
import { DEFAULT_CONFIDENCE, type Decision, OPTIONAL } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { ASIDE, FAILED, outcomeWarning } from '../../domain/outcome.ts';
import { countCharacters, excerpt, REASONING_SHOWN } from '../../domain/text/text.ts';
import { cutToTokens, estimateTokens } from '../../domain/text/tokens.ts';
import { anchorsOfChains } from '../../store/decisions/anchor.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf } from '../../store/decisions/evidence.ts';
import { loadChain } from '../../store/decisions/loaded.ts';
import { briefsOf } from '../../store/observations/observation.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { compact, pick, telltaleScope, telltaleStrength, withRefs } from '../brief.ts';
import { budgetGiven, fitted, itemsOf, nodesOf } from '../fitted.ts';
import {
  decisionRecord,
  failuresInWords,
  saidBasis,
  saidEarlier,
  toDecisionRecord,
  toFailuresInWords,
} from './decision.ts';
import {
  chainLinks,
  contextOf,
  type DecisionBranch,
  decisionContext,
  decisionLink,
} from './decision-links.ts';
import { whyOf } from './details.ts';
import { dayOf, refs } from './fields.ts';
import {
  anchorRecord,
  evidenceRecord,
  hintsShown,
  toAnchorRecord,
  toEvidenceRecord,
  toHints,
} from './grounds.ts';
import { lastOutcome, readVersions, type ShownVersion, version } from './version.ts';
import { shownBy, shownTidied, toWriter, writer } from './writer.ts';

/** Everything about one decision; `version` says to which version a part belongs (U-2). */
export const wholeDecision = z.object({
  decision: decisionRecord.extend(writer()),
  versions: z.array(version).describe('The whole chain'),
  ...failuresInWords,
  edges: z.object({ outgoing: z.array(decisionLink), incoming: z.array(decisionLink) }),
  evidence: z.array(
    evidenceRecord.extend({
      version: z.int(),
      length: z.int(),
      observation: z.string().optional().describe('The title of that observation'),
      ...writer(),
    }),
  ),
  anchors: z.array(anchorRecord),
  hints: hintsShown(),
  context: decisionContext.optional(),
  token_budget: budgetGiven(),
  refs: refs(),
});
export type WholeDecision = z.output<typeof wholeDecision>;

type Listed = z.output<typeof decisionRecord>;
type Link = WholeDecision['edges']['outgoing'][number];

interface Asked {
  /** How many links away the decisions around it may be; undefined for none. */
  depth: number | undefined;
  /** Characters of an evidence, and of the text of another decision. */
  evidence: number;
  text?: number;
  /** Whether the links between its own versions are among its edges. */
  within: boolean;
}

/** A decision with its whole chain, the oldest version first, and all that hangs on it. */
export async function readWhole(
  tx: Tx,
  asked: Decision,
  { depth, evidence: shown, text: most = Number.POSITIVE_INFINITY, within }: Asked,
): Promise<z.input<typeof wholeDecision>> {
  const [chain, anchors] = await together(
    loadChain(tx, asked.rootId, 'all'),
    anchorsOfChains(tx, [asked.rootId]),
  );
  const ids = idsOf(chain.versions);
  const versionOf = new Map(chain.versions.map(({ id, version }) => [id, version]));
  const linking = { asked, versionOf, within, most };
  const [{ versions, reading }, evidence, { outgoing, incoming }] = await together(
    readVersions(tx, chain, chain.versions),
    evidenceOf(tx, ids),
    together(edgesFrom(tx, ids), edgesTo(tx, ids)).then(([outgoing, incoming]) =>
      chainLinks(tx, { outgoing, incoming }, linking),
    ),
  );
  const { annotation } = reading(asked);
  const sources = evidence.flatMap(({ observationId }) => observationId ?? []);
  const [refOf, observations] = await together(
    shortIds(tx, 'evidence', idsOf(evidence)),
    sources.length === 0 ? new Map<number, never>() : briefsOf(tx, sources),
  );
  const context = depth === undefined ? undefined : await contextOf(tx, asked, depth);
  const named = [
    ...versions,
    ...[...outgoing, ...incoming, ...(context?.children.flatMap(branchesIn) ?? [])].map(
      ({ decision }) => decision,
    ),
  ];
  return {
    decision: {
      ...toDecisionRecord(asked, annotation),
      ...toWriter(
        annotation.tidied?.decided ?? (chain.versions.find(({ id }) => id === asked.id) as Version),
      ),
    },
    versions,
    ...toFailuresInWords(annotation),
    edges: { outgoing, incoming },
    evidence: evidence.map((item) => ({
      ...toEvidenceRecord(item),
      content: excerpt(item.content, shown, 'raise tokenBudget'),
      version: versionOf.get(item.decisionRef) as number,
      length: countCharacters(item.content),
      ...(item.observationId !== null && { observation: observations.get(item.observationId)?.title }),
      ...toWriter(item),
    })),
    anchors: anchors.map(toAnchorRecord),
    ...toHints(anchors),
    ...(context && { context }),
    refs: Object.fromEntries([
      ...named.map(({ id, ref }) => [id, ref]),
      ...evidence.map(({ id }) => [id, refOf(id)]),
    ]),
  };
}

const branchesIn = (branch: DecisionBranch): DecisionBranch[] => [
  branch,
  ...branch.children.flatMap(branchesIn),
];

/**
 * A decision in a list of what binds, as a model reads it (T-18): the rule whole, then what warns of it and why in what is left
 * of `LISTED` tokens. Its tier is that of its strength and scope.
 */
export function briefListed(decision: Listed): Record<string, unknown> {
  const room = (said: object) => LISTED - estimateTokens(JSON.stringify(compact(said)));
  const warned = LENGTHS.map((limit) => contentOf(decision, limit));
  const said = warned.find((each) => room(each) >= 0) ?? (warned.at(-1) as Record<string, unknown>);
  const { outcome, outcome_reason: outcomeReason, reasoning } = decision;
  const why =
    decision.outcome_warning === undefined ? whyOf({ outcome, outcomeReason, reasoning }) : undefined;
  const left = room({ ...said, why: '' });
  const shown = why !== undefined && left >= WORTH ? cutToTokens(why, left) : undefined;
  return compact({ ...said, why: shown });
}
/** Tokens of a decision in a list, and those for which a reason is worth its place. */
const LISTED = 78;
const WORTH = 8;
/** Characters that are quoted of what failed, the most that fits. */
const LENGTHS = [ASIDE, 60, 40, 24, 16];

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
  return fitted(answer, parts, frame, { budget: whole.token_budget, field: 'tokenBudget' });
}

/** One decision with its history as a model reads it, each text once (T-18). */
function briefWhole(whole: WholeDecision): Record<string, unknown> {
  const { decision, versions, edges, evidence, anchors, hints, context } = whole;
  const chain = new Set(versions.map(({ id }) => id));
  const others = versions.filter(({ id }) => id !== decision.id);
  const ofThis = ({ version }: { version: number }) => (version === decision.version ? undefined : version);
  const asked = versions.find(({ id }) => id === decision.id);
  const current = asked && lastOutcome(asked);
  const linksOf = (links: Link[]) =>
    links
      .filter((link) => !chain.has(link.decision.id))
      .map((link) => compact({ version: ofThis(link), ...briefLink(link) }));
  return compact({
    ...contentOf(decision),
    ...briefOutcome(current),
    reasoning: decision.reasoning,
    status: decision.is_active ? undefined : decision.withdrawn ? 'withdrawn' : 'superseded',
    confidence: decision.confidence === DEFAULT_CONFIDENCE ? undefined : decision.confidence,
    ...pick(decision, ...OPTIONAL),
    version: decision.version,
    when: dayOf(decision.created_at),
    by: decision.author && shownBy({ author: decision.author }),
    tidied: shownTidied(decision.tidied),
    client: decision.client,
    settles: asked?.settles,
    history: others.map(briefVersion),
    evidence: evidence.map((item) => compact({ id: item.id, version: ofThis(item), content: item.content })),
    hints: hints?.join(' · '),
    anchors: reminders(anchors).map(({ hint, version, active }) =>
      active ? hint : `${hint} (of v${version})`,
    ),
    // The outcome that counts is said above.
    outcomes: versions.flatMap((of) =>
      of.outcomes
        .filter((each) => each !== current && (of === asked || each.retracted))
        .map(({ outcome, reason, created_at, retracted }) =>
          compact({
            version: ofThis(of),
            outcome,
            reason,
            when: dayOf(created_at),
            retracted: retracted ? true : undefined,
          }),
        ),
    ),
    links: linksOf(edges.outgoing),
    linked_by: linksOf(edges.incoming),
    ...(context && { context }),
  });
}

/** What a decision says, with its warnings. @param limit characters that are quoted of what failed, and of why */
function contentOf(decision: Listed, limit?: number): Record<string, unknown> {
  const { topic, scope, strength, earlier_failure: earlier, failed_basis = [] } = decision;
  return {
    id: decision.id,
    topic,
    decision: decision.text,
    decided_twice: decision.decided_twice,
    imported: decision.imported,
    strength: telltaleStrength(strength),
    scope: telltaleScope(scope, topic),
    outcome_warning: outcomeWarning(decision.outcome, decision.outcome_reason, limit),
    // The history has the whole reason.
    earlier_failure: earlier && saidEarlier(earlier, limit ?? ASIDE),
    // A version that builds on the failure before it has said so already.
    failed_basis: saidBasis(
      failed_basis.filter(({ id }) => id !== earlier?.id),
      limit,
    ),
  };
}

/** What became of a version, with the whole reason: no other answer has it. */
function briefOutcome(of: ShownVersion['outcomes'][number] | undefined): Record<string, unknown> {
  if (of === undefined) return {};
  const said = of.outcome === 'failed' ? { outcome_warning: FAILED } : { outcome: of.outcome };
  return { ...said, outcome_reason: of.reason, outcome_when: dayOf(of.created_at) };
}

function briefVersion(version: ShownVersion): Record<string, unknown> {
  const { reasoning, status } = version;
  return compact({
    version: version.version,
    id: version.id,
    decision: version.text,
    status: version.mistaken ? 'undone' : status === 'superseded' ? undefined : status,
    settles: version.settles,
    ...briefOutcome(lastOutcome(version)),
    why:
      reasoning === null ? undefined : excerpt(reasoning, REASONING_SHOWN, 'decision_get of its id has all'),
    when: dayOf(version.created_at),
    by: version.author && shownBy(version),
  });
}

function briefLink({ relationship, decision }: Link): Record<string, unknown> {
  return {
    relationship,
    id: decision.id,
    topic: decision.topic,
    decision: decision.text,
    outcome_warning: decision.outcome_warning,
    is_active: decision.status === 'active' ? undefined : false,
  };
}
