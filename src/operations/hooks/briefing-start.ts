import * as z from 'zod';
import { patternsIn } from '../../domain/place.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { atStart } from '../briefing/at-start.ts';
import { text } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';

/** Ids and patterns, far more than a start looks at. */
const IDS = 2_000;
/** Characters of a pattern. */
const PATTERN = 1_000;

const shape = {
  id: z.string().describe('Of the record; an observation is #38'),
  name: z.string().describe('Its status and what it is called: its topic, else its first words'),
  line: z.string(),
  why: z.string().optional().describe('Its reason in a sentence, for where there is room'),
  whole: z.string().optional().describe('All of its reason, for where there is more'),
  binds: z.boolean().optional().describe('Whether it binds, or warns of what failed'),
  lock: z.literal(true).optional().describe('Set for a lock that holds'),
  match: z
    .object({ by: z.enum(['pattern', 'path', 'mark']), of: z.string(), at: z.string() })
    .optional()
    .describe('By which of its patterns it names which file'),
};
/** A line for the context of an agent. */
export const fact = z.object(shape).meta({ id: 'Fact' });

const rule = z.object({
  ...shape,
  scope: z.string(),
  everywhere: z.boolean().describe('Whether it holds everywhere'),
  lately: z.boolean().describe('Whether it is for the files or about the scopes of the last sessions'),
  placed: z.boolean().describe('Whether it is also shown with its files'),
  unreviewed: z.boolean().describe('Whether neither a person wrote it nor one reviewed it'),
});

export const briefingStart = defineOperation({
  name: 'briefing_start',
  family: 'decisions',
  title: 'What an agent is shown when its session starts',
  summary:
    'Answers with axes and locks, what failed in the last two weeks, where work was left, and what else is decided: lines that a hook puts into the context of an agent, within a limit of its own.',
  access: 'read',
  tool: false,
  input: z.strictObject({
    files: askedFiles('Files that the last sessions changed').optional(),
    ids: z
      .array(text(LIMITS.scope, 'An id'))
      .max(IDS, `to hold at most ${IDS} ids`)
      .default([])
      .describe('Decisions that the last sessions were shown'),
    wide: z
      .array(text(PATTERN, 'A pattern'))
      .max(IDS, `to hold at most ${IDS} patterns`)
      .default([])
      .describe('Patterns that cover much of the repository: their rules hold everywhere'),
  }),
  output: z.object({
    rules: z.array(rule).describe('Axes and locks: those of persons first, of each as they are retrieved'),
    scopes: z
      .array(z.object({ scope: z.string(), count: z.int() }))
      .describe('How many axes and locks there are in all'),
    failed: z.array(fact).describe('What failed lately, the newest first'),
    failures: z.int().describe('How much failed lately in all'),
    checkpoint: fact.nullable().describe('Where work was left'),
    topics: z.array(z.string()).describe('Topics of other decisions, the newest first'),
    decided: z.int().describe('How many other decisions have a topic'),
    due: z.int().describe('How many decisions are due for review'),
    workspace: z.string(),
  }),
  async run(tx, { files, ids, wide }) {
    const start = await atStart(tx, { paths: patternsIn(files ?? ''), ids, wide });
    return { ...start, checkpoint: start.checkpoint ?? null, workspace: tx.workspace };
  },
});
