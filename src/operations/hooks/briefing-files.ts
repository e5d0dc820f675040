import * as z from 'zod';
import { patternsIn } from '../../domain/place.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { atFiles } from '../briefing/at-files.ts';
import { text } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { fact, toFact } from './briefing-start.ts';

export const briefingFiles = defineOperation({
  name: 'briefing_files',
  family: 'decisions',
  title: 'What an agent is shown with a file',
  summary:
    'Answers with what binds files that an agent reads or has changed, and what failed there, as lines that a hook puts into its context.',
  access: 'read',
  tool: false,
  positional: ['files'],
  input: z.strictObject({
    files: askedFiles('The files'),
    read: z.boolean().default(false).describe('They were read, and not changed'),
    marked: z
      .array(text(LIMITS.id, 'A topic or an id'))
      .default([])
      .describe('What the files name as decisions themselves'),
    shown: z
      .array(text(LIMITS.scope, 'An id'))
      .default([])
      .describe('The ids of what the agent was shown before'),
  }),
  output: z.object({
    facts: z.array(fact).describe('The nearest first'),
    workspace: z.string(),
  }),
  async run(tx, { files, read, marked, shown }) {
    const facts = await atFiles(tx, { paths: patternsIn(files), isRead: read, marked }, new Set(shown));
    return { facts: facts.map(toFact), workspace: tx.workspace };
  },
});
