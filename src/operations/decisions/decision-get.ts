import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { countCharacters, excerpt, LIMITS } from '../../domain/text/text.ts';
import { anchorsOfChains, resolveAnchor } from '../../store/decisions/anchor.ts';
import { annotateOne } from '../../store/decisions/annotation.ts';
import { chainOf, writersOfChain } from '../../store/decisions/decision.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf, resolveEvidence } from '../../store/decisions/evidence.ts';
import { outcomesOf } from '../../store/decisions/outcome.ts';
import { requireDecision, resolveDecision } from '../../store/decisions/reference.ts';
import type { Tx, Writer } from '../../store/tx.ts';
import { wholeNumber } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { toDecisionRecord } from '../results/decision.ts';
import { chainLinks, contextOf } from '../results/decision-links.ts';
import { toDecisionVersion } from '../results/decision-version.ts';
import { iso } from '../results/fields.ts';
import { toAnchorRecord, toEvidenceRecord } from '../results/grounds.ts';
import { wholeDecision } from '../results/whole-decision.ts';
import { viewWholeDecision } from '../results/whole-decision-view.ts';
import { toAuthor, toWriter } from '../results/writer.ts';

export const decisionGet = defineOperation({
  name: 'decision_get',
  family: 'decisions',
  title: 'Read one decision whole',
  summary:
    'Read one decision whole: why it was made, every version, what it builds on and what builds on it, evidence, anchors, outcomes.',
  access: 'read',
  idempotent: true,
  searchHint: 'why did we choose this, history of a decision',
  positional: ['id'],
  cli: {
    title: 'Read one decision whole',
    about: 'Shows a decision with its reason, every version, its outcomes, evidence, and what builds on it.',
    examples: ['decision get db:engine', 'decision get auth:token --depth 2'],
  },
  input: z.strictObject({
    id: decisionId(),
    evidenceCharacters: wholeNumber(
      0,
      LIMITS.evidence,
      'Characters shown of each evidence; the text says how many are left out',
    ).default(2_000),
    depth: wholeNumber(1, 5, 'Also the decisions around it, this many links away').optional(),
  }),
  output: wholeDecision,
  async run(tx, { id, evidenceCharacters, depth }) {
    const decision = await requireOriginal(tx, id);
    const chain = await chainOf(tx, decision.rootId);
    const versionOf = new Map(chain.map((version) => [version.id, version.version]));
    const ids = chain.map((version) => version.id);
    const at = (decisionRef: string) => versionOf.get(decisionRef) as number;
    const writers = await writersOfChain(tx, decision.rootId);
    const wrote = (id: string) => writers.get(id) as Writer;
    const evidence = await evidenceOf(tx, ids);
    const anchors = await anchorsOfChains(tx, [decision.rootId]);
    const outcomes = await outcomesOf(tx, ids);
    return {
      decision: {
        ...toDecisionRecord(decision, await annotateOne(tx, decision)),
        ...toWriter(wrote(decision.id)),
      },
      versions: chain.map((version) => ({ ...toDecisionVersion(version), ...toAuthor(wrote(version.id)) })),
      edges: {
        outgoing: await chainLinks(tx, await edgesFrom(tx, ids), 'toId', decision, versionOf),
        incoming: await chainLinks(tx, await edgesTo(tx, ids), 'fromId', decision, versionOf),
      },
      evidence: evidence.map((item) => ({
        ...toEvidenceRecord(item),
        content: excerpt(item.content, evidenceCharacters, 'raise evidenceCharacters'),
        version: at(item.decisionRef),
        length: countCharacters(item.content),
        ...toWriter(item),
      })),
      anchors: anchors.map(toAnchorRecord),
      outcomes: outcomes.map((entry) => ({
        version: at(entry.decisionId),
        outcome: entry.outcome,
        reason: entry.reason,
        createdAt: iso(entry.createdAt),
        ...toAuthor(entry),
      })),
      ...(depth !== undefined && { context: await contextOf(tx, decision, depth) }),
    };
  },
  view: viewWholeDecision,
});

/** The decision that is meant, or the one that an evidence or an anchor leads to (D-17). */
async function requireOriginal(tx: Tx, reference: string): Promise<Decision> {
  const decision = await resolveDecision(tx, reference);
  if (decision) return decision;
  const anchor = await resolveAnchor(tx, reference);
  const evidence = await resolveEvidence(tx, anchor?.targetRef ?? reference);
  return requireDecision(tx, evidence?.decisionRef ?? anchor?.targetRef ?? reference);
}
