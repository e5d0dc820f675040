import { type RawBuilder, sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { KINDS, type RecordKind } from '../../domain/kinds.ts';
import { resolveDecision } from '../decisions/reference.ts';
import type { Row, TextPlace } from '../kinds/kind.ts';
import { KINDS_WITH_ID, STORED } from '../kinds/kinds.ts';
import { idByPrefix } from '../prefix.ts';
import type { Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import { findRow, type RowKind } from './redact-rows.ts';

/** A record that may hold a secret, or a row that belongs to many, and the rows in which its texts stand. */
export interface Target {
  kind: RecordKind | RowKind;
  /** Null for what is no record. */
  seq: number | null;
  id: string;
  /** The records whose entries in the text index hold any of these texts. */
  indexed: number[];
  places: TextPlace[];
  /** Names of topics that are forgotten when they hold the secret: they are made again of what is left. */
  names?: TextPlace[];
}

/** The record that is called so, and where its texts stand. */
export async function findTarget(tx: Tx, reference: string): Promise<Target | undefined> {
  const [, observation] = reference.match(/^#?(\d{1,15})$/) ?? [];
  if (observation) return recordTexts(tx, 'observation', sql`id = ${Number(observation)}`);
  const [, keyword] = reference.match(/^keyword:(\d{1,15})$/) ?? [];
  if (keyword) return keywordTexts(tx, Number(keyword));
  const row = await findRow(tx, reference);
  if (row) return { kind: row.kind, seq: null, id: reference, indexed: [], places: [row] };
  const decision = await resolveDecision(tx, reference);
  if (decision) return decisionTexts(tx, decision);
  for (const kind of KINDS_WITH_ID) {
    const id = await idByPrefix(tx, STORED[kind].table, reference, KINDS[kind].plural);
    const target = await recordTexts(tx, kind, sql`id = ${id ?? reference}`);
    if (target) return target;
  }
  return undefined;
}

/** A record whose texts are all its own. @param where a condition on its row */
async function recordTexts(
  tx: Tx,
  kind: RecordKind,
  where: RawBuilder<unknown>,
): Promise<Target | undefined> {
  const { table, texts, document } = STORED[kind];
  const { rows } = await sql<Row<Table>>`select * from ${sql.table(table)} where ${where}`.execute(tx.db);
  const [row] = rows as (Row<Table> & { seq: number; id?: string | number })[];
  if (!row) return undefined;
  const { seq, id = seq } = row;
  return {
    kind,
    seq,
    id: String(id),
    indexed: document ? [seq] : [],
    places: [{ table, where: sql`seq = ${seq}` }, ...(texts?.(row) ?? []), ...recordPlaces(seq)],
  };
}

/** What the memory itself keeps of every record: who wrote and redacted it, what changed, and which model read it. */
function recordPlaces(seq: number): TextPlace[] {
  return [
    writersOf(sql`seq = ${seq} or seq in (select seq from redactions where record_seq = ${seq})`),
    { table: 'changes', where: sql`record_seq = ${seq}` },
    { table: 'vectors', where: sql`seq = ${seq}` },
    { table: 'origins', where: sql`record_seq = ${seq}` },
  ];
}

/** Who wrote these records. A name of theirs is blanked in everything that they wrote. */
function writersOf(records: RawBuilder<unknown>): TextPlace {
  return { table: 'writers', where: sql`id in (select writer from records where ${records})` };
}

/** A name of a decision, such as its topic, is that of the whole chain; the words of each version are its own. */
async function decisionTexts(tx: Tx, { id, rootId }: Decision): Promise<Target> {
  const versions = await tx.db
    .selectFrom('decisions')
    .select(['id', 'seq'])
    .where('rootId', '=', rootId)
    .execute();
  const seq = versions.find((version) => version.id === id)?.seq ?? 0;
  return {
    kind: 'decision',
    seq,
    id,
    indexed: versions.map((version) => version.seq),
    places: [
      { table: 'decisions', where: sql`id = ${id}`, kinds: ['words', 'list'] },
      { table: 'decisions', where: sql`root_id = ${rootId}`, kinds: ['name'], apart: rootId.slice(0, 8) },
      { table: 'outcomes', where: sql`decision_id = ${id}` },
      writersOf(sql`seq in (select seq from outcomes where decision_id = ${id})`),
      ...recordPlaces(seq),
      // What the chain was called is with its first version.
      {
        table: 'changes',
        where: sql`record_seq in (select seq from decisions where root_id = ${rootId})`,
        kinds: ['values'],
      },
    ],
    names: [{ table: 'topics', where: sql`root_id = ${rootId}` }],
  };
}

async function keywordTexts(tx: Tx, seq: number): Promise<Target | undefined> {
  const row = await tx.db.selectFrom('keywords').select('name').where('seq', '=', seq).executeTakeFirst();
  if (!row) return undefined;
  return {
    kind: 'keyword',
    seq,
    id: String(seq),
    indexed: [],
    places: [{ table: 'keywords', where: sql`seq = ${seq}`, secret: row.name }, ...recordPlaces(seq)],
  };
}
