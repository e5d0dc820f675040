import * as z from 'zod';
import { invalid, unauthorized } from '../domain/error.ts';
import { LIMITS } from '../domain/text/text.ts';
import { isUnattended } from '../domain/via.ts';
import { keepImported } from '../store/decisions/imported.ts';
import { markReviewed } from '../store/reviewed.ts';
import { text, wholeNumber } from './fields/basic.ts';
import { defineOperation } from './operation.ts';
import { KEY } from './review/waiting.ts';

/** Keys at once, and characters of one. */
const [MOST, LONGEST] = [2_000, LIMITS.id + 2];

export const reviewed = defineOperation({
  name: 'reviewed',
  family: 'decisions',
  title: 'Mark saves as reviewed',
  summary:
    'Marks what agents saved as reviewed, by the keys that review shows: it no longer waits. An item that is due, such as a missing outcome, comes back in a month. With back, the items wait again.',
  access: 'write',
  idempotent: true,
  tool: false,
  positional: ['keys'],
  input: z.strictObject({
    keys: z
      .array(text(LONGEST, 'A key that review shows'))
      .min(1)
      .max(MOST, `to hold at most ${MOST} items`)
      .describe('The keys that review shows'),
    back: z.boolean().optional().describe('They wait again'),
    since: wholeNumber(
      0,
      Number.MAX_SAFE_INTEGER,
      'The earliest save that your reviews go back to, in milliseconds UTC; it only ever becomes earlier',
    ).optional(),
  }),
  output: z.object({ marked: z.int(), workspace: z.string() }),
  async run(tx, { keys, back = false, since }) {
    if (isUnattended(tx.writer.client))
      throw unauthorized.not_allowed(
        'Expected a person, found a program. A person reviews at a terminal, or with a token made by "precedent token add NAME --for-person". Nothing was marked.',
      );
    const saves: number[] = [];
    const records: string[] = [];
    for (const key of keys) {
      const [, save, record] = KEY.exec(key) ?? [];
      if (save !== undefined) saves.push(Number(save));
      else if (record !== undefined) records.push(record);
      else
        throw invalid.wrong_form(
          `reviewed: Expected keys as review shows them, such as s12; found "${key}".`,
        );
    }
    await markReviewed(tx, { saves, records, begin: since }, back);
    await keepImported(tx, records, back);
    return { marked: keys.length };
  },
});
