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
import { createBase, OfAllWorkspaces } from '../src/store/postgres/layout.ts';
import { ddl } from '../src/store/postgres/migrate.ts';
import { Servers } from '../src/store/postgres/servers.ts';
import type { Schema } from '../src/store/schema.ts';
import { schemaOf } from '../src/store/sqlite/own-schema.ts';
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

const POSTGRES = `-- The tables of all workspaces on PostgreSQL, oldest migration first, in the schema "precedent" of a database.
-- ${MADE}
--
-- Each table all_X has a view X of the workspace that the setting precedent.workspace names, and a policy of row-level
-- security, forced, that says the same. A workspace is a row of workspaces, one of search_totals, and the row of meta by
-- which writers take turns (key 'writer'); of each of the last thousand writers meta has the mark by which it is found
-- after a lost connection, with the numbers that were given out last (keys 'writer.000…'). What the tables hold: schema.sql.`;

/** Today's whole schema on each engine, and the statements by which a SQLite file is known for ours. */
export async function schemaPages(folder: string): Promise<[path: string, text: string][]> {
  const { statements, known } = await sqliteSchema();
  return [
    [join(folder, 'schema.sql'), page(SQLITE, statements)],
    [join(folder, 'schema-postgres.sql'), page(POSTGRES, await postgresSchema())],
    ['src/store/sqlite/newest-schema.ts', knownPage(known)],
  ];
}

function knownPage(known: string[]): string {
  return `// ${MADE}
// biome-ignore-all format: each statement is one line
/** Every statement in the schema of a memory of the newest version. */
export const NEWEST: ReadonlySet<string> = new Set([
${known.map((sql) => `  ${JSON.stringify(sql)},\n`).join('')}]);
`;
}

/** What a new file holds: each table with its indexes, in the order in which they were made; the migrator's own at the end. */
async function sqliteSchema(): Promise<{ statements: string[]; known: string[] }> {
  const scratch = mkdtempSync(join(tmpdir(), 'precedent-schema-'));
  try {
    const file = join(scratch, 'memory.db');
    await (await openMemory({ db: file })).close();
    const database = new DatabaseSync(file, { readOnly: true });
    const known = schemaOf(database).map(({ sql }) => sql);
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
    return { statements: rows.map(({ sql }) => formatSql(String(sql))), known };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the migrations send to a server, written down instead of sent; the name of each migration before its own. */
async function postgresSchema(): Promise<string[]> {
  const statements: string[] = [];
  let own: string[] = [];
  // A body of a function stays as it is.
  const plain = (text: string) => (text.includes('$$') ? `${text.trim()};` : formatSql(text));
  const db = new Kysely<Schema>({
    dialect: {
      ...workspaceDialect(
        new Servers(parseAddress('postgres://localhost/none'), 1),
        { name: 'workspace' },
        { patience: 'usual' },
        {},
      ),
      createDriver: () => new DummyDriver(),
    },
    log({ query: { sql, parameters } }) {
      if (/^(create|alter|drop|insert)\b/.test(sql) && parameters.length === 0) own.push(plain(sql));
      if (!sql.startsWith('insert into "kysely_migration" ')) return;
      statements.push(`-- ${parameters[0]}`, ...own);
      own = [];
    },
  });
  await createBase(db, false);
  const tables = new OfAllWorkspaces();
  const migrator = new Migrator({
    db: db.withPlugin(tables),
    provider: { getMigrations: async () => migrations(ddl) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return [...statements, ...tables.references.map(plain)];
}

function page(heading: string, statements: string[]): string {
  return `${[heading, ...statements].join('\n\n')}\n`;
}
