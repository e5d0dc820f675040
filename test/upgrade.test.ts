import assert from 'node:assert/strict';
import { copyFileSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { scratch } from './support/engines.ts';

/** Columns that a later schema has elsewhere: who wrote stands in a table of its own since 0006. */
const MOVED = ['session_id', 'client'];

/**
 * All rows of the tables that a file had when it was made, without the columns it did not have. Who wrote a row is shown
 * as the file had it.
 */
function rowsOf(file: string, tables: Map<string, string[]>) {
  const database = new DatabaseSync(file, { readOnly: true });
  const names = database.prepare("select 1 from sqlite_master where name = 'writers'");
  const hasWriters = names.get() !== undefined;
  const rows = [...tables].map(([table, columns]) => {
    // A file of the newest schema has neither column.
    const hasMoved = columns.includes('session_id') && columns.includes('client');
    const kept = columns
      .filter((column) => !hasMoved || !MOVED.includes(column))
      .map((column) => `t.${column}`);
    const who = hasWriters
      ? 'w.session as session_id, w.client from writers as w join'
      : 't.session_id, t.client from';
    const from = hasMoved
      ? `, ${who} ${table} as t${hasWriters ? ' on t.writer = w.id' : ''}`
      : ` from ${table} as t`;
    return [table, database.prepare(`select ${kept}${from} order by 1, 2`).all()];
  });
  database.close();
  return rows;
}

function tablesOf(file: string): Map<string, string[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  const names = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not glob 'search_*' and name not in ('kysely_migration', 'kysely_migration_lock', 'meta', 'sqlite_sequence')",
    )
    .all();
  const columns = database.prepare('select name from pragma_table_info(?)');
  const tables = new Map(
    names.map(({ name }) => [String(name), columns.all(name ?? null).map((column) => String(column.name))]),
  );
  database.close();
  return tables;
}

/** A file of each schema that was ever released is kept as a fixture. */
describe('upgrade', () => {
  for (const fixture of globSync('test/fixtures/*.db')) {
    it(`[R-1] a file of schema ${basename(fixture, '.db')} opens, keeps every row, and gains what is new`, async () => {
      const file = join(scratch(), 'memory.db');
      copyFileSync(fixture, file);
      const tables = tablesOf(file);
      const before = rowsOf(file, tables);
      const memory = await openMemory({ db: file });
      assert.deepEqual(rowsOf(file, tables), before);
      assert.deepEqual((await memory.inspect()).problems, []);

      const [found] = (await memory.mama.search({ query: 'cookies' })).results;
      assert.equal(found?.earlier_failure?.decision, 'Keep JWTs in local storage');
      const { anchors } = await memory.decision.retrieve({ domain: 'auth' });
      assert.equal(anchors.length, 2);
      assert.equal((await memory.mama.loadCheckpoint()).checkpoint?.summary, '인증까지 끝냄');

      const { id } = await memory.mem.save({ title: '새 관찰', content: 'works in an old file' });
      await memory.evidence.save({ decisionRef: found?.id ?? '', observationId: id });
      await memory.keywords.record({ keywords: ['old file', 'keyword'], sessionId: 'new' });
      const memo = await memory.memo.save({ fullText: 'works in an old file', keywords: ['old file'] });
      assert.deepEqual(memo.relatedFound.nodes, ['keyword']);
      const again = await openMemory({ db: file });
      assert.equal((await again.mem.search({ query: '관찰' })).results[0]?.id, id);
      await again.close();
      await memory.close();
    });
  }
});
