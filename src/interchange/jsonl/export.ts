import { createHash } from 'node:crypto';
import { unnamedConversations } from '../../domain/conversation.ts';
import { newestMigration } from '../../store/migrations/migrations.ts';
import { countRows, rowsOf } from '../../store/rows.ts';
import { COLUMNS } from '../../store/schema.ts';
import { NUMBERED, TABLE_NAMES, type Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';

/** The version of the format. A reader refuses any other. */
export const FORMAT = 2;

export interface Header {
  precedent: number;
  /** Name of the newest migration. */
  schema: string;
  workspace: string;
  /** The highest number ever given out in each numbered table, so that no number of a deleted record comes back. */
  last: Record<string, number>;
  /** How many rows follow, by table. */
  rows: Record<string, number>;
}

export interface Footer {
  /** SHA-256 of all lines before the footer, each with its line feed. */
  sha256: string;
}

/**
 * A whole memory as JSON Lines: a header, a line for each row (its table, then its columns in camel case; bytes as
 * base64), a footer. Two memories with the same content give the same rows. The text index is left out, since it is
 * derived from the rest.
 * @param authors false: nobody's name and no machine's is in it (K-4)
 */
export async function* streamOf(tx: Tx, authors = true): AsyncGenerator<string> {
  const last: Header['last'] = {};
  for (const table of NUMBERED) last[table] = await tx.numbering.last(tx.db, table);
  const rows: Header['rows'] = {};
  for (const table of TABLE_NAMES) rows[table] = await countRows(tx, table);
  const header: Header = {
    precedent: FORMAT,
    schema: await newestMigration(tx),
    workspace: tx.workspace,
    last,
    rows,
  };
  const first = JSON.stringify(header);
  yield first;
  const hash = createHash('sha256').update(`${first}\n`);
  for await (const line of linesOf(tx, authors)) {
    hash.update(`${line}\n`);
    yield line;
  }
  yield JSON.stringify({ sha256: hash.digest('hex') } satisfies Footer);
}

/** SHA-256 of the lines of this memory's rows, by which two memories are compared: their headers may differ. */
export async function checksumOf(tx: Tx): Promise<string> {
  const hash = createHash('sha256');
  for await (const line of linesOf(tx)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

async function* linesOf(tx: Tx, authors = true): AsyncGenerator<string> {
  const unnamed = authors ? () => ({}) : withoutNames();
  for (const table of TABLE_NAMES) {
    // The columns of a table may have come in another order than it names them in.
    for await (const row of rowsOf(tx, table, Object.keys(COLUMNS[table]) as never))
      yield JSON.stringify({ table, ...row, ...unnamed(table, row) });
  }
}

/** Replacements for names: of authors, of machines, and of the conversations that are called after somebody. */
function withoutNames(): (table: Table, row: Record<string, unknown>) => object {
  const nameless = unnamedConversations();
  return (table, { sessionId }) => {
    if (table === 'writers') return { author: '', host: '' };
    return table === 'conversations' ? { sessionId: nameless(String(sessionId)) } : {};
  };
}
