import * as z from 'zod';
import { LIMITS } from '../domain/text.ts';
import { requireDecision } from '../store/chain.ts';
import { insertEvidence } from '../store/evidence.ts';
import { evidenceRecord } from './decision-record.ts';
import { decisionId, iso, verbatim } from './fields.ts';
import { defineOperation } from './operation.ts';
import { dim, good, indented, line } from './view.ts';

export const evidenceSave = defineOperation({
  name: 'evidence_save',
  family: 'decisions',
  title: 'Attach evidence to a decision',
  summary:
    'Keep the ground of a decision word for word: a quote, a measurement, a log. It belongs to that version for ever. <private>…</private> is redacted.',
  access: 'write',
  idempotent: false,
  positional: ['decisionRef', 'content'],
  input: z.strictObject({
    decisionRef: decisionId(),
    content: verbatim(LIMITS.evidence, 'The ground, word for word'),
  }),
  output: z.object({ evidence: evidenceRecord, workspace: z.string() }),
  async run(unit, { decisionRef, content }) {
    const decision = await requireDecision(unit, decisionRef);
    const evidence = await insertEvidence(unit, decision.id, content);
    return { evidence: { ...evidence, timestamp: iso(evidence.timestamp) }, workspace: unit.workspace };
  },
  view: ({ evidence, workspace }) => [
    line(good('✔ evidence kept'), dim(`  workspace ${workspace}`)),
    indented(dim(`${evidence.id} for decision ${evidence.decisionRef}`)),
  ],
});
