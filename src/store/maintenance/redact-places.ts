import { type RawBuilder, sql } from 'kysely';
import type { RecordKind } from '../../domain/change.ts';
import type { Decision } from '../../domain/decision.ts';
import { resolveDecision } from '../decisions/reference.ts';
import { idByPrefix } from '../prefix.ts';
import type { Table } from '../tables.ts';
import type { TextKind } from '../texts.ts';
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

/** Rows of one table that hold texts of a record; {@link textsOf} says in which columns. */
export interface TextPlace {
  table: Table;
  /** A condition on these rows. */
  where: RawBuilder<unknown>;
  /** What is blanked in them. Default: texts of every kind. */
  kinds?: TextKind[];
  /** What tells a blanked name from others that were blanked. Default: the row's key. */
  apart?: string;
  /** What to blank when no secret was given; without it every word is blanked, and no name. */
  secret?: string;
}

/** Tables whose records are found by an id of their own. */
const BY_ID = { evidence: 'evidence', anchor: 'anchors', checkpoint: 'checkpoints', memo: 'memos' } as const;

/** The record that is called so, and where its texts stand. */
export async function findTarget(tx: Tx, reference: string): Promise<Target | undefined> {
  const [, observation] = reference.match(/^#?(\d{1,15})$/) ?? [];
  if (observation) return observationTexts(tx, Number(observation));
  const [, keyword] = reference.match(/^keyword:(\d{1,15})$/) ?? [];
  if (keyword) return keywordTexts(tx, Number(keyword));
  const row = await findRow(tx, reference);
  if (row) return { kind: row.kind, seq: null, id: reference, indexed: [], places: [row] };
  const decision = await resolveDecision(tx, reference);
  if (decision) return decisionTexts(tx, decision);
  for (const [kind, table] of Object.entries(BY_ID) as [keyof typeof BY_ID, Table][]) {
    const { rows } = await sql<{ seq: number; id: string }>`
      select seq, id from ${sql.table(table)}
      where id = ${(await idByPrefix(tx, table, reference, `${kind} records`)) ?? reference}`.execute(tx.db);
    const [row] = rows;
    if (!row) continue;
    const { seq, id } = row;
    return {
      kind,
      seq,
      id,
      indexed: [seq],
      places: [{ table, where: sql`id = ${id}` }, ...earlierTexts(kind, seq), ...recordPlaces(seq)],
    };
  }
  return undefined;
}

/** The earlier texts of a memo. */
function earlierTexts(kind: keyof typeof BY_ID, seq: number): TextPlace[] {
  return kind === 'memo'
    ? [{ table: 'memoRevisions', where: sql`memo_seq = ${seq}`, apart: String(seq) }]
    : [];
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
      // What the chain was called stands with its first version.
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

async function observationTexts(tx: Tx, id: number): Promise<Target | undefined> {
  const row = await tx.db.selectFrom('observations').select('seq').where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  return {
    kind: 'observation',
    seq: row.seq,
    id: String(id),
    indexed: [row.seq],
    places: [
      { table: 'observations', where: sql`id = ${id}` },
      { table: 'observationRevisions', where: sql`observation_id = ${id}`, apart: String(id) },
      { table: 'relations', where: sql`from_id = ${id} or to_id = ${id}` },
      {
        table: 'origins',
        where: sql`relation_id in (select r.id from relations as r where r.from_id = ${id} or r.to_id = ${id})`,
      },
      ...recordPlaces(row.seq),
    ],
  };
}
