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
  // Work goes on from the newest alone.
  findable: () => sql`r.seq = (select c.seq from checkpoints as c where ${notRetracted('c.seq')}
    order by c.created_at desc, c.seq desc limit 1)`,
  log: plainLog('checkpoints', 'summary'),
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
