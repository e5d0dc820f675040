import * as z from 'zod';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { defineOperation } from '../operation.ts';

export const briefingHints = defineOperation({
  name: 'briefing_hints',
  family: 'decisions',
  title: 'The hints of rules and failures',
  summary:
    'Answers with the hints of every decision that binds or failed, so that a hook can compare them with what is asked, written or run, which it does not send.',
  access: 'read',
  tool: false,
  input: z.strictObject({}),
  output: z.object({
    hinted: z.array(
      z.object({
        id: z.string().describe('Of the newest version'),
        hints: z.string().describe('One a line'),
      }),
    ),
    workspace: z.string(),
  }),
  run: async (tx) => ({ hinted: await hintsOfRules(tx), workspace: tx.workspace }),
});
