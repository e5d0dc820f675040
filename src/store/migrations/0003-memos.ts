import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** The keyword graph, memos with their links to it, and where each conversation is. */
export function createMemos(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await keywords(db, ddl);
      await keywordRelations(db, ddl);
      await keywordConnections(db, ddl);
      await memos(db, ddl);
      await memoLinks(db, ddl);
      await conversations(db, ddl);
    },
  };
}

async function keywords(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('keywords')
    .addColumn('seq', ddl.sequenceType, (column) => column.primaryKey().references('records.seq'))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('visits', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_visited', 'bigint', (column) => column.notNull())
    .addCheckConstraint('keywords_name', sql`length(trim(name)) > 0`)
    .addCheckConstraint('keywords_visits', sql`visits >= 0`)
    .execute();
}

/** The primary key lets no pair be related twice in the same way; co-occurrence, which has no direction, runs one way. */
async function keywordRelations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('keyword_relations')
    .addColumn('from_seq', ddl.sequenceType, (column) => column.notNull().references('keywords.seq'))
    .addColumn('to_seq', ddl.sequenceType, (column) => column.notNull().references('keywords.seq'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('keyword_relations_key', ['from_seq', 'to_seq', 'type'])
    .addCheckConstraint('keyword_relations_type', sql`type in ('FOLLOWED_BY', 'CO_OCCURS', 'BELONGS_TO')`)
    .addCheckConstraint('keyword_relations_not_to_itself', sql`from_seq <> to_seq`)
    .addCheckConstraint('keyword_relations_one_way', sql`type <> 'CO_OCCURS' or from_seq < to_seq`)
    .addCheckConstraint('keyword_relations_times', sql`times >= 1`)
    .execute();
}

async function keywordConnections(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('keyword_connections')
    .addColumn('keyword_seq', ddl.sequenceType, (column) => column.notNull().references('keywords.seq'))
    .addColumn('neighbour_seq', ddl.sequenceType, (column) => column.notNull().references('keywords.seq'))
    .addColumn('strength', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('keyword_connections_key', ['keyword_seq', 'neighbour_seq'])
    .execute();
  // A keyword with ten thousand neighbours gives its strongest five as fast as one with ten.
  await db.schema
    .createIndex('keyword_connections_strongest')
    .on('keyword_connections')
    .columns(['keyword_seq', 'strength desc', 'last_at desc', 'neighbour_seq'])
    .execute();
}

/** M-2: the lengths are checked here too; a length counts characters. */
async function memos(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('memos')
    .addColumn('seq', ddl.sequenceType, (column) => column.primaryKey().references('records.seq'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('full_text', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('search_depth', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint('memos_summary', sql`length(summary) between 1 and 200`)
    .addCheckConstraint('memos_full_text', sql`length(full_text) between 1 and 500`)
    .addCheckConstraint('memos_search_depth', sql`search_depth >= 0`)
    .execute();
}

/** The primary key makes a second link between a memo and a keyword impossible, of either kind (M-4). */
async function memoLinks(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('memo_links')
    .addColumn('memo_seq', ddl.sequenceType, (column) => column.notNull().references('memos.seq'))
    .addColumn('keyword_seq', ddl.sequenceType, (column) => column.notNull().references('keywords.seq'))
    .addColumn('depth', 'integer', (column) => column.notNull())
    .addColumn('via_seq', ddl.sequenceType, (column) => column.references('keywords.seq'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('memo_links_key', ['memo_seq', 'keyword_seq'])
    .addCheckConstraint('memo_links_depth', sql`depth >= 0 and (depth = 0) = (via_seq is null)`)
    .execute();
  await db.schema
    .createIndex('memo_links_keyword')
    .on('memo_links')
    .columns(['keyword_seq', 'depth', 'memo_seq'])
    .execute();
  await db.schema.createIndex('memo_links_depth').on('memo_links').columns(['depth', 'memo_seq']).execute();
}

/** M-6: what is remembered of a session between its calls. */
async function conversations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('conversations')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('previous_keywords', 'text', (column) => column.notNull())
    .addColumn('last_memo_seq', ddl.sequenceType, (column) => column.references('memos.seq'))
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
}
