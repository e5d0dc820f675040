import * as z from 'zod';
import type { Version } from '../../domain/chain.ts';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { countCharacters, excerpt, LIMITS, REASONING_SHOWN } from '../../domain/text/text.ts';
import { anchorsOfChains, resolveAnchor } from '../../store/decisions/anchor.ts';
import { annotateOne } from '../../store/decisions/annotation.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf, resolveEvidence } from '../../store/decisions/evidence.ts';
import { loadChain } from '../../store/decisions/loaded.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { requireDecision, resolveDecision } from '../../store/decisions/reference.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { asOf, wholeNumber } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { charactersOf, tokenBudget } from '../fitted.ts';
import { defineOperation } from '../operation.ts';
import { toDecisionBrief, toDecisionRecord, toRecordedOutcome } from '../results/decision.ts';
import { chainLinks, contextOf, type DecisionBranch } from '../results/decision-links.ts';
import { iso } from '../results/fields.ts';
import { toForked } from '../results/forked.ts';
import { toAnchorRecord, toEvidenceRecord, toHints } from '../results/grounds.ts';
import { fittedWhole, wholeDecision } from '../results/whole-decision.ts';
import { toBy, toWriter } from '../results/writer.ts';

/** Characters that are shown of each evidence where a call says nothing of it. */
const EVIDENCE = 2_000;

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
    evidenceCharacters: wholeNumber(0, LIMITS.evidence, 'Characters shown of each evidence')
      .optional()
      .meta({ description: `Characters shown of each evidence; default ${EVIDENCE}`, model: false }),
    tokenBudget: tokenBudget(),
    depth: wholeNumber(1, 5, 'Also the decisions around it, this many links away').optional(),
    asOf: asOf(),
  }),
  output: wholeDecision,
  async run(tx, { id, tokenBudget, evidenceCharacters, depth }) {
    const shown = evidenceCharacters ?? (tokenBudget === undefined ? EVIDENCE : charactersOf(tokenBudget));
    const decision = await requireOriginal(tx, id);
    const [chain, anchors] = await together(
      loadChain(tx, decision.rootId, 'all'),
      anchorsOfChains(tx, [decision.rootId]),
    );
    const { versions } = chain;
    const versionOf = new Map(versions.map((version) => [version.id, version.version]));
    const ids = idsOf(versions);
    const at = (decisionRef: string) => versionOf.get(decisionRef) as number;
    const [annotation, evidence, outcomes, outgoing, incoming] = await together(
      annotateOne(tx, decision, { chain }),
      evidenceOf(tx, ids),
      outcomesOf(tx, ids),
      edgesFrom(tx, ids).then((edges) => chainLinks(tx, edges, 'toId', decision, versionOf)),
      edgesTo(tx, ids).then((edges) => chainLinks(tx, edges, 'fromId', decision, versionOf)),
    );
    const context = depth === undefined ? undefined : await contextOf(tx, decision, depth);
    const around = context ? context.children.flatMap(idsIn) : [];
    const linked = [...outgoing, ...incoming].map((link) => link.decision.id);
    const named = [...new Set([...ids, ...linked, ...around])];
    const refOf = await shortIds(tx, 'decisions', named);
    return {
      decision: {
        ...toDecisionRecord(decision, annotation),
        ...toWriter(annotation.tidied?.decided ?? (versions[decision.version - 1] as Version)),
      },
      versions: versions.map((version) => ({
        ...toVersion(version),
        ...(version.isMistake && { mistaken: true }),
        ...toForked(version, chain),
        ...toBy(version),
      })),
      edges: { outgoing, incoming },
      evidence: evidence.map((item) => ({
        ...toEvidenceRecord(item),
        content: excerpt(item.content, shown, 'raise tokenBudget'),
        version: at(item.decisionRef),
        length: countCharacters(item.content),
        ...toWriter(item),
      })),
      anchors: anchors.map(toAnchorRecord),
      ...toHints(anchors),
      outcomes: outcomes.map((entry) => ({ version: at(entry.decisionId), ...toRecordedOutcome(entry) })),
      ...(context && { context }),
      ...(tokenBudget !== undefined && { tokenBudget }),
      refs: Object.fromEntries(named.map((each) => [each, refOf(each)])),
    };
  },
  toModel: fittedWhole,
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

/** The decision that is meant, or the one that an evidence or an anchor leads to (D-17). */
async function requireOriginal(tx: Tx, reference: string): Promise<Decision> {
  const decision = await resolveDecision(tx, reference);
  if (decision) return decision;
  const anchor = await resolveAnchor(tx, reference);
  const evidence = await resolveEvidence(tx, anchor?.targetRef ?? reference);
  return requireDecision(tx, evidence?.decisionRef ?? anchor?.targetRef ?? reference);
}
