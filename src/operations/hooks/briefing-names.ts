import * as z from 'zod';
import { patternsIn } from '../../domain/place.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { opposing } from '../briefing/opposing.ts';
import { text } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';
import { fact } from './briefing-start.ts';

/** Names and ids, more than a hook sends of any text. */
const NAMES = 500;

export const briefingNames = defineOperation({
  name: 'briefing_names',
  family: 'decisions',
  title: 'What an agent is shown with names',
  summary:
    'Answers with the decisions that reject, forbid or failed with what is named, and with those that are given by their ids, as lines that a hook puts into the context of an agent, each with its reason. Nothing of it is kept.',
  access: 'read',
  tool: false,
  positional: ['keys'],
  input: z.strictObject({
    keys: z
      .array(text(LIMITS.query, 'A name'))
      .max(NAMES, `to hold at most ${NAMES} names`)
      .default([])
      .describe('Names in lower case: a product, a package (`pkg:moment`), a call, an option, a form of SQL'),
    ids: z
      .array(text(LIMITS.id, 'An id'))
      .max(NAMES, `to hold at most ${NAMES} ids`)
      .default([])
      .describe('The ids of decisions whose hints were found'),
    files: askedFiles('The files that the text is written into')
      .optional()
      .describe('What binds files is against names in these alone; left out: anywhere'),
  }),
  output: z.object({
    facts: z.array(fact).describe('Rules and failures first'),
    workspace: z.string(),
  }),
  async run(tx, { keys, ids, files }) {
    const paths = files === undefined ? undefined : patternsIn(files);
    return { facts: await opposing(tx, { keys, ids, paths }), workspace: tx.workspace };
  },
});
