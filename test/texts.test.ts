import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { TABLE_NAMES, type Table } from '../src/store/tables.ts';
import { textsOf } from '../src/store/texts.ts';
import { type Column, enginesInTurn, optionsOf } from './support/engines.ts';
import { copyOfSource, libraryOf, nextMigration } from './support/source.ts';
import { exported, withRows } from './support/stream.ts';

const SCHEMA = 'src/store/schema.ts';
const SECRET = 'sk-Zq81XbHunter2';

/** Columns of text that hold one of a few words, which the schema lists. */
const CHOICES: Partial<Record<Table, string[]>> = {
  records: ['kind'],
  decisions: ['strength', 'outcome'],
  decisionEdges: ['relationship'],
  outcomes: ['outcome'],
  anchors: ['type'],
  changes: ['kind'],
  keywordRelations: ['type'],
};

describe('the text columns of the schema', () => {
  for (const engine of enginesInTurn(9)) {
    describe(engine.name, optionsOf(engine), () => {
      it('[C-1] a new column is blanked and searched, and nothing but the schema and a migration had to change', async () => {
        const folder = copyOfSource({
          [SCHEMA]: [
            ['    withdrawn: is.flag,', '    withdrawn: is.flag,\n    more: is.optional(is.words(100)),'],
          ],
          'src/store/migrations/migrations.ts': [
            nextMigration(
              "'9999-more': { up: (db) => db.schema.alterTable('decisions').addColumn('more', 'text').execute() }",
            ),
          ],
        });
        const { openMemory } = await libraryOf(folder);
        const source = await openMemory(await engine.alone());
        const { id } = await source.mama.save({ topic: 't', decision: 'A', reasoning: 'long enough' });
        const other = await source.mama.save({ topic: 'u', decision: 'B' });
        const lines = withRows(await exported(source), (rows) => {
          for (const row of rows.filter(({ table }) => table === 'decisions')) row.more = `key: ${SECRET}`;
        });
        await source.close();
        const memory = await openMemory(await engine.alone());
        await memory.import(lines);
        const first = await memory.redact(id, SECRET);
        assert.deepEqual([first.texts, first.remaining], [1, [{ what: 'decision', id: other.id }]]);
        assert.deepEqual((await memory.redact(other.id)).remaining, []);
        assert.deepEqual(
          (await exported(memory)).filter((line) => line.includes(SECRET)),
          [],
        );
        await memory.close();
      });

      it('[C-1] every text column that the database has is one of the schema', async () => {
        const place = await engine.alone();
        await (await openMemory(place)).close();
        const named = TABLE_NAMES.map((table) => [
          table,
          [...textsOf(table).map(({ column }) => column), ...(CHOICES[table] ?? [])].sort(),
        ]);
        assert.deepEqual(byTable(await engine.columns(place)), Object.fromEntries(named));
      });
    });
  }
});

/** By table: its columns that hold no numbers. */
function byTable(columns: Column[]): Record<string, string[]> {
  return Object.fromEntries(
    TABLE_NAMES.map((table) => [
      table,
      columns
        .filter((each) => camel(each.table) === table)
        .map((each) => camel(each.column))
        .sort(),
    ]),
  );
}

function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
