import * as z from 'zod';
import { notFound } from '../../domain/error.ts';
import { idsOf, tooShort } from '../../domain/id.ts';
import { shownAuthor } from '../../domain/text/label.ts';
import { dayOf } from '../../domain/text/moment.ts';
import { LIMITS, quoted } from '../../domain/text/text.ts';
import { newestCheckpoint, newestOfOthers, resolveCheckpoint } from '../../store/decisions/checkpoint.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { asOf, text } from '../fields/basic.ts';
import { budgetGiven, fitted, itemsOf, tokenBudget } from '../fitted.ts';
import { defineOperation } from '../operation.ts';
import { briefAnswered } from '../results/answered.ts';
import { checkpoint, toCheckpoint, viewCheckpoint } from '../results/checkpoint.ts';
import { iso } from '../results/fields.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { since, sinceThen } from '../results/since.ts';
import { indented, line, strong } from '../view.ts';

export const mamaLoadCheckpoint = defineOperation({
  name: 'mama_load_checkpoint',
  family: 'decisions',
  title: 'Load a checkpoint',
  summary: 'Resume work: the newest checkpoint, with next steps (recall them) and open files.',
  access: 'read',
  searchHint: 'continue, resume where we left off',
  positional: ['id'],
  input: z.strictObject({
    id: text(LIMITS.id, 'Id of a checkpoint; default: the newest').optional(),
    token_budget: tokenBudget(),
    as_of: asOf(),
  }),
  output: z.object({
    found: z.boolean(),
    token_budget: budgetGiven(),
    checkpoint: checkpoint.nullable(),
    since: since(),
    others: z
      .array(z.string())
      .optional()
      .describe('The newest checkpoints of other authors, each with its id: to take over their work'),
    ...noneFields(),
  }),
  async run(tx, { id, token_budget }) {
    const found = id === undefined ? await newestCheckpoint(tx) : await requireCheckpoint(tx, id);
    if (!found)
      return { found: false, checkpoint: null, ...(await noneOf(tx, { what: 'checkpoint', total: 0 })) };
    return {
      found: true,
      ...(token_budget !== undefined && { token_budget }),
      checkpoint: toCheckpoint(found),
      ...(await sinceThen(tx, found.id)),
      ...(id === undefined && (await ofOthers(tx, found.author))),
    };
  },
  toModel({ looked, token_budget: budget, ...rest }) {
    const { checkpoint } = rest;
    const whole = { ...briefAnswered({ looked }, 0), ...rest };
    const frame = ([open_files]: unknown[][]) => ({
      ...whole,
      checkpoint: checkpoint && { ...checkpoint, open_files },
    });
    const parts = [{ name: 'open files', items: itemsOf(checkpoint?.open_files) }];
    return fitted(whole, parts, frame, { budget, field: 'token_budget' });
  },
  view({ checkpoint, since = [], others = [], looked, workspace }) {
    if (!checkpoint) return viewNone(looked, workspace);
    return [
      ...viewCheckpoint(checkpoint),
      ...(since.length > 0 ? [line(strong('Since then'))] : []),
      ...since.map((each) => indented(each)),
      ...(others.length > 0 ? [line(strong('Checkpoints of others'))] : []),
      ...others.map((each) => indented(each)),
    ];
  },
});

/** Checkpoints of others that are named at most, and characters of each. */
const MOST_OTHERS = 5;
const LONGEST_SUMMARY = 80;

/** Whoever takes over the work of somebody else sees that there is where they stopped. */
async function ofOthers(tx: Tx, author: string): Promise<{ others?: string[] }> {
  const newest = await newestOfOthers(tx, author, MOST_OTHERS);
  if (newest.length === 0) return {};
  const refOf = await shortIds(tx, 'checkpoints', idsOf(newest));
  const others = newest.map(
    ({ id, author, createdAt, summary }) =>
      `${shownAuthor(author) || 'unnamed'}, ${dayOf(iso(createdAt))}: ${quoted(summary, LONGEST_SUMMARY)} (${refOf(id)})`,
  );
  return { others };
}

/** D-17: a checkpoint that an answer named is read by its id. */
async function requireCheckpoint(tx: Tx, id: string) {
  const checkpoint = await resolveCheckpoint(tx, id);
  if (checkpoint) return checkpoint;
  throw notFound.no_record(
    `mama_load_checkpoint: Expected the id of a checkpoint, found "${id}", which is not one. Leave it out for the newest, or look for one with search.${tooShort(id)}`,
  );
}
