import * as z from 'zod';
import { notFound } from '../../domain/error.ts';
import { idsOf, tooShort } from '../../domain/id.ts';
import { shownAuthor } from '../../domain/text/label.ts';
import { dayOf } from '../../domain/text/moment.ts';
import { LIMITS, quoted } from '../../domain/text/text.ts';
import { newestCheckpoint, newestOfOthers, resolveCheckpoint } from '../../store/decisions/checkpoint.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { asOf, text } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { briefAnswered } from '../results/answered.ts';
import { iso, resultDate } from '../results/fields.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { since, sinceThen } from '../results/since.ts';
import { by, shownBy, toBy } from '../results/writer.ts';
import { date, facts, indented, line, shortId, strong } from '../view.ts';

export const mamaLoadCheckpoint = defineOperation({
  name: 'mama_load_checkpoint',
  family: 'decisions',
  title: 'Load a checkpoint',
  summary:
    'Resume work: where it was at the newest checkpoint, with next steps (recall them) and open files.',
  access: 'read',
  searchHint: 'continue, resume where we left off',
  positional: ['id'],
  input: z.strictObject({
    id: text(LIMITS.id, 'Id of a checkpoint; default: the newest').optional(),
    as_of: asOf(),
  }),
  output: z.object({
    found: z.boolean(),
    checkpoint: z
      .object({
        id: z.string(),
        summary: z.string(),
        next_steps: z.string().nullable(),
        open_files: z.array(z.string()),
        created_at: resultDate(),
        ...by(),
        session_id: z.string(),
        client: z.string(),
      })
      .nullable(),
    since: since(),
    others: z
      .array(z.string())
      .optional()
      .describe('The newest checkpoints of other authors, each with its id: to take over their work'),
    ...noneFields(),
  }),
  async run(tx, { id }) {
    const checkpoint = id === undefined ? await newestCheckpoint(tx) : await requireCheckpoint(tx, id);
    if (!checkpoint)
      return { found: false, checkpoint: null, ...(await noneOf(tx, { what: 'checkpoint', total: 0 })) };
    return {
      found: true,
      checkpoint: {
        ...pick(checkpoint, 'id', 'summary', 'client'),
        next_steps: checkpoint.nextSteps,
        open_files: checkpoint.openFiles,
        created_at: iso(checkpoint.createdAt),
        ...toBy(checkpoint),
        session_id: checkpoint.session,
      },
      ...(await sinceThen(tx, checkpoint.id)),
      ...(id === undefined && (await ofOthers(tx, checkpoint.author))),
    };
  },
  toModel: ({ looked, ...rest }) => ({ ...briefAnswered({ looked }, 0), ...rest }),
  view({ checkpoint, since = [], others = [], looked, workspace }) {
    if (!checkpoint) return viewNone(looked, workspace);
    const { created_at, id } = checkpoint;
    return [
      line(strong('Checkpoint')),
      facts(date(created_at), shownBy(checkpoint), shortId(id)),
      indented(checkpoint.summary),
      ...(checkpoint.next_steps ? [line(strong('Next')), indented(checkpoint.next_steps)] : []),
      ...(checkpoint.open_files.length > 0 ? [line(strong('Open files'))] : []),
      ...checkpoint.open_files.map((file) => indented(file)),
      ...(since.length > 0 ? [line(strong('Since then'))] : []),
      ...since.map((each) => indented(each)),
      ...(others.length > 0 ? [line(strong('Checkpoints of others'))] : []),
      ...others.map((each) => indented(each)),
    ];
  },
});

/** Checkpoints of others that are named at most, and characters of each. */
const NAMED = 5;
const QUOTED = 80;

/** Whoever takes over the work of somebody else sees that there is where they stopped. */
async function ofOthers(tx: Tx, author: string): Promise<{ others?: string[] }> {
  const newest = await newestOfOthers(tx, author, NAMED);
  if (newest.length === 0) return {};
  const refOf = await shortIds(tx, 'checkpoints', idsOf(newest));
  const others = newest.map(
    ({ id, author, createdAt, summary }) =>
      `${shownAuthor(author) || 'unnamed'}, ${dayOf(iso(createdAt))}: ${quoted(summary, QUOTED)} (${refOf(id)})`,
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
