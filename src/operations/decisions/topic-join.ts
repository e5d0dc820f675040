import * as z from 'zod';
import { LIMITS } from '../../domain/text/text.ts';
import { joinTopics } from '../../store/decisions/join.ts';
import { name } from '../fields/basic.ts';
import { reasoning, replaces } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';
import { dim, good, indented, line, strong } from '../view.ts';

export const topicJoin = defineOperation({
  name: 'topic_join',
  family: 'decisions',
  title: 'Make one topic an alias of another',
  summary:
    'Joins two topics, for two spellings of the same. The active decision of the first is withdrawn; its history stays.',
  access: 'write',
  tool: false,
  positional: ['topic', 'into'],
  input: z.strictObject({
    topic: name(LIMITS.topic, 'The topic to join to another'),
    into: name(LIMITS.topic, 'The other topic, whose chain continues'),
    reasoning: reasoning().optional(),
    replaces: replaces(),
  }),
  output: written({
    topic: z.string(),
    into: z.string().nullable(),
    id: z.string().describe('The newest version of the chain that both lead to'),
    withdrawn: z.string().optional().describe('The version that withdrew the active one'),
  }),
  async run(tx, { topic, into, ...naming }) {
    const { decision, withdrawn, warnings } = await joinTopics(tx, topic, into, naming);
    return {
      topic,
      into: decision.topic,
      id: decision.id,
      ...(withdrawn && { withdrawn: withdrawn.id }),
      ...(warnings.length > 0 && { warnings }),
    };
  },
  view: ({ topic, into, id, withdrawn, workspace }) => [
    line(good('✔ joined'), ' ', topic, ' → ', strong(into ?? id), dim(`  workspace ${workspace}`)),
    indented(dim(id)),
    ...(withdrawn ? [indented(dim(`the active decision was withdrawn: ${withdrawn}`))] : []),
  ],
});
