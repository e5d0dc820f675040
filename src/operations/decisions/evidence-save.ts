import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { CONTENT_SHOWN, countCharacters, excerpt, LIMITS } from '../../domain/text/text.ts';
import { insertEvidence } from '../../store/decisions/evidence.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { requireFollows } from '../../store/tx.ts';
import { defineDocument } from '../documents.ts';
import { evidenceText, savedDate } from '../fields/basic.ts';
import { decisionId } from '../fields/decision.ts';
import { observationId } from '../fields/observation.ts';
import { warnings } from '../results/fields.ts';
import { evidenceRecord, toEvidenceRecord } from '../results/grounds.ts';
import { warnedOfMistake } from '../results/mistake.ts';
import { requireLiveObservation } from '../results/observation.ts';
import { dim, good, indented, line } from '../view.ts';

export const evidenceSave = defineDocument({
  name: 'evidence_save',
  family: 'decisions',
  title: 'Attach evidence to a decision',
  summary:
    'Attach evidence to a decision, word for word: a quote, a measurement, a log; or a snapshot of an observation.',
  access: 'write',
  searchHint: 'proof, measurement, log for a decision',
  positional: ['decisionRef', 'content'],
  input: z.strictObject({
    decisionRef: decisionId(),
    content: evidenceText(LIMITS.evidence, 'The ground, word for word').optional(),
    observationId: observationId('Instead of content: an observation, kept as a snapshot').optional(),
    date: savedDate(),
  }),
  output: z.object({ evidence: evidenceRecord, warnings: warnings(), workspace: z.string() }),
  async run(tx, { decisionRef, content, observationId }) {
    if ((content === undefined) === (observationId === undefined)) {
      const found = content === undefined ? 'neither' : 'both';
      throw invalid[content === undefined ? 'missing' : 'both_given'](
        `evidence_save: Expected exactly one of "content" and "observationId", found ${found}.`,
      );
    }
    const decision = await requireDecision(tx, decisionRef);
    requireFollows(tx, decision.createdAt, 'the decision');
    const ground = content ?? (await snapshotOf(tx, observationId as number));
    const [evidence] = await insertEvidence(tx, decision.id, [ground], observationId);
    const record = toEvidenceRecord(evidence as Evidence);
    return {
      evidence: { ...record, content: excerpt(record.content, CONTENT_SHOWN, 'decision_get has all') },
      ...(await warnedOfMistake(tx, decision.id)),
    };
  },
  view: ({ evidence, workspace }) => [
    line(good('✔ evidence kept'), dim(`  workspace ${workspace}`)),
    indented(dim(`${evidence.id} for decision ${evidence.decision_ref}`)),
  ],
});

/** The present content of an observation. @throws PrecedentError `invalid` when evidence cannot be that long */
async function snapshotOf(tx: Tx, observationId: number): Promise<string> {
  const { content } = await requireLiveObservation(tx, observationId);
  const length = countCharacters(content);
  if (length <= LIMITS.evidence) return content;
  throw invalid.too_long(
    `evidence_save: Expected an observation of at most ${LIMITS.evidence} characters, found ${length}. Give the part that matters as "content".`,
  );
}
