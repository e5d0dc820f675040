import * as z from 'zod';
import { anchorsOfChains } from '../../store/decisions/anchor.ts';
import { evidenceOf } from '../../store/decisions/evidence.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { reference } from '../fields/reference.ts';
import { type MeantRecord, requireMeant } from '../lists/meant-record.ts';
import { briefsOfDecisions, decisionLine, namedDecision } from '../lists/named-decision.ts';
import { showCheckpoint, shownCheckpoint, viewShownCheckpoint } from '../lists/shown-checkpoint.ts';
import { showDecision, shownDecision, viewShownDecision } from '../lists/shown-decision.ts';
import { shownObservation, showObservation, viewShownObservation } from '../lists/shown-observation.ts';
import { memoList } from '../memos/memo-list.ts';
import { defineOperation } from '../operation.ts';
import { dayOf } from '../results/fields.ts';
import { anchorRecord, evidenceRecord, toAnchorRecord, toEvidenceRecord } from '../results/grounds.ts';
import { author, shownAuthor, toAuthor } from '../results/writer.ts';
import { dim, indented, line, strong } from '../view.ts';

export const show = defineOperation({
  name: 'show',
  family: 'decisions',
  title: 'Show any record whole',
  summary:
    'Shows a record of any kind by what it is called: a decision with the reason of each version, its outcomes, evidence, anchors, what it rests on and what rests on it; an observation, an evidence, an anchor, a memo, a checkpoint.',
  access: 'read',
  idempotent: true,
  tool: false,
  positional: ['ref'],
  cli: { examples: ['show auth:token', 'show "#1"'] },
  input: z.strictObject({
    ref: reference('Any record: an id, the beginning of one, a topic, a version of it (auth:token@2), #38'),
  }),
  output: z.object({
    kind: z.enum(['decision', 'observation', 'evidence', 'anchor', 'checkpoint', 'memo']),
    decision: shownDecision.optional(),
    observation: shownObservation.optional(),
    evidence: evidenceRecord.extend({ author: author(), decision: namedDecision }).optional(),
    anchor: anchorRecord.extend({ decision: namedDecision }).optional(),
    checkpoint: shownCheckpoint.optional(),
    memo: memoList.output.shape.memos.element.optional(),
    links: memoList.output.shape.links.optional().meta({ description: 'Of a memo: its keywords, by depth' }),
  }),
  async run(tx, { ref }) {
    const meant = await requireMeant(tx, ref);
    return { kind: meant.kind, ...(await shown(tx, meant)) };
  },
  view(result) {
    if (result.decision) return viewShownDecision(result.decision);
    if (result.observation) return viewShownObservation(result.observation);
    const { evidence, anchor, checkpoint, memo, links = [] } = result;
    if (evidence) {
      const facts = [dayOf(evidence.timestamp), evidence.author && shownAuthor(evidence.author), evidence.id];
      return [
        line(strong('evidence'), dim(`  ${facts.filter(Boolean).join(' · ')}`)),
        indented(evidence.content),
        ...(evidence.observationId === undefined
          ? []
          : [line(dim('as it stood in '), `#${evidence.observationId}`)]),
        line(dim('of '), ...decisionLine(evidence.decision)),
      ];
    }
    if (anchor)
      return [
        line(strong('anchor'), dim(`  ${dayOf(anchor.createdAt)} · ${anchor.id}`)),
        indented(anchor.hint),
        line(dim('at '), ...decisionLine(anchor.decision)),
      ];
    if (memo) return memoList.view({ memos: [memo], links, total: links.length });
    return checkpoint ? viewShownCheckpoint(checkpoint) : [];
  },
});

async function shown(tx: Tx, meant: MeantRecord) {
  switch (meant.kind) {
    case 'decision':
      return { decision: await showDecision(tx, meant.decision) };
    case 'observation':
      return { observation: await showObservation(tx, meant.id) };
    case 'evidence': {
      const { evidence } = meant;
      const found = (await evidenceOf(tx, [evidence.decisionRef])).find(({ id }) => id === evidence.id);
      const [decision] = await briefsOfDecisions(tx, [await requireDecision(tx, evidence.decisionRef)]);
      return {
        evidence: {
          ...toEvidenceRecord(evidence),
          ...(found && toAuthor(found)),
          decision: decision as z.input<typeof namedDecision>,
        },
      };
    }
    case 'anchor': {
      const at = await versionAt(tx, meant.anchor.targetRef);
      const placed = (await anchorsOfChains(tx, [at.rootId])).find(({ id }) => id === meant.anchor.id);
      const [decision] = await briefsOfDecisions(tx, [at]);
      return {
        anchor: {
          ...toAnchorRecord(placed as NonNullable<typeof placed>),
          decision: decision as z.input<typeof namedDecision>,
        },
      };
    }
    case 'memo': {
      const { memos, links } = await memoList.run(tx, { infoId: meant.id, view: 'memos', limit: 1 });
      return { memo: memos[0], links };
    }
    case 'checkpoint':
      return { checkpoint: showCheckpoint(meant.checkpoint) };
  }
}

/** The version that an anchor's target is, or belongs to. */
async function versionAt(tx: Tx, targetRef: string) {
  const meant = await requireMeant(tx, targetRef, ['decision', 'evidence']);
  return meant.kind === 'decision' ? meant.decision : requireDecision(tx, meant.evidence.decisionRef);
}
