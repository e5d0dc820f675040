import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { TABLE_NAMES, type Table } from '../src/store/schema.ts';
import { textsOf } from '../src/store/texts.ts';
import { type EngineUnderTest, engines, optionsOf, postgres, scratch } from './support/engines.ts';
import { newWorkspace, query, SERVER } from './support/postgres.ts';
import { compile, copyOfSource, libraryOf } from './support/source.ts';
import { exported, withRows } from './support/stream.ts';

const SCHEMA = 'src/store/schema.ts';
const TEXTS = 'src/store/texts.ts';
const SECRET = 'sk-Zq81XbHunter2';

/** Where a new memory is made. */
function newPlace(engine: EngineUnderTest): { db: string; workspace: string } {
  return engine === postgres
    ? { db: SERVER, workspace: newWorkspace() }
    : { db: join(scratch(), 'memory.db'), workspace: 'memory' };
}

/** Columns of text that hold one of a few words; their type in the schema lists them. */
const CHOICES: Partial<Record<Table, string[]>> = {
  records: ['kind'],
  decisions: ['strength', 'outcome'],
  decisionEdges: ['relationship'],
  outcomes: ['outcome'],
  anchors: ['type'],
  keywordRelations: ['type'],
};

describe('the list of text columns', () => {
  it('[C-1] a new column that can hold any text does not compile until the list says what it holds', async () => {
    const shapes: [after: string, column: string][] = [
      ['reasoning: string | null;', 'string | null'],
      ['decisionId: string;', 'Generated<string>'],
      ['hint: string;', '`#$' + '{string}`'],
      ['nextSteps: string | null;', 'ColumnType<string[], string, string>'],
      ['note: string | null;', 'unknown'],
      ['name: string;', "'a' | (string & { branded: true })"],
      ['times: number;', 'string | undefined'],
    ];
    const folder = copyOfSource({
      [SCHEMA]: [
        ['import type { Generated }', 'import type { ColumnType, Generated }'],
        ...shapes.map(([after, type]): [string, string] => [after, `${after} more: ${type};`]),
      ],
    });
    const errors = await compile(folder, TEXTS);
    assert.equal(errors.length, shapes.length, errors.join('\n'));
    for (const error of errors) assert.match(error, /texts\.ts.*Property 'more' is missing/);
  });

  it('[C-1] a number, or one of a few words, need not be named, nor what the list names already', async () => {
    const folder = copyOfSource({
      [SCHEMA]: [
        [
          'reasoning: string | null;',
          "reasoning: string | null; few: 'a' | 'b' | null; many: Generated<number>;",
        ],
        ['decisionId: string;', 'decisionId: string; more: string;'],
      ],
      [TEXTS]: [["outcomes: { decisionId: 'id',", "outcomes: { decisionId: 'id', more: 'words',"]],
    });
    assert.deepEqual(await compile(folder, TEXTS), []);
  });

  for (const engine of engines) {
    describe(engine.name, optionsOf(engine), () => {
      it('[C-1] a new column that the list names is blanked and searched, and nothing else had to change', async () => {
        const folder = copyOfSource({
          [SCHEMA]: [['reasoning: string | null;', 'reasoning: string | null; more?: string | null;']],
          [TEXTS]: [["reasoning: 'words',", "reasoning: 'words', more: 'words',"]],
          'src/store/migrations/migrations.ts': [
            [
              "'0005-redactions': createRedactions(ddl),",
              `'0005-redactions': createRedactions(ddl), '9999-more':
                { up: (db) => db.schema.alterTable('decisions').addColumn('more', 'text').execute() },`,
            ],
          ],
        });
        const { openMemory } = await libraryOf(folder);
        const source = await openMemory(newPlace(engine));
        const { id } = await source.mama.save({ topic: 't', decision: 'A', reasoning: 'long enough' });
        const other = await source.mama.save({ topic: 'u', decision: 'B' });
        const lines = withRows(await exported(source), (rows) => {
          for (const row of rows.filter(({ table }) => table === 'decisions')) row.more = `key: ${SECRET}`;
        });
        await source.close();
        const memory = await openMemory(newPlace(engine));
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

      it('[C-1] every text column that the database has is in the list', async () => {
        const place = newPlace(engine);
        await (await openMemory(place)).close();
        const named = TABLE_NAMES.map((table) => [
          table,
          [...textsOf(table).map(({ column }) => column), ...(CHOICES[table] ?? [])].sort(),
        ]);
        assert.deepEqual(await columnsOf(engine, place), Object.fromEntries(named));
      });
    });
  }
});

/** The columns of every table of a memory that hold no number. */
async function columnsOf(engine: EngineUnderTest, { db, workspace }: { db: string; workspace: string }) {
  const columns = engine === postgres ? await columnsOnServer(workspace) : columnsInFile(db);
  return Object.fromEntries(
    TABLE_NAMES.map((table) => [
      table,
      columns
        .filter((each) => camel(each.table) === table && !/int|double/i.test(each.type))
        .map((each) => camel(each.column))
        .sort(),
    ]),
  );
}

type Column = { table: string; column: string; type: string };

async function columnsOnServer(workspace: string): Promise<Column[]> {
  return query(
    'select table_name as table, column_name as column, data_type as type from information_schema.columns where table_schema = $1',
    [workspace],
  );
}

function columnsInFile(db: string): Column[] {
  const database = new DatabaseSync(db, { readOnly: true });
  const rows = database
    .prepare(
      'select m.name as "table", c.name as "column", c.type from sqlite_master as m join pragma_table_info(m.name) as c',
    )
    .all();
  database.close();
  return rows as Column[];
}

function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
