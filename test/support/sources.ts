import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from './engines.ts';

/** Where the samples of other tools and their schemas are. */
export const IMPORTS = join('test', 'fixtures', 'imports');

type Row = Record<string, string | number | null | Uint8Array>;
export type Rows = [table: string, row: Row][];

/** A database of a schema in the samples, with these rows. @param schema as `claude-mem/claude-mem-4` */
export function databaseOf(schema: string, rows: Rows, path = join(scratch(), 'source.db')): string {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const sql = readFileSync(join(IMPORTS, `${schema}.schema.sql`), 'utf8');
  // Tables that SQLite makes by itself, or that need an extension.
  database.exec(
    sql.replaceAll(
      /CREATE TABLE (IF NOT EXISTS )?('\w+_fts_|sqlite_sequence)[^;]*;|CREATE VIRTUAL[^;]*;/g,
      '',
    ),
  );
  database.exec(
    [...sql.matchAll(/CREATE TRIGGER (\w+)/g)].map(([, name]) => `drop trigger ${name};`).join('\n'),
  );
  for (const [table, row] of rows) addRow(database, table, row);
  database.close();
  return path;
}

export function addRow(database: DatabaseSync, table: string, row: Row): void {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  database.prepare(`insert into ${table} (${names.join(', ')}) values (${marks})`).run(...Object.values(row));
}

/** A folder of these files, gone after the test file. */
export function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = scratch();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Lines of JSON, as several tools keep them. */
export const linesOf = (rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
