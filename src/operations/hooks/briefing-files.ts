import * as z from 'zod';
import { patternsIn } from '../../domain/place.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { atFiles } from '../briefing/at-files.ts';
import { text } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { fact } from './briefing-start.ts';

export const briefingFiles = defineOperation({
  name: 'briefing_files',
  family: 'decisions',
  title: 'What an agent is shown with a file',
  summary:
    'Answers with what binds files that an agent reads or changes, what failed there, and what else was decided for exactly these files, as lines that a hook puts into its context.',
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
  }),
  output: z.object({
    facts: z.array(fact).describe('Locks, then axes, then what failed; last what binds nobody'),
    workspace: z.string(),
  }),
  async run(tx, { files, read, marked }) {
    const facts = await atFiles(tx, { paths: patternsIn(files), isRead: read, marked });
    return { facts, workspace: tx.workspace };
  },
});
