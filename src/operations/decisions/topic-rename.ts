import * as z from 'zod';
import { LIMITS } from '../../domain/text/text.ts';
import { renameTopic } from '../../store/decisions/topic.ts';
import { name } from '../fields/basic.ts';
import { decisionId, replaces } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';
import { dim, good, indented, line, shortId, strong } from '../view.ts';

export const topicRename = defineOperation({
  name: 'topic_rename',
  family: 'decisions',
  title: 'Rename a topic',
  summary:
    'Gives a decision another topic, in all of its versions. The old name still leads to it, and the log keeps it.',
  access: 'write',
  idempotent: true,
  tool: false,
  positional: ['topic', 'name'],
  input: z.strictObject({
    topic: decisionId().describe('The topic, or the id of a decision that has none'),
    name: name(LIMITS.topic, 'What it is called from now on'),
    replaces: replaces(),
  }),
  output: written({
    topic: z.string().nullable().describe('What it was called'),
    name: z.string(),
    id: z.string().describe('The newest version'),
    unchanged: z.boolean().optional().describe('It is called so already'),
  }),
  async run(tx, { topic, name, replaces }) {
    const { from, decision, unchanged, warnings } = await renameTopic(tx, topic, name, { replaces });
    return {
      topic: from,
      name,
      id: decision.id,
      ...(unchanged && { unchanged: true }),
      ...(warnings.length > 0 && { warnings }),
    };
  },
  view: ({ topic, name, id, unchanged, workspace }) => [
    line(
      good(unchanged ? '= called so already' : '✔ renamed'),
      ` ${topic ?? '(no topic)'} → `,
      strong(name),
      dim(`  workspace ${workspace}`),
    ),
    indented(dim(shortId(id))),
  ],
});
