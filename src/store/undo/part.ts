import { type Selectable, sql } from 'kysely';
import type { RecordKind, Save } from '../../domain/change.ts';
import type { Schema } from '../schema.ts';
import type { Tx } from '../tx.ts';

/** What taking something back does to one record, or to one name. */
export interface Effect {
  kind: Exclude<RecordKind, 'keyword' | 'redaction'> | 'relation' | 'topic' | 'scope';
  /** By which it is read: `#38` for an observation; the name itself of a topic and a scope. */
  id: string;
  /** The topic of a decision, the title of an observation; empty where there is none. */
  name: string;
  text: string;
  /** What becomes of it, such as `deleted`. */
  becomes: string;
}

/** One part of a save, and how it is taken back. */
export interface Part {
  effect: Effect;
  /** What others made since and would lose its ground: then nothing is taken back. */
  rests: string[];
  takeBack(): Promise<unknown>;
}

/** How a save is taken back. */
export interface Terms {
  save: Save;
  reasoning: string | undefined;
  /** Whether an axis or a lock gives way without a reason (D-20). */
  isExempt: boolean;
}

export type SavedRecord = Pick<Selectable<Schema['records']>, 'seq' | 'kind'>;
export type SavedChange = Selectable<Schema['changes']>;

/** The records that a save made, the newest first. */
export async function recordsOf(tx: Tx, { firstRecord, lastRecord }: Save): Promise<SavedRecord[]> {
  if (firstRecord === null || lastRecord === null) return [];
  const { rows } = await sql<SavedRecord>`
    select seq, kind from records where seq between ${firstRecord} and ${lastRecord} order by seq desc`.execute(
    tx.db,
  );
  return rows;
}

/** What a save changed, the last change first. */
export async function changesOf(tx: Tx, { firstChange, lastChange }: Save): Promise<SavedChange[]> {
  if (firstChange === null || lastChange === null) return [];
  const { rows } = await sql<SavedChange>`
    select * from changes where seq between ${firstChange} and ${lastChange} order by seq desc`.execute(
    tx.db,
  );
  return rows;
}
