import { sql } from 'kysely';
import { checkpointDocument } from '../decisions/checkpoint.ts';
import { textsIn } from '../json-list.ts';
import { notRetracted } from '../record.ts';
import { type Kind, plainLog } from './kind.ts';

export const checkpoint = {
  table: 'checkpoints',
  at: 'created_at',
  text: 'summary',
  document: checkpointDocument,
  // Each person's work goes on from their newest alone.
  findable: () => sql`not exists (select 1 from checkpoints as own join writers as w on w.id = r.writer
    join checkpoints as c on (c.created_at, c.seq) > (own.created_at, own.seq)
    join records as later on later.seq = c.seq join writers as o on o.id = later.writer
    where own.seq = r.seq and o.author = w.author and ${notRetracted('c.seq')})`,
  log: plainLog('checkpoints', sql`x.summary`),
  plain: {
    entry: ({ summary, nextSteps }) => `${summary}${nextSteps ? ` Next: ${nextSteps}` : ''}`,
    whole: 'mama_load_checkpoint has all',
    notes: async (_, rows) =>
      rows.map(({ summary, nextSteps, openFiles }) => {
        const files = textsIn(openFiles);
        return {
          values: { open_files: files.length > 0 ? files : undefined },
          parts: [summary, ...(nextSteps === null ? [] : [`## Next steps\n\n${nextSteps}`])],
        };
      }),
  },
} satisfies Kind<'checkpoints'>;
