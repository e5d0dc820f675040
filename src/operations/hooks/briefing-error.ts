import * as z from 'zod';
import { LIMITS } from '../../domain/text/text.ts';
import { atError } from '../briefing/at-error.ts';
import { text } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { fact } from './briefing-start.ts';

/** Lines of an error, more than a hook reads of any. */
const LINES = 20;

export const briefingError = defineOperation({
  name: 'briefing_error',
  family: 'decisions',
  title: 'What an agent is shown when a tool failed',
  summary:
    'Answers with notes and failed decisions whose own text tells an error that a tool ended with, as lines that a hook puts into the context of an agent; with none when unsure. Nothing of it is kept.',
  access: 'read',
  tool: false,
  positional: ['lines'],
  input: z.strictObject({
    lines: z
      .array(text(LIMITS.query, 'A line'))
      .max(LINES, `to hold at most ${LINES} lines`)
      .describe('The lines of its output that say what went wrong'),
  }),
  output: z.object({
    facts: z.array(fact).describe('The most telling first'),
    workspace: z.string(),
  }),
  run: async (tx, { lines }) => ({ facts: await atError(tx, lines), workspace: tx.workspace }),
});
