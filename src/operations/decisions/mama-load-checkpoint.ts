import * as z from 'zod';
import { newestCheckpoint } from '../../store/decisions/checkpoint.ts';
import { defineOperation } from '../operation.ts';
import { emptyWorkspace, iso, nothingFound, resultDate } from '../results/fields.ts';
import { author, toAuthor } from '../results/writer.ts';
import { dim, indented, line, strong } from '../view.ts';

export const mamaLoadCheckpoint = defineOperation({
  name: 'mama_load_checkpoint',
  family: 'decisions',
  title: 'Load the newest checkpoint',
  summary:
    'Resume work: where it stood when the newest checkpoint was saved, with next steps and open files.',
  access: 'read',
  idempotent: true,
  searchHint: 'continue, resume where we left off',
  input: z.strictObject({}),
  output: z.object({
    found: z.boolean(),
    checkpoint: z
      .object({
        id: z.string(),
        summary: z.string(),
        next_steps: z.string().nullable(),
        open_files: z.array(z.string()),
        created_at: resultDate(),
        author: author(),
        session_id: z.string(),
        client: z.string(),
      })
      .nullable(),
    workspace: emptyWorkspace(),
  }),
  async run(tx) {
    const checkpoint = await newestCheckpoint(tx);
    if (!checkpoint) return { found: false, checkpoint: null, workspace: tx.workspace };
    return {
      found: true,
      checkpoint: {
        id: checkpoint.id,
        summary: checkpoint.summary,
        next_steps: checkpoint.nextSteps,
        open_files: checkpoint.openFiles,
        created_at: iso(checkpoint.createdAt),
        ...toAuthor(checkpoint),
        session_id: checkpoint.session,
        client: checkpoint.client,
      },
    };
  },
  view({ checkpoint, workspace }) {
    if (!checkpoint) return nothingFound(workspace, 'No checkpoint yet');
    return [
      line(strong('Checkpoint'), dim(`  ${checkpoint.created_at} · ${checkpoint.client}`)),
      indented(checkpoint.summary),
      ...(checkpoint.next_steps ? [line(strong('Next')), indented(checkpoint.next_steps)] : []),
      ...(checkpoint.open_files.length > 0 ? [line(strong('Open files'))] : []),
      ...checkpoint.open_files.map((file) => indented(file)),
    ];
  },
});
