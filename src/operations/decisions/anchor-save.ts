import * as z from 'zod';
import { ANCHOR_TYPES, type AnchorType } from '../../domain/anchor.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { tooShort } from '../../domain/id.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { insertAnchor, placed } from '../../store/decisions/anchor.ts';
import { resolveEvidence } from '../../store/decisions/evidence.ts';
import { requireDecision, resolveDecision } from '../../store/decisions/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { defineDocument } from '../documents.ts';
import { savedDate, text } from '../fields/basic.ts';
import { warnings } from '../results/fields.ts';
import { anchorRecord, toAnchorRecord } from '../results/grounds.ts';
import { warnedOfMistake } from '../results/mistake.ts';
import { dim, good, indented, line } from '../view.ts';

export const anchorSave = defineDocument({
  name: 'anchor_save',
  family: 'decisions',
  title: 'Leave a reminder',
  summary:
    'Add a short reminder to a decision version or a piece of evidence. It is shown with the decision, and is not a rule.',
  access: 'write',
  positional: ['targetRef', 'hint'],
  input: z.strictObject({
    hint: text(LIMITS.hint, 'What to remember, in a few words'),
    targetRef: text(LIMITS.id, 'Id of a decision version or of a piece of evidence'),
    type: z.enum(ANCHOR_TYPES).meta({ cli: 'What the id is of' }),
    date: savedDate(),
  }),
  output: z.object({ anchor: anchorRecord, warnings: warnings(), workspace: z.string() }),
  async run(tx, { hint, targetRef, type }) {
    const { target, decision } = await requireTarget(tx, type, targetRef);
    const anchor = await insertAnchor(tx, hint, type, target, decision.id);
    return {
      anchor: toAnchorRecord(placed(anchor, decision)),
      ...(await warnedOfMistake(tx, decision.id)),
    };
  },
  view: ({ anchor, workspace }) => [
    line(good('✔ anchored'), ` ${anchor.hint}`, dim(`  workspace ${workspace}`)),
    indented(dim(`${anchor.id} at ${anchor.topic ?? anchor.decision_id} v${anchor.version}`)),
  ],
});

/** The stored id of the target, which must exist and be of the type (D-8), and the decision that it leads to. */
async function requireTarget(tx: Tx, type: AnchorType, targetRef: string) {
  const evidence = await resolveEvidence(tx, targetRef);
  const decision = evidence ? undefined : await resolveDecision(tx, targetRef);
  if (type === 'decision_link' && decision) return { target: decision.id, decision };
  if (type === 'evidence_link' && evidence) {
    return { target: evidence.id, decision: await requireDecision(tx, evidence.decisionRef) };
  }
  const wanted = type === 'decision_link' ? 'a decision' : 'a piece of evidence';
  if (decision ?? evidence) {
    const found = decision ? 'a decision' : 'a piece of evidence';
    const other = decision ? 'decision_link' : 'evidence_link';
    throw invalid.wrong_kind(
      `anchor_save: Expected "targetRef" to be the id of ${wanted} with type "${type}", found that of ${found}. Use type "${other}".`,
    );
  }
  throw notFound.no_record(
    `anchor_save: Expected the id of ${wanted}, found "${targetRef}", which does not exist.${tooShort(targetRef)}`,
  );
}
