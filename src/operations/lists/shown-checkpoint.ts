import * as z from 'zod';
import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { Writer } from '../../store/tx.ts';
import { iso, resultDate } from '../results/fields.ts';
import { author, toAuthor } from '../results/writer.ts';
import { indented, line, strong, type View } from '../view.ts';
import { signature } from './version-line.ts';

/** A checkpoint as a person reads it whole (U-2). */
export const shownCheckpoint = z.object({
  id: z.string(),
  summary: z.string(),
  nextSteps: z.string().nullable(),
  openFiles: z.array(z.string()),
  createdAt: resultDate(),
  author: author(),
});
type ShownCheckpoint = z.infer<typeof shownCheckpoint>;

export function showCheckpoint(checkpoint: Checkpoint & Writer): ShownCheckpoint {
  const { id, summary, nextSteps, openFiles, createdAt } = checkpoint;
  return { id, summary, nextSteps, openFiles, createdAt: iso(createdAt), ...toAuthor(checkpoint) };
}

export function viewShownCheckpoint(shown: ShownCheckpoint): View {
  return [
    line(strong('checkpoint'), `  ${signature(shown)} · ${shown.id}`),
    indented(shown.summary),
    ...(shown.nextSteps ? [line(strong('next')), indented(shown.nextSteps)] : []),
    ...(shown.openFiles.length > 0 ? [line(strong('open files'))] : []),
    ...shown.openFiles.map((file) => indented(file)),
  ];
}
