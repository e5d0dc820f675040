import { sql } from 'kysely';
import type { AnyFact, ExtraFields } from '../../domain/import/facts.ts';
import type { Origin } from '../../domain/import/origin.ts';
import { canonical } from '../../domain/text/digest.ts';
import { uuid5 } from '../../domain/text/uuid5.ts';
import { findRow, findRows, insertRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** Why what an older copy of a source says is not followed (I-2). */
export const OLDER = 'this copy is older than the one imported before: nothing was changed';

/** The message where nobody can tell an older copy from a change that was undone there (I-2). */
export const saysAgain = (what: string): string =>
  `"${what}" was changed back to an earlier text, as its source says now; the source has no dates. If this was an older copy of it, import the newer one again.`;

/** The key of a source's row: the same on every machine that imports it. */
export function keyOf(source: string, name: string): string {
  return uuid5(`${source}:${name}`);
}

/** The program that wrote what came from a source. */
export const clientOf = (source: string): string => `import:${source}`;

/** Where everything came from that this source brought, by its key. */
export async function originsOf(tx: Tx, source: string): Promise<Map<string, Origin>> {
  const rows = await findRows(tx, 'origins', { source }, 'key');
  return new Map(rows.map((row) => [row.key, row]));
}

/** The numbers of records that have these ids, by id. */
export async function recordsWithIds(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const wanted = tx.lists.texts(ids);
  const rows = await query<{ id: string; seq: number }>(tx)`
    select r.uid as id, r.seq from (${wanted}) as w join records as r on r.uid = w.id
    union all select e.id, e.seq from (${wanted}) as w join evidence as e on e.id = w.id
    union all select d.id, d.seq from (${wanted}) as w join decisions as d on d.id = w.id`;
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/** The numbers of relations that have these ids, by id. */
export async function relationsWithIds(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await query<{ uid: string; id: number }>(tx)`
    select r.uid, r.id from (${tx.lists.texts(ids)}) as w join relations as r on r.uid = w.id`;
  return new Map(rows.map(({ uid, id }) => [uid, id]));
}

/** The extra fields of a record, as JSON; null for nothing. */
export function restOf({ rest }: AnyFact): string | null {
  const kept: ExtraFields = Object.fromEntries(
    Object.entries(rest ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
  return Object.keys(kept).length === 0 ? null : canonical(kept);
}

/** Origins in the order in which they are kept: so they are written sooner. */
export function inKeptOrder(origins: Map<string, Origin>): Map<string, Origin> {
  return new Map([...origins].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes origins over what they were. */
export async function putOrigins(tx: Tx, rows: Origin[]): Promise<void> {
  const columns = ['record_seq', 'relation_id', 'hash', 'written', 'rest'].map(
    (column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
  );
  const behind = sql`on conflict (source, key) do update set ${sql.join(columns)}`;
  await insertRows(tx, 'origins', rows, behind);
}

/** Whether an operator blanked a text of this record: what came once must not bring it back. */
export async function isRedacted(tx: Tx, seq: number): Promise<boolean> {
  return (await findRow(tx, 'redactions', { recordSeq: seq })) !== undefined;
}

/**
 * Why a row that changed in its source is not followed where there is no record of this kind: it was deleted here, or a reader
 * that was asked otherwise made another kind of it.
 */
export async function whyNotHere(
  tx: Tx,
  kind: 'decision' | 'observation',
  { source, recordSeq }: Origin,
): Promise<string> {
  const row = await findRow(tx, 'records', { seq: recordSeq ?? 0 });
  return row === undefined || row.kind === kind
    ? 'it changed there, and was deleted here'
    : `it came as ${row.kind} before: "precedent import --undo ${source}" takes that back first`;
}
