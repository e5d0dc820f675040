import * as z from 'zod';
import { sidesOf } from '../../domain/decided-twice.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Relationship } from '../../domain/edge.ts';
import { quotedGround, shownReason } from '../../domain/outcome.ts';
import { countCharacters, excerpt, LIMITS } from '../../domain/text/text.ts';
import { anchorsOfChains, resolveAnchor } from '../../store/decisions/anchor.ts';
import { annotateOne } from '../../store/decisions/annotation.ts';
import { chainOf, mistakesAmong, writersOfChain } from '../../store/decisions/decision.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf, resolveEvidence } from '../../store/decisions/evidence.ts';
import { basesOf } from '../../store/decisions/fork.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { requireDecision, resolveDecision } from '../../store/decisions/reference.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx, Writer } from '../../store/tx.ts';
import { pick, withRefs } from '../brief.ts';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import {
  shownAttributes,
  toDecisionBrief,
  toDecisionRecord,
  toRecordedOutcome,
} from '../results/decision.ts';
import { chainLinks, contextOf, type DecisionBranch, type DecisionLink } from '../results/decision-links.ts';
import { whyOf } from '../results/details.ts';
import { iso } from '../results/fields.ts';
import { toAnchorRecord, toEvidenceRecord } from '../results/grounds.ts';
import { briefWhole, type WholeDecision, wholeDecision } from '../results/whole-decision.ts';
import { shownBy, toBy, toWriter } from '../results/writer.ts';
import {
  type Branch,
  bad,
  date,
  dim,
  firstLine,
  good,
  indented,
  line,
  type Span,
  shortId,
  strong,
  tree,
  type View,
  warn,
} from '../view.ts';

export const decisionGet = defineOperation({
  name: 'decision_get',
  family: 'decisions',
  title: 'Read one decision whole',
  summary:
    'Read one decision whole: why it was made, every version, what it builds on and what builds on it, evidence, anchors, outcomes.',
  access: 'read',
  searchHint: 'why did we choose this, history of a decision',
  positional: ['id'],
  input: z.strictObject({
    id: decisionId(),
    evidenceCharacters: wholeNumber(0, LIMITS.evidence, 'Characters shown of each evidence').default(2_000),
    depth: wholeNumber(1, 5, 'Also the decisions around it, this many links away').optional(),
    asOf: asOf(),
  }),
  output: wholeDecision,
  async run(tx, { id, evidenceCharacters, depth }) {
    const decision = await requireOriginal(tx, id);
    const [chain, writers, anchors, annotation] = await together(
      chainOf(tx, decision.rootId),
      writersOfChain(tx, decision.rootId),
      anchorsOfChains(tx, [decision.rootId]),
      annotateOne(tx, decision),
    );
    const versionOf = new Map(chain.map((version) => [version.id, version.version]));
    const ids = chain.map((version) => version.id);
    const at = (decisionRef: string) => versionOf.get(decisionRef) as number;
    const wrote = (id: string) => writers.get(id) as Writer;
    const [evidence, outcomes, mistakes, outgoing, incoming] = await together(
      evidenceOf(tx, ids),
      outcomesOf(tx, ids),
      mistakesAmong(tx, ids),
      edgesFrom(tx, ids).then((edges) => chainLinks(tx, edges, 'toId', decision, versionOf)),
      edgesTo(tx, ids).then((edges) => chainLinks(tx, edges, 'fromId', decision, versionOf)),
    );
    const context = depth === undefined ? undefined : await contextOf(tx, decision, depth);
    const around = context ? context.children.flatMap(idsIn) : [];
    const linked = [...outgoing, ...incoming].map((link) => link.decision.id);
    const named = [...new Set([...ids, ...linked, ...around])];
    const refOf = await shortIds(tx, 'decisions', named);
    return {
      decision: { ...toDecisionRecord(decision, annotation), ...toWriter(wrote(decision.id)) },
      versions: chain.map((version) => ({
        ...toVersion(version),
        ...(mistakes.has(version.id) && { mistaken: true }),
        ...(annotation.sides.includes(version.id) && { isSide: true }),
        ...(!mistakes.has(version.id) && settledBy(version, chain, wrote)),
        ...toBy(wrote(version.id)),
      })),
      edges: { outgoing, incoming },
      evidence: evidence.map((item) => ({
        ...toEvidenceRecord(item),
        content: excerpt(item.content, evidenceCharacters, 'raise evidenceCharacters'),
        version: at(item.decisionRef),
        length: countCharacters(item.content),
        ...toWriter(item),
      })),
      anchors: anchors.map(toAnchorRecord),
      outcomes: outcomes.map((entry) => ({ version: at(entry.decisionId), ...toRecordedOutcome(entry) })),
      ...(context && { context }),
      refs: Object.fromEntries(named.map((each) => [each, refOf(each)])),
    };
  },
  toModel: (whole) => withRefs(briefWhole(whole), whole.refs),
  view: viewWholeDecision,
});

const idsIn = ({ decision, children }: DecisionBranch): string[] => [decision.id, ...children.flatMap(idsIn)];

/** A version in brief. Outcome and isActive are those of today. */
function toVersion(version: Decision) {
  const why = whyOf(version);
  const { topic: _, ...brief } = toDecisionBrief(version);
  return {
    ...brief,
    ...pick(version, 'version', 'outcome', 'branch'),
    ...(version.withdrawn && { withdrawn: true }),
    ...(why && { why }),
    createdAt: iso(version.createdAt),
  };
}

/** What a version that saw several sides ended (Y-2). */
function settledBy(version: Chain[number], chain: Chain, wrote: (id: string) => Writer) {
  const bases = basesOf(version);
  const sides = chain
    .filter(({ id }) => bases.includes(id))
    .map((each) => ({ ...each, ...pick(wrote(each.id), 'author', 'host') }));
  const gone = sidesOf(sides).filter((_, at) => sides[at]?.text !== version.text);
  return (
    bases.length > 1 && {
      settles: ['decided twice until then', ...gone.map((side) => `${side} gave way`)].join('; '),
    }
  );
}

/** The decision that is meant, or the one that an evidence or an anchor leads to (D-17). */
async function requireOriginal(tx: Tx, reference: string): Promise<Decision> {
  const decision = await resolveDecision(tx, reference);
  if (decision) return decision;
  const anchor = await resolveAnchor(tx, reference);
  const evidence = await resolveEvidence(tx, anchor?.targetRef ?? reference);
  return requireDecision(tx, evidence?.decisionRef ?? anchor?.targetRef ?? reference);
}

type Version = WholeDecision['versions'][number];
type Chain = Awaited<ReturnType<typeof chainOf>>;

/** A whole decision as a person sees it: its chain as a tree, the newest version first, then the decisions around it. */
function viewWholeDecision(result: WholeDecision): View {
  const { decision, versions, context } = result;
  const shown = versions.find(({ version }) => version === decision.version) ?? decision;
  const of = `v${decision.version} of ${versions.length}`;
  return [
    ...(decision.decidedTwice ? [line(warn(`! decided twice: ${decision.decidedTwice}`))] : []),
    line(
      strong(decision.topic ?? '(no topic)'),
      '  ',
      ...state(shown),
      dim(`  ${of} · ${shownAttributes(decision)}`),
    ),
    indented(decision.text),
    ...(decision.reasoning ? [indented(dim('why: '), decision.reasoning)] : []),
    ...(decision.failedBasis ?? []).map((basis) =>
      indented(warn(`! builds on a failed decision: ${quotedGround(basis)}`)),
    ),
    tree({
      label: [dim(`chain ${shortId(decision.rootId)}`)],
      children: versions.toReversed().map((version) => versionBranch(result, version)),
    }),
    ...(context
      ? [
          tree({
            label: [dim(`around it: ${context.total - 1}`)],
            children: context.children.map(contextBranch),
          }),
        ]
      : []),
  ];
}

/** A version with its outcomes, links, evidence and anchors. */
function versionBranch(result: WholeDecision, version: Version): Branch {
  const own = <T extends { version: number }>(items: T[]) =>
    items.filter((item) => item.version === version.version);
  return {
    label: [
      strong(`v${version.version}`),
      ' ',
      version.text,
      ' ',
      ...state(version),
      dim('  '),
      date(version.createdAt),
      dim(writtenBy(version)),
    ],
    children: [
      // Of the version at the head the whole reason is there.
      ...(version.why && !version.outcomeWarning && version.version !== result.decision.version
        ? [leaf(dim('why: '), version.why)]
        : []),
      ...(version.settles ? [leaf(dim(version.settles))] : []),
      ...outcomeLeaves(version, own(result.outcomes)),
      ...linkLeaves(result, version),
      ...own(result.evidence).map((item) =>
        leaf('evidence ', firstLine(item.content), dim(`  ${shortId(item.id)}`)),
      ),
      ...own(result.anchors).map((item) => leaf('anchor ', item.hint, dim(`  ${shortId(item.id)}`))),
    ],
  };
}

/** Who wrote a version, and its id. */
function writtenBy(version: Version): string {
  return ['', shownBy(version), shortId(version.id)].filter((part) => part !== undefined).join(' · ');
}

type State = Partial<Pick<Version, 'withdrawn' | 'mistaken' | 'isSide'>> &
  Pick<Version, 'isActive' | 'outcome'>;

function state({ isActive, withdrawn, mistaken, isSide, outcome }: State): Span[] {
  if (mistaken) return [warn('undone')];
  if (!isActive && isSide) return [warn('decided twice')];
  const current = isActive ? good('active') : withdrawn ? warn('withdrawn') : dim('superseded');
  return [current, outcome === 'failed' ? bad(', failed') : ''];
}

/** The outcomes of a version with their whole reasons, the one that counts first. */
function outcomeLeaves({ outcomeWarning }: Version, outcomes: WholeDecision['outcomes']): Branch[] {
  const counts = outcomes.findLast(({ retracted }) => !retracted);
  return outcomes.toReversed().map((each) => {
    const back = each.retracted ? ' (undone)' : '';
    const said = `outcome: ${each.outcome}${back} — ${shownReason(each.reason)}`;
    return leaf(
      outcomeWarning && each === counts ? bad(`⚠️ ${said}`) : dim(said),
      dim('  '),
      date(each.createdAt),
    );
  });
}

/** The links of a version; that it supersedes the version before needs no line. */
function linkLeaves({ edges, versions }: WholeDecision, { version }: Version): Branch[] {
  const chain = new Set(versions.map(({ id }) => id));
  const outgoing = edges.outgoing.filter(
    (link) => link.relationship !== 'supersedes' || !chain.has(link.decision.id),
  );
  const incoming = edges.incoming.filter((link) => !chain.has(link.decision.id));
  const isOwn = (link: DecisionLink) => link.version === version;
  return [
    ...outgoing.filter(isOwn).map((link) => leaf(`${link.relationship} `, ...otherEnd(link))),
    ...incoming.filter(isOwn).map((link) => leaf(`${INCOMING[link.relationship]} `, ...otherEnd(link))),
  ];
}

function contextBranch({ relationship, direction, decision, children }: DecisionBranch): Branch {
  const verb = direction === 'outgoing' ? relationship : INCOMING[relationship];
  return { label: [good(`${verb} `), ...otherEnd({ decision })], children: children.map(contextBranch) };
}

/** How a link reads from the decision at which it ends. */
const INCOMING: Record<Relationship, string> = {
  supersedes: 'superseded by',
  builds_on: 'is built on by',
  debates: 'is debated by',
  synthesizes: 'is synthesized by',
};

function otherEnd({ decision }: Pick<DecisionLink, 'decision'>): Span[] {
  return [
    strong(decision.topic ?? '(no topic)'),
    ` ${decision.text}`,
    ...(decision.outcomeWarning ? [' ', bad(decision.outcomeWarning)] : []),
    dim(`  ${shortId(decision.id)}`),
  ];
}

function leaf(...label: Span[]): Branch {
  return { label, children: [] };
}
