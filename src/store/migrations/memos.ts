import { type Kysely, sql } from 'kysely';
import type { Ddl } from '../engine.ts';
import { addIndex, indexDates, nounTable, refersTo, required } from './columns.ts';

/** The keyword graph, memos with their links to it, and where each conversation is. */
export async function createMemos(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'keywords')
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('visits', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_visited', 'bigint', required)
    .addCheckConstraint('keywords_name', sql`length(trim(name)) > 0`)
    .addCheckConstraint('keywords_visits', sql`visits >= 0`)
    .execute();

  // The primary key lets no pair be related twice in the same way; co-occurrence, which has no direction, runs one way.
  await db.schema
    .createTable('keyword_relations')
    .addColumn('from_seq', ddl.sequenceType, refersTo('keywords.seq'))
    .addColumn('to_seq', ddl.sequenceType, refersTo('keywords.seq'))
    .addColumn('type', 'text', required)
    .addColumn('times', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_at', 'bigint', required)
    .addPrimaryKeyConstraint('keyword_relations_key', ['from_seq', 'to_seq', 'type'])
    .addCheckConstraint('keyword_relations_type', sql`type in ('FOLLOWED_BY', 'CO_OCCURS', 'BELONGS_TO')`)
    .addCheckConstraint('keyword_relations_not_to_itself', sql`from_seq <> to_seq`)
    .addCheckConstraint('keyword_relations_one_way', sql`type <> 'CO_OCCURS' or from_seq < to_seq`)
    .addCheckConstraint('keyword_relations_times', sql`times >= 1`)
    .execute();

  await db.schema
    .createTable('keyword_connections')
    .addColumn('keyword_seq', ddl.sequenceType, refersTo('keywords.seq'))
    .addColumn('neighbour_seq', ddl.sequenceType, refersTo('keywords.seq'))
    .addColumn('strength', 'integer', required)
    .addColumn('last_at', 'bigint', required)
    .addPrimaryKeyConstraint('keyword_connections_key', ['keyword_seq', 'neighbour_seq'])
    .execute();
  // A keyword with ten thousand neighbours gives its strongest five as fast as one with ten.
  await addIndex(db, 'keyword_connections_strongest', 'keyword_connections', [
    'keyword_seq',
    'strength desc',
    'last_at desc',
    'neighbour_seq',
  ]);

  // M-2: the lengths are checked here too; a length counts characters.
  await nounTable(db, ddl, 'memos')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('summary', 'text', required)
    .addColumn('full_text', 'text', required)
    .addColumn('source', 'text', required)
    .addColumn('search_depth', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addCheckConstraint('memos_summary', sql`length(summary) between 1 and 200`)
    .addCheckConstraint('memos_full_text', sql`length(full_text) between 1 and 500`)
    .addCheckConstraint('memos_search_depth', sql`search_depth >= 0`)
    .execute();
  await indexDates(db, 'memos');

  // U-6: the earlier texts of memos.
  await db.schema
    .createTable('memo_revisions')
    .addColumn('memo_seq', ddl.sequenceType, refersTo('memos.seq'))
    .addColumn('revision', 'integer', required)
    .addColumn('summary', 'text', required)
    .addColumn('full_text', 'text', required)
    .addColumn('replaced_at', 'bigint', required)
    .addPrimaryKeyConstraint('memo_revisions_key', ['memo_seq', 'revision'])
    .addCheckConstraint('memo_revisions_revision', sql`revision >= 1`)
    .addCheckConstraint('memo_revisions_summary', sql`length(summary) between 1 and 200`)
    .addCheckConstraint('memo_revisions_full_text', sql`length(full_text) between 1 and 500`)
    .execute();

  // The primary key makes a second link between a memo and a keyword impossible, of either kind (M-4).
  await db.schema
    .createTable('memo_links')
    .addColumn('memo_seq', ddl.sequenceType, refersTo('memos.seq'))
    .addColumn('keyword_seq', ddl.sequenceType, refersTo('keywords.seq'))
    .addColumn('depth', 'integer', required)
    .addColumn('via_seq', ddl.sequenceType, (column) => column.references('keywords.seq'))
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('memo_links_key', ['memo_seq', 'keyword_seq'])
    .addCheckConstraint('memo_links_depth', sql`depth >= 0 and (depth = 0) = (via_seq is null)`)
    .execute();
  await addIndex(db, 'memo_links_keyword', 'memo_links', ['keyword_seq', 'depth', 'memo_seq']);
  await addIndex(db, 'memo_links_depth', 'memo_links', ['depth', 'memo_seq']);

  // M-6: what is remembered of a session between its calls.
  await db.schema
    .createTable('conversations')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('previous_keywords', 'text', required)
    .addColumn('last_memo_seq', ddl.sequenceType, (column) => column.references('memos.seq'))
    .addColumn('updated_at', 'bigint', required)
    .execute();
}
