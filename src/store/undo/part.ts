import type { Selectable } from 'kysely';
import type { Save } from '../../domain/change.ts';
import type { Strength } from '../../domain/decision.ts';
import type { PrecedentError } from '../../domain/error.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import type { Naming } from '../decisions/overriding.ts';
import type { Schema } from '../schema.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** The effect of an undo on one record, or on one name. */
export interface Effect {
  kind: RecordKind | 'relation' | 'topic' | 'scope';
  /** Its name for readers: `#38` for an observation; the name itself of a topic and a scope. */
  id: string;
  /** The topic of a decision, the title of an observation; empty where there is none. */
  name: string;
  text: string;
  /** Its new state, such as `deleted`. */
  becomes: string;
  /** Of a version. */
  strength?: Strength;
}

/** Later records of others, as a refusal names them. */
export interface Dependent {
  line: string;
  /** It came by sync or an import, so that no undo here takes it back. */
  isFromElsewhere?: boolean;
}

/** One part of a save, and how it is undone. */
export interface Part {
  effect: Effect;
  /** Later records of others that would lose their ground: then nothing is undone. */
  dependents?: Dependent[];
  /** Set where it overrides an axis or a lock by a call that lacks a name or a reason: then nothing is undone, either. */
  refused?: PrecedentError | undefined;
  undo(): Promise<unknown>;
}

/** How a save is undone. */
export interface Terms {
  save: Save;
  naming: Naming;
  /** Whether an axis or a lock needs a reason: one's own within the hour does not (D-20). */
  needsReason: boolean;
  /** The versions that this call made so far, by id: nobody could name them. */
  restored: Set<string>;
}

export type SavedRecord = Pick<Selectable<Schema['records']>, 'seq' | 'kind'>;
export type SavedChange = Selectable<Schema['changes']>;

/** The records that a save made, the newest first. */
export async function recordsOf(tx: Tx, { firstRecord, lastRecord }: Save): Promise<SavedRecord[]> {
  if (firstRecord === null || lastRecord === null) return [];
  return query<SavedRecord>(tx)`
    select seq, kind from records where seq between ${firstRecord} and ${lastRecord} order by seq desc`;
}

/** The changes of a save, the last one first. */
export async function changesOf(tx: Tx, { firstChange, lastChange }: Save): Promise<SavedChange[]> {
  if (firstChange === null || lastChange === null) return [];
  return query<SavedChange>(tx)`
    select * from changes where seq between ${firstChange} and ${lastChange} order by seq desc`;
}
