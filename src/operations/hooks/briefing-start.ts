import * as z from 'zod';
import { atStart } from '../briefing/at-start.ts';
import type { Fact } from '../briefing/line.ts';
import { defineOperation } from '../operation.ts';

/** A line for the context of an agent. */
export const fact = z
  .object({
    id: z.string().describe('Of the record; an observation is #38'),
    line: z.string(),
    brief: z.string().optional().describe('The line for where there is no room for the whole'),
    binds: z.boolean().optional().describe('Whether it binds, or warns of what failed'),
  })
  .meta({ id: 'Fact' });

/** A fact as it is sent: whoever puts it into a context knows how much room there is. */
export function toFact({ id, line, brief, binds }: Fact): z.infer<typeof fact> {
  return { id, line, ...(brief !== line && { brief }), ...(binds && { binds }) };
}

export const briefingStart = defineOperation({
  name: 'briefing_start',
  family: 'decisions',
  title: 'What an agent is shown when its session starts',
  summary:
    'Answers with what binds everywhere, what failed in the last two weeks, and where work was left: lines that a hook puts into the context of an agent, within a budget of its own.',
  access: 'read',
  tool: false,
  input: z.strictObject({}),
  output: z.object({
    isDecided: z.boolean().describe('False in a memory that holds no decision'),
    binding: z.array(fact).describe('What binds everywhere'),
    others: z.array(z.string()).describe('Topics of the axes and locks of scopes'),
    failed: z.array(fact).describe('What failed lately, the newest first'),
    checkpoint: fact.nullable().describe('Where work was left'),
    due: z.int().describe('How many decisions are due for review'),
    newest: z.int().describe('The number of the newest record, for the prompts of the session'),
    workspace: z.string(),
  }),
  async run(tx) {
    const { checkpoint, binding, failed, ...start } = await atStart(tx);
    return {
      ...start,
      binding: binding.map(toFact),
      failed: failed.map(toFact),
      checkpoint: checkpoint ? toFact(checkpoint) : null,
      workspace: tx.workspace,
    };
  },
});
