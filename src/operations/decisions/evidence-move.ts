import * as z from 'zod';
import { conflict, notFound } from '../../domain/error.ts';
import { CONTENT_SHOWN, excerpt, LIMITS } from '../../domain/text/text.ts';
import { moveEvidence, resolveEvidence } from '../../store/decisions/evidence.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { text } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';
import { evidenceRecord, toEvidenceRecord } from '../results/grounds.ts';
import { warnedOfMistake } from '../results/mistake.ts';

export const evidenceMove = defineOperation({
  name: 'evidence_move',
  family: 'decisions',
  title: 'Move evidence to another decision',
  summary:
    'Lets evidence belong to another decision, when it was attached to the wrong one. Its anchors go with it, and the log says where it was.',
  access: 'write',
  tool: false,
  positional: ['id', 'decisionRef'],
  input: z.strictObject({
    id: text(LIMITS.id, 'Id of the evidence, or its beginning'),
    decisionRef: decisionId().describe('The decision that it belongs to: an id or a topic'),
  }),
  output: written({
    evidence: evidenceRecord,
    from: z.string().describe('The decision that it was moved from'),
  }),
  async run(tx, { id, decisionRef }) {
    const evidence = await resolveEvidence(tx, id);
    if (!evidence)
      throw notFound.no_record(
        `Expected the id of evidence, found "${id}", which does not exist. show and decision_get name the evidence of a decision.`,
      );
    const decision = await requireDecision(tx, decisionRef);
    if (decision.id === evidence.decisionRef)
      throw conflict.already_so(
        `Expected another decision than the one that the evidence belongs to, found ${decision.id}. Nothing was changed.`,
      );
    await moveEvidence(tx, evidence, decision.id);
    const record = toEvidenceRecord({ ...evidence, decisionRef: decision.id });
    return {
      evidence: { ...record, content: excerpt(record.content, CONTENT_SHOWN, 'decision_get has all') },
      from: evidence.decisionRef,
      ...(await warnedOfMistake(tx, decision.id)),
    };
  },
});
