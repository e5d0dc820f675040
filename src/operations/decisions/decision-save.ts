import * as z from 'zod';
import { LIMITS } from '../../domain/text.ts';
import { saveDecision } from '../../store/decisions/chain.ts';
import { confidence, evidence, reasoning, scope, strength, text, topic } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { toWrittenDecision, viewWrittenDecision, writtenDecision } from '../results/decision.ts';
import { closeDecisions, viewClose } from '../results/similar-decisions.ts';

export const decisionSave = defineOperation({
  name: 'decision_save',
  family: 'decisions',
  title: 'Save a decision, with or without a topic',
  summary:
    'Save a rule with its strength and scope. With a topic that has a decision it becomes that chain’s next version; without a topic it starts a chain of its own, to be changed with decision_revise.',
  access: 'write',
  idempotent: false,
  positional: ['text'],
  input: z.strictObject({
    text: text(LIMITS.decision, 'What was decided, as one clear rule'),
    strength: strength().optional(),
    scope: scope().optional(),
    topic: topic().optional(),
    reasoning: reasoning().optional(),
    confidence: confidence().optional(),
    evidence: evidence().optional(),
  }),
  output: writtenDecision.extend({
    similar: z
      .array(
        z.object({
          id: z.string(),
          topic: z.string().nullable(),
          text: z.string(),
          outcomeWarning: z.string().optional(),
          supersededBy: z.string().optional(),
          similarity: z.number(),
        }),
      )
      .optional()
      .meta({ description: 'Close decisions of other chains, failed ones too: link, debate or revise them' }),
  }),
  async run(tx, { evidence = [], ...draft }) {
    const written = await saveDecision(tx, draft, evidence);
    return toWrittenDecision(written, tx.workspace);
  },
  async afterwards(tx, result) {
    const { close, warnings } = await closeDecisions(tx, result.decision.id);
    return {
      ...result,
      warnings: [...result.warnings, ...warnings],
      similar: close.map(({ decision, similarity, warning, supersededBy }) => ({
        id: decision.id,
        topic: decision.topic,
        text: decision.text,
        ...(warning && { outcomeWarning: warning }),
        ...(supersededBy && { supersededBy }),
        similarity,
      })),
    };
  },
  view: (result) => [
    ...viewWrittenDecision(result),
    ...viewClose(
      (result.similar ?? []).map(({ outcomeWarning, ...close }) => ({ ...close, warning: outcomeWarning })),
    ),
  ],
});
