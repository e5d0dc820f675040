import { sql } from 'kysely';
import * as z from 'zod';
import { anchorText } from '../../domain/anchor.ts';
import { type Decision, decidedId } from '../../domain/decision.ts';
import { FOUND_KINDS } from '../../domain/kinds.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { placed } from '../../store/decisions/anchor.ts';
import { resolveCheckpoint } from '../../store/decisions/checkpoint.ts';
import { evidenceOf } from '../../store/decisions/evidence.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { valuesIn } from '../../store/json-list.ts';
import { changesOf, isRetracted } from '../../store/record.ts';
import { reviewersOf } from '../../store/reviewed.ts';
import type { Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import { writerOf } from '../../store/writer.ts';
import { asOf, reference, wholeNumber } from '../fields/basic.ts';
import { type MeantRecord, requireMeant } from '../lists/meant-record.ts';
import { shownObservation, showObservation, viewShownObservation } from '../lists/shown-observation.ts';
import { viewDecision } from '../lists/view-decision.ts';
import { listedMemo, memoLink, oneMemo, viewWholeMemo } from '../memos/memo-list.ts';
import { defineOperation } from '../operation.ts';
import { checkpoint, toCheckpoint, viewCheckpoint } from '../results/checkpoint.ts';
import { outdated, toOutdated, viewOutdated } from '../results/copies.ts';
import { dayOf, inKinds, iso, resultDate } from '../results/fields.ts';
import { anchorRecord, evidenceRecord, toAnchorRecord, toEvidenceRecord } from '../results/grounds.ts';
import { requireMemo } from '../results/memo.ts';
import {
  decisionLine,
  type NamedDecision,
  namedDecision,
  namedDecisions,
} from '../results/named-decision.ts';
import { readWhole, wholeDecision } from '../results/whole-decision.ts';
import { by, reviewedBy, shownAct, shownBy, toBy, toReviewed, viewReviewed } from '../results/writer.ts';
import { type Block, dim, indented, line, type Span, strong, warn } from '../view.ts';

/** Of what lists and searches hide (K-6). */
const mistaken = () => ({
  mistaken: z.boolean().optional().describe('It was saved by mistake, and undone'),
});
const mistakenWhen = async (tx: Tx, table: Table, id: string) =>
  (await isRetracted(tx, table, id)) ? { mistaken: true } : {};
const markOfMistake = (is: boolean | undefined) => (is ? [warn('  undone')] : []);

/** A renaming or a rewriting: when, and by whom (TR-3). */
const changed = z.object({ at: resultDate(), ...by() });
const toChanged = (each: { at: number; author: string; client: string }) => ({
  at: iso(each.at),
  ...toBy(each),
});

const shownRecord = z.object({
  kind: z.enum([...FOUND_KINDS, 'evidence', 'anchor']),
  decision: wholeDecision
    .extend({
      outdated: outdated(),
      reviewed_by: reviewedBy(),
      renamed: z.array(changed.extend({ from: z.string().nullable() })).optional(),
    })
    .optional()
    .describe('The newest version first'),
  observation: shownObservation.optional(),
  evidence: evidenceRecord.extend({ ...mistaken(), ...by(), decision: namedDecision }).optional(),
  anchor: anchorRecord.extend({ ...mistaken(), ...by(), decision: namedDecision }).optional(),
  checkpoint: checkpoint.extend(mistaken()).optional(),
  memo: listedMemo.extend({ ...by(), rewritten: changed.optional() }).optional(),
  links: z.array(memoLink).optional().describe('Of a memo: its keywords, by depth'),
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
    ref: reference('Any record: an id, an id prefix, a topic, a version of it (auth:token@2), #38'),
    depth: wholeNumber(1, 5, 'Of a decision: those around it, too, this many links away').optional(),
    as_of: asOf(),
  }),
  output: inKinds(shownRecord, 'kind', {
    decision: { always: ['decision'] },
    observation: { always: ['observation'] },
    evidence: { always: ['evidence'] },
    anchor: { always: ['anchor'] },
    checkpoint: { always: ['checkpoint'] },
    memo: { always: ['memo', 'links'] },
  }),
  async run(tx, { ref, depth }) {
    const meant = await requireMeant(tx, ref);
    return { kind: meant.kind, ...(await shown(tx, meant, depth)) };
  },
  view(result) {
    if (result.decision)
      return viewDecision(result.decision, [
        ...viewReviewed(result.decision),
        ...(result.decision.renamed ?? []).map(({ from, ...each }) =>
          indented(dim(shownAct(`renamed from ${from ?? '(no topic)'}`, each))),
        ),
        ...viewOutdated(result.decision),
      ]);
    if (result.observation) return viewShownObservation(result.observation);
    const { evidence, anchor, checkpoint, memo, links = [] } = result;
    if (evidence) {
      return [
        headOf('evidence', evidence.timestamp, evidence, evidence.id, markOfMistake(evidence.mistaken)),
        indented(evidence.content),
        ...(evidence.observation_id === undefined
          ? []
          : [line(dim('as it was in '), `#${evidence.observation_id}`)]),
        line(dim('of '), ...decisionLine(evidence.decision)),
      ];
    }
    if (anchor)
      return [
        headOf('anchor', anchor.created_at, anchor, anchor.id, markOfMistake(anchor.mistaken)),
        indented(anchorText(anchor.hint)),
        line(dim('at '), ...decisionLine(anchor.decision)),
      ];
    if (memo) {
      const rewritten = memo.rewritten && [dim(` · ${shownAct('rewritten', memo.rewritten)}`)];
      return [headOf('memo', memo.created_at, memo, undefined, rewritten), ...viewWholeMemo(memo, links)];
    }
    if (!checkpoint) return [];
    return [...(checkpoint.mistaken ? [line(warn('undone'))] : []), ...viewCheckpoint(checkpoint)];
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

async function shown(tx: Tx, meant: MeantRecord, depth: number | undefined) {
  switch (meant.kind) {
    case 'decision':
      return { decision: await wholeOf(tx, meant.decision, depth) };
    case 'observation':
      return { observation: await showObservation(tx, meant.id) };
    case 'evidence': {
      const { evidence } = meant;
      const found = (await evidenceOf(tx, [evidence.decisionRef])).find(({ id }) => id === evidence.id);
      return {
        evidence: {
          ...toEvidenceRecord(evidence),
          ...(await mistakenWhen(tx, 'evidence', evidence.id)),
          ...(found && toBy(found)),
          decision: await nameOf(tx, await requireDecision(tx, evidence.decisionRef)),
        },
      };
    }
    case 'anchor': {
      const at = await versionAt(tx, meant.anchor.targetRef);
      return {
        anchor: {
          ...toAnchorRecord(placed(meant.anchor, at)),
          ...(await mistakenWhen(tx, 'anchors', meant.anchor.id)),
          ...toBy(await writerOf(tx, 'anchors', meant.anchor.id)),
          decision: await nameOf(tx, at),
        },
      };
    }
    case 'memo': {
      const { memos, links } = await oneMemo(tx, await requireMemo(tx, meant.id), 'memos');
      const [memo] = memos;
      const by = toBy(await writerOf(tx, 'memos', meant.id));
      const last = (await changesOf(tx, 'rewritten', sql`select seq from memos where id = ${meant.id}`)).at(
        -1,
      );
      return { memo: memo && { ...memo, ...by, ...(last && { rewritten: toChanged(last) }) }, links };
    }
    case 'checkpoint': {
      const found = await resolveCheckpoint(tx, meant.id);
      if (!found) return {};
      return {
        checkpoint: { ...toCheckpoint(found), ...(await mistakenWhen(tx, 'checkpoints', meant.id)) },
      };
    }
    default:
      return meant satisfies never;
  }
}

/** Characters of an evidence, and of the text of another decision. */
const EVIDENCE = LIMITS.evidence;
const OTHERS = 200;

async function wholeOf(tx: Tx, decision: Decision, depth: number | undefined) {
  const { id, rootId, topic: title, text, reasoning, isActive, withdrawn } = decision;
  const renamed = await changesOf(tx, 'renamed', sql`select seq from decisions where root_id = ${rootId}`);
  const whole = await readWhole(tx, decision, { depth, evidence: EVIDENCE, text: OTHERS, within: false });
  return {
    ...whole,
    versions: whole.versions.toReversed(),
    ...toReviewed(await reviewersOf(tx, 'decisions', decidedId(decision))),
    ...(renamed.length > 0 && {
      renamed: renamed.map((each) => ({
        from: valuesIn(each.before).topic as string | null,
        ...toChanged(each),
      })),
    }),
    ...(isActive && !withdrawn && (await toOutdated(tx, { id, rootId, title, text, reasoning }))),
  };
}

const nameOf = async (tx: Tx, decision: Decision) =>
  (await namedDecisions(tx, [decision], OTHERS)).get(decision.id) as NamedDecision;

/** The version that an anchor's target is, or belongs to. */
async function versionAt(tx: Tx, targetRef: string) {
  const meant = await requireMeant(tx, targetRef, ['decision', 'evidence']);
  return meant.kind === 'decision' ? meant.decision : requireDecision(tx, meant.evidence.decisionRef);
}
