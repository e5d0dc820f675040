import * as z from 'zod';
import { saveDecision } from '../../store/decisions/chain.ts';
import type { Tx } from '../../store/tx.ts';
import { defineDocument } from '../documents.ts';
import { forPeople, savedDate } from '../fields/basic.ts';
import { content, evidence, hints, replaces, topic } from '../fields/decision.ts';
import { buildsOn, links, withLinks } from '../fields/links.ts';
import {
  comparedDecision,
  toWrittenDecision,
  viewWrittenDecision,
  writtenDecision,
} from '../results/written-decision.ts';

const input = z.strictObject({
  ...content(),
  topic: topic().optional(),
  evidence: evidence().optional(),
  hints: forPeople(hints()),
  replaces: replaces(),
  buildsOn: buildsOn(),
  ...links(),
  date: savedDate(),
});

export const decisionSave = defineDocument({
  name: 'decision_save',
  family: 'decisions',
  title: 'Save a decision, with or without a topic',
  summary: 'Save a rule as mama_save does, also without a topic: decision_revise then changes it.',
  access: 'write',
  createsMemory: true,
  tool: 'optIn',
  positional: ['text'],
  input,
  output: writtenDecision,
  run,
  runInBatch: (tx, input) => run(tx, input, true),
  afterCommit: comparedDecision,
  view: viewWrittenDecision,
});

async function run(tx: Tx, given: z.output<typeof input>, isBatch = false) {
  const { evidence = [], hints, replaces, buildsOn, ...rest } = given;
  const draft = withLinks(rest, buildsOn);
  const written = await saveDecision(tx, draft, evidence, { replaces, isBatch });
  return toWrittenDecision(tx, written, { scope: draft.scope, hints, isBatch });
}
