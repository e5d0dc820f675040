import { sql } from 'kysely';
import { seqsOf } from '../../domain/id.ts';
import { keywordsAbout, memoDocument } from '../memos/memo.ts';
import { type Kind, plainLog } from './kind.ts';

export const memo = {
  table: 'memos',
  at: 'created_at',
  text: 'summary',
  document: memoDocument,
  log: plainLog(
    'memos',
    sql`coalesce((select f.summary from memo_revisions as f where f.memo_seq = x.seq and f.revision = 1), x.summary)`,
  ),
  plain: {
    entry: ({ summary }) => summary,
    whole: 'raise token_budget',
    async notes(tx, rows) {
      const about = await keywordsAbout(tx, seqsOf(rows));
      return rows.map(({ seq, fullText }) => ({
        values: { keywords: about.get(seq) },
        parts: [fullText],
      }));
    },
  },
  texts: ({ seq }) => [{ table: 'memoRevisions', where: sql`memo_seq = ${seq}`, apart: String(seq) }],
} satisfies Kind<'memos'>;
