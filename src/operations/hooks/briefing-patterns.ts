import * as z from 'zod';
import { patternsHere } from '../../store/decisions/naming.ts';
import { defineOperation } from '../operation.ts';

export const briefingPatterns = defineOperation({
  name: 'briefing_patterns',
  family: 'decisions',
  title: 'The patterns by which decisions name files',
  summary:
    'Answers with the patterns by which active decisions name files, so that a hook can tell which of them cover much of its repository, and which name files that were moved.',
  access: 'read',
  tool: false,
  input: z.strictObject({}),
  output: z.object({ patterns: z.array(z.string()), workspace: z.string() }),
  run: async (tx) => ({ patterns: await patternsHere(tx), workspace: tx.workspace }),
});
