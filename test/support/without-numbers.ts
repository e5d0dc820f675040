import type { Memory } from '../../src/index.ts';
import { exported, linesOfRows, type Row } from './stream.ts';

/** Columns that hold the number of a row of another table. */
const REFERS: Record<string, string> = {
  writer: 'writers',
  session: 'writers',
  seq: 'records',
  recordSeq: 'records',
  observationId: 'observations',
  fromId: 'observations',
  toId: 'observations',
  relationId: 'relations',
};

/**
 * A whole memory, each row by names that no import chooses: numbers say in which order things came, and who comes first
 * in a session. Equal for memories that remember the same.
 */
export async function withoutNumbers(memory: Memory): Promise<string[]> {
  const rows = linesOfRows(await exported(memory)).map((line) => JSON.parse(line) as Row);
  const names = namesOf(rows);
  const named = (row: Row) =>
    Object.fromEntries(
      Object.entries(row)
        // Several rows of a source may be one relation, which is known by the one that came first.
        .filter(([column]) => !(row.table === 'relations' && column === 'uid'))
        .map(([column, value]) => {
          const of = column === 'id' && typeof value === 'number' ? row.table : REFERS[column];
          const name = of && typeof value === 'number' ? names.get(`${of} ${value}`) : undefined;
          return [column, name ?? value];
        }),
    );
  return rows.map((row) => JSON.stringify(named(row))).sort();
}

/** What every numbered row is known by, by its table and number. */
function namesOf(rows: Row[]): Map<string, string> {
  const names = new Map<string, string>();
  const uids = new Map<unknown, unknown>();
  for (const row of rows) {
    if (row.table === 'writers') names.set(`writers ${row.id}`, `${row.session} ${row.client} ${row.author}`);
    else if (row.table === 'records') uids.set(row.seq, row.uid);
    // An observation that was saved here has only a number.
    else if ('seq' in row) names.set(`records ${row.seq}`, String(uids.get(row.seq) ?? row.title ?? row.id));
    if (row.table === 'observations')
      names.set(`observations ${row.id}`, names.get(`records ${row.seq}`) ?? '');
  }
  for (const row of rows.filter(({ table }) => table === 'relations')) {
    const end = (id: unknown) => names.get(`observations ${id}`);
    names.set(`relations ${row.id}`, `${end(row.fromId)} ${row.type} ${end(row.toId)}`);
  }
  return names;
}
