import { sql } from 'kysely';
import type { Tx } from '../tx.ts';

/** What a source says of a record that has no place in it (I-2), by its names there. */
export type Rest = Record<string, unknown>;

/** What is kept with these records, of all sources together, by the number of the record. */
export async function restOf(tx: Tx, seqs: number[]): Promise<Map<number, Rest>> {
  if (seqs.length === 0) return new Map();
  const { rows } = await sql<{ recordSeq: number; rest: string }>`
    select o.record_seq, o.rest from (${tx.lists.numbers(seqs)}) as wanted
    join origins as o on o.record_seq = wanted.id where o.rest is not null
    order by o.record_seq, o.source, o.key`.execute(tx.db);
  const all = new Map<number, Rest>();
  for (const { recordSeq, rest } of rows)
    all.set(recordSeq, { ...(JSON.parse(rest) as Rest), ...all.get(recordSeq) });
  return all;
}

/** One text that a source keeps besides its records, by their numbers. */
export async function restNamed(tx: Tx, source: string, name: string): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let last = ''; ; ) {
    const { rows } = await sql<{ key: string; recordSeq: number | null; rest: string | null }>`
      select key, record_seq, rest from origins where source = ${source} and key > ${last}
      order by key limit ${PAGE}`.execute(tx.db);
    for (const { recordSeq, rest } of rows) {
      const value = rest === null ? undefined : (JSON.parse(rest) as Rest)[name];
      if (recordSeq !== null && typeof value === 'string') found.set(recordSeq, value);
    }
    if (rows.length < PAGE) return found;
    last = rows.at(-1)?.key ?? last;
  }
}
const PAGE = 200;
