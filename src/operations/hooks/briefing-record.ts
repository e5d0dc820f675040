import * as z from 'zod';
import { conversationOf } from '../../store/memos/conversation.ts';
import { recordPrompt } from '../briefing/keywords.ts';
import { keywords, sessionId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { written } from '../results/fields.ts';

export const briefingRecord = defineOperation({
  name: 'briefing_record',
  family: 'memos',
  title: 'Record the words of a prompt that the memory knows',
  summary:
    'Records those words of a prompt that are known here already, as a keyword, in a topic or in a title, and those that the session repeats: what a hook does with each prompt. The others are dropped. keywords_record takes every word.',
  access: 'write',
  tool: false,
  input: z.strictObject({
    words: keywords('Words of the prompt that may be recorded'),
    repeated: keywords('Those of them that an earlier prompt of the session had').default([]),
    session_id: sessionId().optional(),
  }),
  output: written({
    recorded: z.array(z.string()).describe('What became a keyword, or was one'),
  }),
  async run(tx, { words, repeated, session_id = conversationOf(tx) }) {
    const recorded = await recordPrompt(tx, session_id, words, (word) => repeated.includes(word));
    return { recorded };
  },
});
