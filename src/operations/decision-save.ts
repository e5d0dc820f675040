import * as z from 'zod';
import { LIMITS } from '../domain/text.ts';
import { annotateOne } from '../store/annotation.ts';
import { saveDecision } from '../store/chain.ts';
import { toWrittenDecision, viewWrittenDecision, writtenDecision } from './decision-record.ts';
import { confidence, evidence, reasoning, scope, strength, text, topic } from './fields.ts';
import { defineOperation } from './operation.ts';

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
  output: writtenDecision,
  async run(unit, { evidence = [], ...draft }) {
    const written = await saveDecision(unit, draft, evidence);
    return toWrittenDecision(written, await annotateOne(unit, written.decision), unit.workspace);
  },
  view: viewWrittenDecision,
});
