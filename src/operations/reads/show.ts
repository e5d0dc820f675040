import * as z from 'zod';
import { anchorText } from '../../domain/anchor.ts';
import { FOUND_KINDS } from '../../domain/kinds.ts';
import { placed } from '../../store/decisions/anchor.ts';
import { resolveCheckpoint } from '../../store/decisions/checkpoint.ts';
import { evidenceOf } from '../../store/decisions/evidence.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { isRetracted } from '../../store/record.ts';
import type { Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import { writerOf } from '../../store/writer.ts';
import { pick } from '../brief.ts';
import { asOf, reference, wholeNumber } from '../fields/basic.ts';
import { type MeantRecord, requireMeant } from '../lists/meant-record.ts';
import { briefsOfDecisions, decisionLine, namedDecision } from '../lists/named-decision.ts';
import { showDecision, shownDecision, viewShownDecision } from '../lists/shown-decision.ts';
import { shownObservation, showObservation, viewShownObservation } from '../lists/shown-observation.ts';
import { signature } from '../lists/version-line.ts';
import { memoList } from '../memos/memo-list.ts';
import { defineOperation } from '../operation.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { anchorRecord, evidenceRecord, toAnchorRecord, toEvidenceRecord } from '../results/grounds.ts';
import { by, shownBy, toBy } from '../results/writer.ts';
import { type Block, dim, indented, line, type Span, strong, type View, warn } from '../view.ts';

/** Of what lists and searches hide (K-6). */
const mistaken = () => ({
  mistaken: z.boolean().optional().describe('It was saved by mistake, and undone'),
});
const mistakenWhen = async (tx: Tx, table: Table, id: string) =>
  (await isRetracted(tx, table, id)) ? { mistaken: true } : {};
const markOfMistake = (is: boolean | undefined) => (is ? [warn('  undone')] : []);

/** A checkpoint as a person reads it whole (U-2). */
const shownCheckpoint = z.object({
  id: z.string(),
  summary: z.string(),
  nextSteps: z.string().nullable(),
  openFiles: z.array(z.string()),
  createdAt: resultDate(),
  ...by(),
  ...mistaken(),
});

export const show = defineOperation({
  name: 'show',
  family: 'decisions',
  title: 'Show any record whole',
  summary:
    'Shows a record of any kind by its name: a decision with the reason of each version, its outcomes, evidence, anchors, what it builds on and what builds on it; a note, an evidence, an anchor, a memo, a checkpoint.',
  access: 'read',
  tool: false,
  positional: ['ref'],
  input: z.strictObject({
    ref: reference('Any record: an id, the beginning of one, a topic, a version of it (auth:token@2), #38'),
    depth: wholeNumber(1, 5, 'Of a decision: those around it, too, this many links away').optional(),
    asOf: asOf(),
  }),
  output: z.object({
    kind: z.enum([...FOUND_KINDS, 'evidence', 'anchor']),
    decision: shownDecision.optional(),
    observation: shownObservation.optional(),
    evidence: evidenceRecord.extend({ ...mistaken(), ...by(), decision: namedDecision }).optional(),
    anchor: anchorRecord.extend({ ...mistaken(), ...by(), decision: namedDecision }).optional(),
    checkpoint: shownCheckpoint.optional(),
    memo: memoList.output.shape.memos.element.extend({ ...by() }).optional(),
    links: memoList.output.shape.links.optional().describe('Of a memo: its keywords, by depth'),
  }),
  async run(tx, { ref, depth }) {
    const meant = await requireMeant(tx, ref);
    return { kind: meant.kind, ...(await shown(tx, meant, depth)) };
  },
  view(result) {
    if (result.decision) return viewShownDecision(result.decision);
    if (result.observation) return viewShownObservation(result.observation);
    const { evidence, anchor, checkpoint, memo, links = [] } = result;
    if (evidence) {
      return [
        headOf('evidence', evidence.timestamp, evidence, evidence.id, markOfMistake(evidence.mistaken)),
        indented(evidence.content),
        ...(evidence.observationId === undefined
          ? []
          : [line(dim('as it was in '), `#${evidence.observationId}`)]),
        line(dim('of '), ...decisionLine(evidence.decision)),
      ];
    }
    if (anchor)
      return [
        headOf('anchor', anchor.createdAt, anchor, anchor.id, markOfMistake(anchor.mistaken)),
        indented(anchorText(anchor.hint)),
        line(dim('at '), ...decisionLine(anchor.decision)),
      ];
    if (memo)
      return [
        headOf('memo', memo.createdAt, memo),
        ...(memoList.view?.({ memos: [memo], links, total: links.length }) ?? []),
      ];
    return checkpoint ? viewCheckpoint(checkpoint) : [];
  },
});

/** What a record is, when it was written and by whom. @param last what comes after that */
function headOf(
  kind: string,
  at: string,
  written: Parameters<typeof shownBy>[0],
  id?: string,
  last: Span[] = [],
): Block {
  const facts = [dayOf(at), shownBy(written), id];
  return line(strong(kind), dim(`  ${facts.filter(Boolean).join(' · ')}`), ...last);
}

function viewCheckpoint(shown: z.infer<typeof shownCheckpoint>): View {
  return [
    ...(shown.mistaken ? [line(warn('undone'))] : []),
    line(strong('checkpoint'), `  ${signature(shown)} · ${shown.id}`),
    indented(shown.summary),
    ...(shown.nextSteps ? [line(strong('next')), indented(shown.nextSteps)] : []),
    ...(shown.openFiles.length > 0 ? [line(strong('open files'))] : []),
    ...shown.openFiles.map((file) => indented(file)),
  ];
}

async function shown(tx: Tx, meant: MeantRecord, depth: number | undefined) {
  switch (meant.kind) {
    case 'decision':
      return { decision: await showDecision(tx, meant.decision, depth) };
    case 'observation':
      return { observation: await showObservation(tx, meant.id) };
    case 'evidence': {
      const { evidence } = meant;
      const found = (await evidenceOf(tx, [evidence.decisionRef])).find(({ id }) => id === evidence.id);
      const [decision] = await briefsOfDecisions(tx, [await requireDecision(tx, evidence.decisionRef)]);
      return {
        evidence: {
          ...toEvidenceRecord(evidence),
          ...(await mistakenWhen(tx, 'evidence', evidence.id)),
          ...(found && toBy(found)),
          decision: decision as z.input<typeof namedDecision>,
        },
      };
    }
    case 'anchor': {
      const at = await versionAt(tx, meant.anchor.targetRef);
      const [decision] = await briefsOfDecisions(tx, [at]);
      return {
        anchor: {
          ...toAnchorRecord(placed(meant.anchor, at)),
          ...(await mistakenWhen(tx, 'anchors', meant.anchor.id)),
          ...toBy(await writerOf(tx, 'anchors', meant.anchor.id)),
          decision: decision as z.input<typeof namedDecision>,
        },
      };
    }
    case 'memo': {
      const { memos, links } = await memoList.run(tx, { infoId: meant.id, view: 'memos', limit: 1 });
      const [memo] = memos;
      return { memo: memo && { ...memo, ...toBy(await writerOf(tx, 'memos', meant.id)) }, links };
    }
    case 'checkpoint': {
      const checkpoint = await resolveCheckpoint(tx, meant.id);
      if (!checkpoint) return {};
      return {
        checkpoint: {
          ...pick(checkpoint, 'id', 'summary', 'nextSteps', 'openFiles'),
          createdAt: iso(checkpoint.createdAt),
          ...toBy(checkpoint),
          ...(await mistakenWhen(tx, 'checkpoints', meant.id)),
        },
      };
    }
    default:
      return meant satisfies never;
  }
}

/** The version that an anchor's target is, or belongs to. */
async function versionAt(tx: Tx, targetRef: string) {
  const meant = await requireMeant(tx, targetRef, ['decision', 'evidence']);
  return meant.kind === 'decision' ? meant.decision : requireDecision(tx, meant.evidence.decisionRef);
}
