import * as z from 'zod';
import { sidesOf } from '../../domain/decided-twice.ts';
import type { Decision } from '../../domain/decision.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { quotedFailure } from '../../domain/outcome.ts';
import { countCharacters, excerpt, LIMITS, REASONING_SHOWN } from '../../domain/text/text.ts';
import { anchorsOfChains, resolveAnchor } from '../../store/decisions/anchor.ts';
import { annotateOne } from '../../store/decisions/annotation.ts';
import { chainOf, mistakesAmong, writersOfChain } from '../../store/decisions/decision.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf, resolveEvidence } from '../../store/decisions/evidence.ts';
import { areAgreed, basesOf } from '../../store/decisions/fork.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { requireDecision, resolveDecision } from '../../store/decisions/reference.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx, Writer } from '../../store/tx.ts';
import { pick, withRefs } from '../brief.ts';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { decisionLine } from '../lists/named-decision.ts';
import { BACKWARD, FORWARD, type Viewed, viewShownDecision } from '../lists/shown-decision.ts';
import { defineOperation } from '../operation.ts';
import { statusOf, toDecisionBrief, toDecisionRecord, toRecordedOutcome } from '../results/decision.ts';
import { chainLinks, contextOf, type DecisionBranch, type DecisionLink } from '../results/decision-links.ts';
import { iso } from '../results/fields.ts';
import { toAnchorRecord, toEvidenceRecord } from '../results/grounds.ts';
import { briefWhole, type WholeDecision, wholeDecision } from '../results/whole-decision.ts';
import { toBy, toWriter } from '../results/writer.ts';
import { type Branch, dim, good, shortId, tree, type View } from '../view.ts';

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

/** A version in brief. Outcome and isActive are those of today. Why it failed is said with its outcomes. */
function toVersion(version: Decision) {
  const { topic: _, ...brief } = toDecisionBrief(version);
  return {
    ...brief,
    ...pick(version, 'version', 'outcome', 'branch'),
    ...(version.withdrawn && { withdrawn: true }),
    ...(version.reasoning !== null && {
      why: excerpt(version.reasoning, REASONING_SHOWN, 'decision_get of its id has all'),
    }),
    createdAt: iso(version.createdAt),
  };
}

type Chain = Awaited<ReturnType<typeof chainOf>>;

/** What a version that saw several sides ended (Y-2). */
function settledBy(version: Chain[number], chain: Chain, wrote: (id: string) => Writer) {
  const bases = basesOf(version);
  const sides = chain
    .filter(({ id }) => bases.includes(id))
    .map((each) => ({ ...each, ...pick(wrote(each.id), 'author', 'host') }));
  const gone = sidesOf(sides).filter((_, at) => sides[at]?.text !== version.text);
  return (
    !areAgreed(sides) && {
      settles: ['decided twice until then', ...gone.map((side) => `${side} was overridden`)].join('; '),
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

/** A whole decision as `show` has it, then the decisions around it. */
function viewWholeDecision(whole: WholeDecision): View {
  const { context } = whole;
  if (!context) return viewShownDecision(asShown(whole));
  const root = {
    label: [dim(`around it: ${context.total - 1}`)],
    children: context.children.map(contextBranch),
  };
  return [...viewShownDecision(asShown(whole)), tree(root)];
}

function asShown({ decision, versions, edges, evidence, outcomes, refs, ...rest }: WholeDecision): Viewed {
  const chain = new Set(versions.map(({ id }) => id));
  const isOutward = (link: DecisionLink) => !chain.has(link.decision.id);
  const named = (link: DecisionLink) => ({ ...link, decision: otherEnd(link.decision, refs) });
  // Who wrote the head says nothing of who wrote the others.
  const { author: _, via: __, ...head } = decision;
  return {
    ...rest,
    ...pick(decision, 'topic', 'decidedTwice'),
    asked: decision.version,
    versions: versions.toReversed().map((version) => ({
      // Its attributes are shown of the version at the head alone.
      ...head,
      ...version,
      ref: refs[version.id] ?? '',
      status: statusOf({ isActive: version.isActive, withdrawn: version.withdrawn === true }),
      reasoning: version.id === decision.id ? decision.reasoning : (version.why ?? null),
      outcomes: outcomes.filter((each) => each.version === version.version),
    })),
    ...(decision.earlierFailure && { earlierFailure: quotedEarlier(decision.earlierFailure) }),
    failedBasis: decision.failedBasis?.map((basis) => quotedFailure(basis)),
    evidence: evidence.map((each) => ({ ...each, ref: shortId(each.id), observation: '' })),
    // That it supersedes the version before needs no line.
    dependsOn: edges.outgoing
      .filter((link) => link.relationship !== 'supersedes' || isOutward(link))
      .map(named),
    dependents: edges.incoming.filter(isOutward).map(named),
  };
}

function otherEnd(
  { isActive, outcomeWarning, ...brief }: DecisionLink['decision'],
  refs: WholeDecision['refs'],
) {
  const outcome = outcomeWarning === undefined ? null : ('failed' as const);
  const status = isActive ? ('active' as const) : ('superseded' as const);
  return { ...brief, ref: refs[brief.id] ?? '', status, outcome };
}

function contextBranch({ relationship, direction, decision, children }: DecisionBranch): Branch {
  const verb = (direction === 'outgoing' ? FORWARD : BACKWARD)[relationship];
  const end = decisionLine(otherEnd(decision, { [decision.id]: shortId(decision.id) }));
  return { label: [good(`${verb} `), ...end], children: children.map(contextBranch) };
}
