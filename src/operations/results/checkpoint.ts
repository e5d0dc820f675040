import * as z from 'zod';
import type { newestCheckpoint } from '../../store/decisions/checkpoint.ts';
import { pick } from '../brief.ts';
import { date, facts, indented, line, shortId, strong, type View } from '../view.ts';
import { iso, resultDate } from './fields.ts';
import { by, shownBy, toBy } from './writer.ts';

export const checkpoint = z.object({
  id: z.string(),
  summary: z.string(),
  next_steps: z.string().nullable(),
  open_files: z.array(z.string()),
  created_at: resultDate(),
  ...by(),
  session_id: z.string(),
  client: z.string(),
});
type Checkpoint = z.infer<typeof checkpoint>;

export const toCheckpoint = (
  found: NonNullable<Awaited<ReturnType<typeof newestCheckpoint>>>,
): Checkpoint => ({
  ...pick(found, 'id', 'summary', 'client'),
  next_steps: found.nextSteps,
  open_files: found.openFiles,
  created_at: iso(found.createdAt),
  ...toBy(found),
  session_id: found.session,
});

export function viewCheckpoint(shown: Checkpoint): View {
  return [
    line(strong('Checkpoint')),
    facts(date(shown.created_at), shownBy(shown), shortId(shown.id)),
    indented(shown.summary),
    ...(shown.next_steps ? [line(strong('Next')), indented(shown.next_steps)] : []),
    ...(shown.open_files.length > 0 ? [line(strong('Open files'))] : []),
    ...shown.open_files.map((file) => indented(file)),
  ];
}
