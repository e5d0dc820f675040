import * as z from 'zod';
import { atStart } from '../briefing/at-start.ts';
import { defineOperation } from '../operation.ts';
import { fact, toFact } from '../results/fields.ts';
import { dim, line } from '../view.ts';

export const briefingStart = defineOperation({
  name: 'briefing_start',
  family: 'decisions',
  title: 'What an agent is shown when its session starts',
  summary:
    'Answers with what binds everywhere, what failed in the last two weeks, and where work was left: lines that a hook puts into the context of an agent, within a budget of its own.',
  access: 'read',
  idempotent: true,
  tool: false,
  input: z.strictObject({}),
  output: z.object({
    isDecided: z.boolean().meta({ description: 'False in a memory that holds no decision' }),
    binding: z.array(fact).meta({ description: 'What binds everywhere' }),
    failed: z.array(fact).meta({ description: 'What failed lately, the newest first' }),
    checkpoint: fact.nullable().meta({ description: 'Where work was left' }),
    newest: z.int().meta({ description: 'The number of the newest record, for the prompts of the session' }),
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
  view: ({ binding, checkpoint, failed, workspace }) => {
    const facts = [...binding, ...(checkpoint ? [checkpoint] : []), ...failed];
    return facts.length > 0
      ? facts.map((each) => line(each.line))
      : [line(dim(`nothing to tell in workspace ${workspace}`))];
  },
});
