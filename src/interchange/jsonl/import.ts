import { sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import { readMeta, writeMeta } from '../../store/meta.ts';
import { newestMigration } from '../../store/migrations/migrations.ts';
import { rebuildIndex } from '../../store/search/reindex.ts';
import { NUMBERED, TABLE_NAMES, TABLES } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import { checksumOf, type Header } from './export.ts';
import { OlderRows } from './older.ts';
import { Lines, readHeader, readRows } from './read.ts';
import { RowWriter } from './write.ts';

/** The meta entry that holds the checksum of the stream that a memory was made of. */
const IMPORTED = 'imported';
/** How often progress is told, in lines. */
const PROGRESS = 1_000;

/**
 * Imports the stream of another memory, all of it or nothing; ids, numbers, revisions and dates are kept. Importing the
 * same stream again changes nothing.
 * @param progress receives how many rows were read, and how many there are
 * @param replace whether the stream replaces what the memory holds; numbers that were given out stay given out
 * @throws PrecedentError `invalid` for a stream that is altered or not whole; `conflict` when the memory holds other
 *   records; `unavailable` when a newer version wrote the stream
 */
export async function importStream(
  tx: Tx,
  stream: AsyncIterable<string> | Iterable<string>,
  progress: (done: number, all: number) => void,
  replace = false,
): Promise<{ rows: Record<string, number>; unchanged: boolean }> {
  if (replace) await removeAll(tx);
  const isEmpty = !(await tx.db.selectFrom('records').select('seq').limit(1).executeTakeFirst());
  const lines = new Lines(stream);
  try {
    const newest = await newestMigration(tx);
    const header = await readHeader(lines, newest);
    const all = Object.values(header.rows).reduce((total, each) => total + each, 0);
    const writer = new RowWriter(tx);
    const older = new OlderRows(tx, header.schema);
    const checksum = await readRows(lines, header, async (table, row) => {
      // A memory that holds records may have been made of this very stream: it is read, and compared by its checksum.
      if (isEmpty) await writer.add(table, await older.toPresent(table, row), lines.number);
      if (lines.number % PROGRESS === 0) progress(lines.number - 1, all);
    });
    if (!isEmpty) {
      await requireImported(tx, checksum);
      return { rows: header.rows, unchanged: true };
    }
    await writer.flush(lines.number);
    await older.finish();
    await finish(tx, header);
    // Exported again it is the same, unless an older version wrote fewer columns.
    if (header.schema === newest && (await checksumOf(tx)) !== checksum) {
      throw new PrecedentError('internal', 'The imported rows differ from the stream. Nothing was imported.');
    }
    await writeMeta(tx, IMPORTED, checksum);
    progress(lines.number - 2, all);
    return { rows: header.rows, unchanged: false };
  } finally {
    await lines.close();
  }
}

/** Deletes every row, those first that refer to others; the import rebuilds the text index in the end. */
async function removeAll(tx: Tx): Promise<void> {
  for (const table of TABLE_NAMES.toReversed()) await tx.db.deleteFrom(table).execute();
}

/** @throws PrecedentError `conflict` unless the memory was made of the stream with this checksum */
async function requireImported(tx: Tx, checksum: string): Promise<void> {
  if ((await readMeta(tx, IMPORTED)) === checksum) return;
  throw new PrecedentError(
    'conflict',
    `Expected an empty memory to import into, found records in "${tx.workspace}". Name another one.`,
  );
}

/** Continues the numbering of the other memory and rebuilds everything that is derived from the rows. */
async function finish(tx: Tx, header: Header): Promise<void> {
  for (const table of NUMBERED) {
    const last = Math.max(header.last[table] ?? 0, await highest(tx, table));
    await tx.numbering.raise(tx.db, table, last);
  }
  await tx.upkeep.refreshStatistics(tx.db);
  await rebuildIndex(tx);
  await tx.upkeep.refreshStatistics(tx.db);
}

/** The highest number in a table: a stream that was tampered with may give a lower one as the last. */
async function highest(tx: Tx, table: (typeof NUMBERED)[number]): Promise<number> {
  const [key = ''] = TABLES[table];
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(${sql.ref(key)}), 0) as last from ${sql.table(table)}`.execute(tx.db);
  return rows[0]?.last ?? 0;
}
