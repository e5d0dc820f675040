import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { stateOf } from '../../store/lists/timeline.ts';
import { text } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';

/** Characters of a state: three numbers. */
const STATE = 60;
const WRITTEN = /^\d+\.\d+\.\d+$/;

export const changedSince = defineOperation({
  name: 'changed_since',
  family: 'decisions',
  title: 'Whether anything changed',
  summary:
    'Says whether anything was saved or changed since an answer before, at the cost of three look-ups: for a page that asks again and again. What exploring a memo finds, and visits of keywords, do not count.',
  access: 'read',
  tool: false,
  positional: ['state'],
  input: z.strictObject({
    state: text(STATE, 'The state that the answer before gave; without it everything is new').optional(),
  }),
  output: z.object({
    changed: z.boolean(),
    state: z.string().describe('To be given with the next question'),
  }),
  async run(tx, given) {
    if (given.state !== undefined && !WRITTEN.test(given.state))
      throw invalid.wrong_form(
        `Expected "state" as an answer before gave it, such as 27.4.0; found "${given.state}". timeline ("precedent log since:yesterday") tells what happened since a day.`,
      );
    const { record, change, revised } = await stateOf(tx);
    const state = [record, change, revised].join('.');
    return { changed: state !== given.state, state };
  },
});
