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
    'Says whether anything was saved or changed since an earlier answer, with three look-ups: for a page that asks again and again. Explored memos and visited keywords do not count.',
  access: 'read',
  tool: false,
  positional: ['state'],
  input: z.strictObject({
    state: text(STATE, 'The state in the earlier answer; without it everything is new').optional(),
  }),
  output: z.object({
    changed: z.boolean(),
    state: z.string().describe('Give it in the next call'),
  }),
  async run(tx, given) {
    if (given.state !== undefined && !WRITTEN.test(given.state))
      throw invalid.wrong_form(
        `Expected "state" from an earlier answer, such as 27.4.0; found "${given.state}". timeline ("precedent log since:yesterday") tells what happened since a day.`,
      );
    const { record, change, revised } = await stateOf(tx);
    const state = [record, change, revised].join('.');
    return { changed: state !== given.state, state };
  },
});
