import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';
import { nameEverything } from '../names.ts';

/** Who wrote what, what changed that no record tells of, and the names of topics and scopes. */
export function createWritersChangesNames(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await writers(db, ddl);
      await changes(db, ddl);
      await topics(db);
      await scopes(db);
      await nameEverything(db);
    },
  };
}

/** K-4: the tables that named a session and a client in each row point to a row that does. */
async function writers(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('writers'), 'id')
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('writers_session').on('writers').columns(['session', 'client']).execute();
  await sql`
    insert into writers (author, host, client, session)
    select '', '', client, session_id from (
      select session_id, client, seq from records
      union all select session_id, client, seq from observations
      union all select r.session_id, r.client, o.seq
        from observation_revisions as r join observations as o on o.id = r.observation_id
      union all select r.session_id, r.client, o.seq
        from relations as r join observations as o on o.id = r.from_id
    ) as wrote group by session_id, client order by min(seq), session_id, client`.execute(db);
  await db.schema.dropIndex('records_session').execute();
  await ddl.addReference(
    db,
    'records',
    'session',
    'writers.id',
    sql`(
    select min(w.id) from writers as w where w.session = records.session_id)`,
  );
  for (const table of ['records', 'observations', 'observation_revisions', 'relations']) {
    const own = sql.table(table);
    await ddl.addReference(
      db,
      table,
      'writer',
      'writers.id',
      sql`(
      select w.id from writers as w where w.session = ${own}.session_id and w.client = ${own}.client)`,
    );
    await db.schema.alterTable(table).dropColumn('session_id').execute();
    await db.schema.alterTable(table).dropColumn('client').execute();
  }
  // What a search looks at beside a hit: the records saved directly before and after it in its session.
  await db.schema.createIndex('records_session').on('records').columns(['session', 'seq']).execute();
}

/** U-5: an append-only list. What changed is a kind and small values, as JSON, never a text. */
async function changes(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('changes'), 'seq')
    // Not a foreign key: an observation may be deleted for good, and the change says so.
    .addColumn('record_seq', ddl.sequenceType)
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('writer', ddl.sequenceType, (column) => column.notNull().references('writers.id'))
    .execute();
  await db.schema.createIndex('changes_record').on('changes').columns(['record_seq', 'seq']).execute();
}

/**
 * D-19: a name leads to one chain, and a chain may have several. The key is the folded name; null where another
 * spelling, saved earlier, has it.
 */
async function topics(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('topics')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.unique())
    .addColumn('root_id', 'text', (column) => column.notNull().references('decisions.id'))
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('topics_root').on('topics').column('root_id').execute();
  for (const index of ['decisions_one_active_topic', 'decisions_one_chain_per_topic']) {
    await db.schema.dropIndex(index).execute();
  }
}

/** D-19, likewise: `scope` is the spelling that decisions carry. */
async function scopes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scopes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.unique())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute();
}
