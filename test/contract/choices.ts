import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openMemory } from '../../src/index.ts';
import type { Engine } from '../../src/store/engine.ts';
import { COLUMNS } from '../../src/store/schema.ts';
import { snakeCase, TABLES, type Table } from '../../src/store/tables.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { furnish, withVectors } from '../support/everything.ts';
import { openRaw, type Scratch } from '../support/raw-engine.ts';

/** Columns that a rule of the table ties to another one, with what that one must hold beside each value. */
const BESIDE: Record<string, (value: string) => string> = {
  'anchors.type': (value) =>
    value === 'decision_link'
      ? ', decision_ref = (select min(id) from decisions), evidence_ref = null'
      : ', decision_ref = null, evidence_ref = (select min(id) from evidence)',
};

/** A list of words in `src/domain` and the check of its column are said twice: here they are compared (CO-1). */
export function choices(under: EngineUnderTest): void {
  describe('columns that hold one of a few words', () => {
    it('[CO-1] the database takes each of the words that the schema names', async () => {
      const place = await under.alone();
      const memory = await openMemory({ ...place, ...withVectors });
      await furnish(memory);
      await memory.close();
      const engine = await openRaw(place);
      const refused: string[] = [];
      for (const [table, columns] of Object.entries(COLUMNS))
        for (const [column, rule] of Object.entries(columns))
          for (const value of rule.choices ?? []) {
            const problem = await problemOf(engine, table as Table, snakeCase(column), value);
            if (problem) refused.push(`${table}.${column} = '${value}': ${problem}`);
          }
      const hint = `a new value needs a migration in src/store/migrations/ that changes the check of the column: where
        ddl.sequenceType is "bigint" (PostgreSQL), dropConstraint and addCheckConstraint; on SQLite make the table anew by its
        "sql" in sqlite_master, copy the rows, drop it, rename the new one, and make its indexes (foreign keys are off)`;
      assert.deepEqual(refused, [], hint);
    });
  });
}

/** Writes one value over that of one row, and takes it back. */
async function problemOf(
  engine: Engine,
  table: Table,
  column: string,
  value: string,
): Promise<string | undefined> {
  const undo = new Error('taken back');
  const [name, key] = [snakeCase(table), snakeCase(TABLES[table][0] as string)];
  const beside = BESIDE[`${name}.${column}`]?.(value) ?? '';
  try {
    await engine.transaction({ access: 'write', patience: 'usual' }, async (db: Scratch) => {
      const one = `${key} = (select max(${key}) from ${name})`;
      const { rows } = await sql
        .raw(`update ${name} set ${column} = '${value}'${beside} where ${one} returning 1`)
        .execute(db);
      assert(rows.length > 0, `${name} has no row to try it on`);
      throw undo;
    });
  } catch (error) {
    return error === undo ? undefined : (error as Error).message;
  }
}
