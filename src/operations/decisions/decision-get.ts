import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import type { Relationship } from '../../domain/edge.ts';
import { OUTCOMES, outcomeWarning } from '../../domain/outcome.ts';
import { countCharacters, excerpt, LIMITS } from '../../domain/text.ts';
import { anchorsOfChains } from '../../store/decisions/anchor.ts';
import { annotateOne } from '../../store/decisions/annotation.ts';
import { authorsOf, chainOf, requireDecision } from '../../store/decisions/decision.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf } from '../../store/decisions/evidence.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { date, decisionId, iso, wholeNumber } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import {
  anchorRecord,
  decisionRecord,
  evidenceRecord,
  toDecisionRecord,
  toEvidenceRecord,
} from '../results/decision.ts';
import {
  type ContextBranch,
  contextOf,
  type DecisionLink,
  decisionContext,
  decisionLink,
  linksOf,
} from '../results/decision-links.ts';
import {
  type Branch,
  bad,
  dim,
  good,
  indented,
  line,
  type Span,
  strong,
  tree,
  type View,
  warn,
} from '../view.ts';

const author = { session: z.string(), client: z.string() };

const output = z.object({
  decision: decisionRecord.extend(author),
  versions: z
    .array(
      z.object({
        version: z.int(),
        id: z.string(),
        text: z.string(),
        isActive: z.boolean(),
        withdrawn: z.boolean().optional(),
        outcome: z.enum(OUTCOMES).nullable(),
        outcomeWarning: z.string().optional(),
        createdAt: date(),
      }),
    )
    .meta({ description: 'The whole chain, oldest first' }),
  edges: z.object({ outgoing: z.array(decisionLink), incoming: z.array(decisionLink) }),
  evidence: z.array(evidenceRecord.extend({ version: z.int(), length: z.int(), ...author })),
  anchors: z.array(anchorRecord.extend({ version: z.int() })),
  outcomes: z.array(
    z.object({
      version: z.int(),
      outcome: z.enum(OUTCOMES),
      reason: z.string().nullable(),
      createdAt: date(),
    }),
  ),
  context: decisionContext.optional(),
});

export const decisionGet = defineOperation({
  name: 'decision_get',
  family: 'decisions',
  title: 'Read one decision whole',
  summary:
    'Everything about one decision: the whole chain of versions, what it builds on and what builds on it, its evidence, anchors and outcomes.',
  access: 'read',
  idempotent: true,
  positional: ['id'],
  input: z.strictObject({
    id: decisionId(),
    evidenceCharacters: wholeNumber(
      0,
      LIMITS.evidence,
      'How much of each evidence to show; what is left out is said',
    ).default(2_000),
    depth: wholeNumber(1, 5, 'Also the decisions around it, this many links away').optional(),
  }),
  output,
  async run(tx, { id, evidenceCharacters, depth }) {
    const decision = await requireDecision(tx, id);
    const chain = await chainOf(tx, decision.rootId);
    const versionOf = new Map(chain.map((version) => [version.id, version.version]));
    const ids = chain.map((version) => version.id);
    const at = (decisionRef: string) => versionOf.get(decisionRef) as number;
    const author = (await authorsOf(tx, [decision.id])).get(decision.id);
    const evidence = await evidenceOf(tx, ids);
    const anchors = await anchorsOfChains(tx, [decision.rootId]);
    const outcomes = await outcomesOf(tx, ids);
    return {
      decision: {
        ...toDecisionRecord(decision, await annotateOne(tx, decision)),
        session: author?.session ?? '',
        client: author?.client ?? '',
      },
      versions: chain.map(toVersion),
      edges: {
        outgoing: await linksOf(tx, await edgesFrom(tx, ids), 'toId', decision, versionOf),
        incoming: await linksOf(tx, await edgesTo(tx, ids), 'fromId', decision, versionOf),
      },
      evidence: evidence.map((item) => ({
        ...toEvidenceRecord(item),
        content: excerpt(item.content, evidenceCharacters, 'raise evidenceCharacters'),
        version: at(item.decisionRef),
        length: countCharacters(item.content),
        session: item.session,
        client: item.client,
      })),
      anchors: anchors.map((anchor) => ({
        id: anchor.id,
        hint: anchor.hint,
        targetRef: anchor.targetRef,
        type: anchor.type,
        createdAt: iso(anchor.createdAt),
        version: at(anchor.decisionId),
      })),
      outcomes: outcomes.map((entry) => ({
        version: at(entry.decisionId),
        outcome: entry.outcome,
        reason: entry.reason,
        createdAt: iso(entry.createdAt),
      })),
      ...(depth !== undefined && { context: await contextOf(tx, decision, depth) }),
    };
  },
  view,
});

function toVersion(version: Decision) {
  const warning = outcomeWarning(version.outcome, version.outcomeReason);
  return {
    version: version.version,
    id: version.id,
    text: version.text,
    isActive: version.isActive,
    ...(version.withdrawn && { withdrawn: true }),
    outcome: version.outcome,
    ...(warning && { outcomeWarning: warning }),
    createdAt: iso(version.createdAt),
  };
}

type Result = z.output<typeof output>;

/** The chain as a tree, newest version first, each with its links, evidence, anchors and outcomes. */
function view(result: Result): View {
  const { decision } = result;
  return [
    line(
      strong(decision.topic ?? '(no topic)'),
      dim(
        `  v${decision.version} of ${result.versions.length} · ${decision.strength} · ${decision.scope} · confidence ${decision.confidence}`,
      ),
    ),
    ...(decision.reasoning ? [indented(decision.reasoning)] : []),
    ...(decision.failedBasis ?? []).map((basis) =>
      indented(
        warn(
          `! builds on a failed decision: ${basis.decision} (${basis.outcomeReason ?? 'no reason was given'})`,
        ),
      ),
    ),
    tree({
      label: [dim(`chain ${decision.rootId}`)],
      children: [...result.versions].reverse().map((version) => versionBranch(result, version)),
    }),
    ...(result.context
      ? [
          tree({
            label: [dim(`around it: ${result.context.total - 1}`)],
            children: result.context.children.map(drawn),
          }),
        ]
      : []),
  ];
}

const VERB: Record<Relationship, string> = {
  supersedes: 'superseded by',
  builds_on: 'is built on by',
  debates: 'is debated by',
  synthesizes: 'is synthesized by',
};

function versionBranch(result: Result, version: Result['versions'][number]): Branch {
  const here = <T extends { version: number }>(items: T[]) =>
    items.filter((item) => item.version === version.version);
  const leaf = (...label: Span[]): Branch => ({ label, children: [] });
  const failed = version.outcome === 'failed' ? bad(', failed') : '';
  const state = version.isActive ? good('stands') : version.withdrawn ? warn('withdrawn') : dim('superseded');
  const chainIds = new Set(result.versions.map((each) => each.id));
  const worthALine = (item: DecisionLink) =>
    item.relationship !== 'supersedes' || !chainIds.has(item.decision.id);
  return {
    label: [strong(`v${version.version}`), ' ', version.text, ' ', state, failed, dim(`  ${version.id}`)],
    children: [
      ...(version.outcomeWarning ? [leaf(bad(version.outcomeWarning))] : []),
      // The newest outcome is the warning above when it is a failure.
      ...here(result.outcomes)
        .slice(0, version.outcomeWarning ? -1 : undefined)
        .map((entry) => leaf(dim(`outcome: ${entry.outcome} — ${entry.reason ?? 'no reason was given'}`))),
      ...here(result.edges.outgoing)
        .filter(worthALine)
        .map((item) => leaf(`${item.relationship} `, ...otherEnd(item))),
      ...here(result.edges.incoming)
        .filter((item) => !chainIds.has(item.decision.id))
        .map((item) => leaf(`${VERB[item.relationship]} `, ...otherEnd(item))),
      ...here(result.evidence).map((item) => leaf('evidence ', firstLine(item.content), dim(`  ${item.id}`))),
      ...here(result.anchors).map((item) => leaf('anchor ', item.hint, dim(`  ${item.id}`))),
    ],
  };
}

function drawn({ relationship, direction, decision, children }: ContextBranch): Branch {
  const verb = direction === 'outgoing' ? relationship : VERB[relationship];
  return { label: [good(`${verb} `), ...otherEnd({ decision })], children: children.map(drawn) };
}

function otherEnd({ decision }: Pick<DecisionLink, 'decision'>): Span[] {
  return [
    strong(decision.topic ?? '(no topic)'),
    ` ${decision.text}`,
    ...(decision.outcomeWarning ? [' ', bad(decision.outcomeWarning)] : []),
    dim(`  ${decision.id}`),
  ];
}

function firstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.length > 0 ? `${first} …` : first;
}
