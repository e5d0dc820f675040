import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DummyDriver, Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { openMemory } from '../src/index.ts';
import { migrations } from '../src/store/migrations/migrations.ts';
import { parseAddress } from '../src/store/postgres/address.ts';
import { workspaceDialect } from '../src/store/postgres/driver.ts';
import { ddl } from '../src/store/postgres/migrate.ts';
import { Servers } from '../src/store/postgres/servers.ts';
import { formatSql } from './format-sql.ts';

const MADE = 'Made from the migrations by `npm run reference`; `npm run check` fails when it is stale.';

const SQLITE = `-- The schema of a memory in a SQLite file, as a new file has it.
-- ${MADE}
--
-- Every record of any kind has one row in records; its seq orders all kinds and is its document in the text index.
-- Times are milliseconds UTC, flags are 0 or 1. Documents write the names in camel case.
--
-- PostgreSQL differs (schema-postgres.sql): numbers are bigint and identity columns, texts compare by their bytes
-- (collate "C"), a vector is real[], and the text index is three ordinary tables instead of FTS5's two virtual ones.`;

const POSTGRES = `-- The statements that make a workspace on PostgreSQL, oldest migration first, inside a schema of the workspace's name.
-- ${MADE}
--
-- After them, meta gets the row by which writers take turns (key 'writer'), and of each of the last thousand
-- writers the mark by which it is found after a lost connection (keys 'writer.000…'). What the tables hold: schema.sql.`;

/** Today's whole schema on each engine. */
export async function schemaPages(folder: string): Promise<[path: string, text: string][]> {
  return [
    [join(folder, 'schema.sql'), page(SQLITE, await sqliteSchema())],
    [join(folder, 'schema-postgres.sql'), page(POSTGRES, await postgresSchema())],
  ];
}

/** What a new file holds: each table with its indexes, in the order in which they were made; the migrator's own at the end. */
async function sqliteSchema(): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'precedent-schema-'));
  try {
    const file = join(scratch, 'memory.db');
    await (await openMemory({ db: file })).close();
    const database = new DatabaseSync(file, { readOnly: true });
    // FTS5 makes the shadow tables of a virtual table, SQLite its own and the indexes without SQL.
    const rows = database
      .prepare(
        `select m.sql from sqlite_master as m
        join sqlite_master as t on t.type = 'table' and t.name = m.tbl_name
        join pragma_table_list as l on l.name = t.name and l.schema = 'main'
        where m.sql is not null and l.type <> 'shadow' and t.name not like 'sqlite%'
        order by t.name like 'kysely%', t.rowid, m.type desc, m.rowid`,
      )
      .all();
    database.close();
    return rows.map(({ sql }) => formatSql(String(sql)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the migrations send to a server, written down instead of sent; the name of each migration before its own. */
async function postgresSchema(): Promise<string[]> {
  const statements: string[] = [];
  let own: string[] = [];
  const db = new Kysely({
    dialect: {
      ...workspaceDialect(
        new Servers(parseAddress('postgres://localhost/none')),
        'workspace',
        { patience: 'usual' },
        {},
      ),
      createDriver: () => new DummyDriver(),
    },
    log({ query: { sql, parameters } }) {
      if (/^(create|alter|drop|insert)\b/.test(sql) && parameters.length === 0) own.push(formatSql(sql));
      if (!sql.startsWith('insert into "kysely_migration" ')) return;
      statements.push(`-- ${parameters[0]}`, ...own);
      own = [];
    },
  });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(ddl) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return statements;
}

function page(heading: string, statements: string[]): string {
  return `${[heading, ...statements].join('\n\n')}\n`;
}
