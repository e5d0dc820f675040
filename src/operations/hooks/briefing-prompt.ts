import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { subjectOf } from '../../domain/prompt/prompt.ts';
import { readPrompt } from '../../domain/prompt/reading.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { aboutPrompt } from '../briefing/about-prompt.ts';
import { text } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { fact } from './briefing-start.ts';

/** Words of a prompt at most: more than are read of any. */
const WORDS = 100;
/** Names that a prompt writes out, far more than are read of any. */
const NAMES = 100;
/** Farther from 0 than any prompt of this length can speak. */
const MANNER = 1_000;
/** Ids of what was shown in one session, far more than its tokens allow. */
const SHOWN = 1_000;

export const briefingPrompt = defineOperation({
  name: 'briefing_prompt',
  family: 'decisions',
  title: 'What an agent is shown with a prompt',
  summary:
    'Answers with up to three records that matter for what a person asks an agent, as lines that a hook puts into its context; with none when unsure. Give the prompt, or its words. Nothing of it is kept.',
  access: 'read',
  tool: false,
  positional: ['prompt'],
  input: z.strictObject({
    prompt: z
      .string()
      .max(LIMITS.message, `to have at most ${LIMITS.message} characters`)
      .optional()
      .describe('What the person asks'),
    words: z
      .array(text(LIMITS.query, 'A word of it'))
      .max(WORDS, `to hold at most ${WORDS} words`)
      .optional()
      .describe('Its words, in place of the prompt'),
    names: z
      .array(text(LIMITS.query, 'A name'))
      .max(NAMES, `to hold at most ${NAMES} names`)
      .default([])
      .describe(
        'What it writes out of a record, besides words: paths, keys of topics, ids or their beginnings, `#38`, `topic@2`',
      ),
    manner: z
      .number()
      .min(-MANNER)
      .max(MANNER)
      .optional()
      .describe('How it speaks, besides words: below 0 of what lies before the one who writes, or of looks'),
    trigger: z.enum(['memo', 'expand']).optional().describe('What it asks of the memory, besides words'),
    shown: z
      .array(text(LIMITS.scope, 'An id'))
      .max(SHOWN, `to hold at most ${SHOWN} ids`)
      .default([])
      .describe('The ids of what the agent was shown before: others take their place'),
  }),
  output: z.object({
    facts: z.array(fact).describe('The most telling first'),
    trigger: z
      .enum(['memo', 'expand'])
      .nullable()
      .describe('memo: the prompt asks for memo_save; expand: for memo_expand, and there is a memo'),
    workspace: z.string(),
  }),
  async run(tx, { prompt, words, names, manner, trigger, shown }) {
    if ((prompt === undefined) === (words === undefined)) {
      const found = prompt === undefined ? 'neither' : 'both';
      throw invalid[prompt === undefined ? 'missing' : 'both_given'](
        `briefing_prompt: Expected "prompt" or "words", found ${found}.`,
      );
    }
    const subject = subjectOf(words ?? []);
    const given = {
      ...{ said: '', words: words ?? [], subject, names, manner: manner ?? 0, trigger },
      ...{ deciding: undefined, recordable: [] },
    };
    const asked = prompt === undefined ? given : readPrompt(prompt);
    const about = await aboutPrompt(tx, asked, new Set(shown));
    return {
      // A hook that sends words alone asks for names by itself.
      facts: [...about.named, ...about.facts],
      trigger: about.trigger ?? null,
      workspace: tx.workspace,
    };
  },
});
