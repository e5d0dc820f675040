import { sql } from 'kysely';
import { RECORD_KINDS } from '../../domain/kinds.ts';
import type { TextKind } from '../columns.ts';
import { STORED } from '../kinds/kinds.ts';
import { requireRow, rowsOf } from '../rows.ts';
import { query } from '../statements.ts';
import { TABLE_NAMES, TABLES, type Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import type { Tx } from '../tx.ts';
import type { Redaction } from './redact.ts';
import { rowReference } from './redact.ts';
import { holds, TELLING } from './redact-blank.ts';

/** How many places are named at most. */
const NAMED = 20;
/** The text to search for. A few letters are in some id, hash or vector anyway. */
const SEARCHED: readonly TextKind[] = ['words', 'list', 'name', 'values', 'json'];

/** Where a text still is. */
export interface Remaining {
  what: string;
  /** The reference by which {@link redactRecord} finds the record. */
  id: string;
}

type Row = Record<string, unknown>;

/** Where blanked texts still are, however their letters are written; at most twenty places. Reads every row. */
export async function findRemaining(
  tx: Tx,
  { blanked, whole = false }: Pick<Redaction, 'blanked'> & Partial<Redaction>,
): Promise<Remaining[]> {
  const found = new Map<string, Remaining>();
  const wanted = [...new Set(blanked)].filter((text) => !whole || text.length >= TELLING);
  if (wanted.length === 0) return [];
  for (const table of TABLE_NAMES) {
    const columns = textsOf(table).filter(({ kind }) => SEARCHED.includes(kind));
    if (columns.length === 0) continue;
    for await (const row of rowsOf(tx, table)) {
      if (!columns.some(({ column }) => wanted.some((text) => holds(row[column], text)))) continue;
      const place = await remainingAt(tx, table, row);
      found.set(`${place.what} ${place.id}`, place);
      if (found.size === NAMED) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** The name of a row, and the record that it belongs to. */
async function remainingAt(tx: Tx, table: Table, row: Row): Promise<Remaining> {
  const at = (what: string, id: unknown) => ({ what, id: String(id) });
  const owner = table === 'vectors' ? row.seq : row.recordSeq;
  if (typeof owner === 'number') return recordAt(tx, owner);
  switch (table) {
    case 'changes':
      return at('a change', rowReference('change', row.seq));
    case 'origins':
      return at('what came from elsewhere,', rowReference('origin', row.key));
    case 'writers':
      return at('who wrote,', rowReference('writer', row.id));
    case 'topics':
      return at('a topic of decision', row.rootId);
    case 'scopes':
      return at('scope', rowReference('scope', row.name));
    case 'conversations':
      return at('conversation', rowReference('conversation', row.sessionId));
    case 'observationRevisions':
      return at('an earlier text of observation', row.observationId);
    case 'memoRevisions': {
      const memo = await recordAt(tx, Number(row.memoSeq));
      return { ...memo, what: `an earlier text of ${memo.what}` };
    }
    case 'relations':
      return at('a relation of observation', row.fromId);
    case 'outcomes':
      return at('an outcome of decision', row.decisionId);
    case 'keywords':
      return at('keyword', `keyword:${row.seq}`);
    default:
      return at(kindOf(table), row.id ?? TABLES[table].map((key) => row[key]).join(' '));
  }
}

function kindOf(table: Table): string {
  return RECORD_KINDS.find((kind) => STORED[kind].table === table) ?? table;
}

/** The record with this number. */
async function recordAt(tx: Tx, seq: number): Promise<Remaining> {
  const { kind } = await requireRow(tx, 'records', { seq });
  const { table } = STORED[kind];
  const rows = await query<Row>(tx)`select * from ${sql.table(table)} where seq = ${seq}`;
  return remainingAt(tx, table, rows[0] ?? {});
}
