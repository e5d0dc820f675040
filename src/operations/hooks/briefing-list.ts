import * as z from 'zod';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { patternsHere } from '../../store/decisions/naming.ts';
import { countedCorrections } from '../../store/search/corrections.ts';
import { wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { iso, resultDate } from '../results/fields.ts';

const MOST = 2_000;

export const briefingList = defineOperation({
  name: 'briefing_list',
  family: 'decisions',
  title: 'What hooks compare texts with, which they do not send',
  summary:
    'Lists what a hook or a check compares with texts and files where it runs, since it does not send them: the hints of every decision that binds or failed; the patterns by which active decisions name files; or the texts of decisions that were replaced, withdrawn or failed, and how often the memory has their words.',
  access: 'read',
  tool: false,
  positional: ['kind'],
  input: z.strictObject({
    kind: z.enum(['hints', 'patterns', 'corrections']).describe('What is listed'),
    limit: wholeNumber(1, 5_000, `Maximum corrections; default: ${MOST}`).optional(),
  }),
  variants: {
    field: 'kind',
    kinds: {
      hints: { fields: [], required: [] },
      patterns: { fields: [], required: [] },
      corrections: { fields: ['limit'], required: [] },
    },
  },
  output: z.object({
    hints: z
      .array(
        z.object({
          id: z.string().describe('Of the newest version'),
          hints: z.string().describe('One a line'),
        }),
      )
      .optional(),
    patterns: z.array(z.string()).optional(),
    corrected: z
      .object({
        corrections: z.array(
          z.object({
            id: z.string().describe('Of the newest version'),
            topic: z.string().nullable(),
            how: z.enum(['replaced', 'withdrawn', 'failed']),
            version: z.int().describe('The version that said the old text'),
            newest: z.int().describe('The newest version'),
            old: z.string(),
            next: z
              .string()
              .optional()
              .describe('What the newest version says; none if nothing replaced the old text'),
            at: resultDate().describe('When the old text was replaced or ended'),
          }),
        ),
        documents: z.int().describe('Documents of the memory'),
        counts: z.record(z.string(), z.int()).describe('How many of them have a term of these texts'),
      })
      .optional(),
    workspace: z.string(),
  }),
  async run(tx, { kind, limit = MOST }) {
    const { workspace } = tx;
    if (kind === 'hints') return { hints: await hintsOfRules(tx), workspace };
    if (kind === 'patterns') return { patterns: await patternsHere(tx), workspace };
    const { corrections, ...counted } = await countedCorrections(tx, limit);
    const dated = corrections.map((each) => ({ ...each, at: iso(each.at) }));
    return { corrected: { corrections: dated, ...counted }, workspace };
  },
});
