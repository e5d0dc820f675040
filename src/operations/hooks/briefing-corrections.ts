import * as z from 'zod';
import { countedCorrections } from '../../store/search/corrections.ts';
import { wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { iso, resultDate } from '../results/fields.ts';

export const briefingCorrections = defineOperation({
  name: 'briefing_corrections',
  family: 'decisions',
  title: 'What holds no longer',
  summary:
    'Answers with the texts of decisions that were replaced, withdrawn or failed, and how often the memory has their words, so that a hook or a check can compare them with files, which it does not send.',
  access: 'read',
  tool: false,
  input: z.strictObject({ limit: wholeNumber(1, 5_000, 'Corrections at most').default(2_000) }),
  output: z.object({
    corrections: z.array(
      z.object({
        id: z.string().describe('Of the newest version'),
        topic: z.string().nullable(),
        how: z.enum(['replaced', 'withdrawn', 'failed']),
        version: z.int().describe('That said the old text'),
        newest: z.int().describe('The newest version'),
        old: z.string(),
        next: z
          .string()
          .optional()
          .describe('What the newest version says; none if nothing replaced the old text'),
        at: resultDate().describe('When the old text ended to hold'),
      }),
    ),
    documents: z.int().describe('Documents of the memory'),
    counts: z.record(z.string(), z.int()).describe('How many of them have a term of these texts'),
    workspace: z.string(),
  }),
  async run(tx, { limit }) {
    const { corrections, ...counted } = await countedCorrections(tx, limit);
    return {
      corrections: corrections.map((each) => ({ ...each, at: iso(each.at) })),
      ...counted,
      workspace: tx.workspace,
    };
  },
});
