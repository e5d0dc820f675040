import * as z from 'zod';
import { LIMITS } from '../domain/text/text.ts';
import { joinTopics, renameScope } from '../store/decisions/join.ts';
import { renameTopic } from '../store/decisions/topic.ts';
import { name } from './fields/basic.ts';
import { decisionId, reasoning, replacesMany } from './fields/decision.ts';
import { defineOperation } from './operation.ts';
import { written } from './results/fields.ts';
import { counted, dim, good, indented, line, shortId, strong } from './view.ts';

export const rename = defineOperation({
  name: 'rename',
  family: 'decisions',
  title: 'Rename a topic or a scope, or join two',
  summary:
    'Gives a topic another name, in all of its versions, or a scope, each of whose decisions gets a next version there. The old name still leads to it, and the log keeps it. With join, two that are in use become one: the active decision of the first topic is withdrawn, and its history stays.',
  access: 'write',
  tool: false,
  positional: ['from', 'to'],
  input: z.strictObject({
    from: decisionId().describe('What it is called now; a decision that has no topic is named by its id'),
    to: name(LIMITS.topic, 'What it is called from now on'),
    kind: z.enum(['topic', 'scope']).default('topic').describe('What is renamed'),
    join: z.boolean().default(false).describe('The other name is in use: both become one'),
    reasoning: reasoning().optional(),
    replaces: replacesMany('overrides'),
  }),
  output: written({
    kind: z.enum(['topic', 'scope']),
    from: z.string().nullable().describe('What it was called; null for a decision without a topic'),
    to: z.string().nullable(),
    id: z.string().optional().describe('Of a topic: the newest version'),
    withdrawn: z.string().optional().describe('The version that withdrew the active one of a joined topic'),
    decisions: z.int().optional().describe('Of a scope: the decisions that were taken there'),
    unchanged: z.boolean().optional().describe('It had this name already'),
  }),
  async run(tx, { kind, from, to, join, ...naming }) {
    if (kind === 'scope') {
      const { scope, decisions, warnings } = await renameScope(tx, from, to, join, naming);
      return { kind, from, to: scope, decisions, ...(warnings.length > 0 && { warnings }) };
    }
    if (join) {
      const { decision, withdrawn, warnings } = await joinTopics(tx, from, to, naming);
      return {
        ...{ kind, from, to: decision.topic, id: decision.id },
        ...(withdrawn && { withdrawn: withdrawn.id }),
        ...(warnings.length > 0 && { warnings }),
      };
    }
    const { from: was, decision, unchanged, warnings } = await renameTopic(tx, from, to, naming);
    return {
      ...{ kind, from: was, to, id: decision.id },
      ...(unchanged && { unchanged: true }),
      ...(warnings.length > 0 && { warnings }),
    };
  },
  view: ({ from, to, id, withdrawn, decisions, unchanged, workspace }) => [
    line(
      good(unchanged ? '= has this name already' : '✔ renamed'),
      ` ${from ?? '(no topic)'} → `,
      strong(to ?? id ?? ''),
      dim(`  ${decisions === undefined ? '' : `${counted(decisions, 'decision')} · `}workspace ${workspace}`),
    ),
    ...(id === undefined ? [] : [indented(dim(shortId(id)))]),
    ...(withdrawn ? [indented(dim(`the active decision was withdrawn: ${shortId(withdrawn)}`))] : []),
  ],
});
