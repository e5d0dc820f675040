import { type Selectable, sql } from 'kysely';
import type { Save } from '../../domain/change.ts';
import type { Strength } from '../../domain/decision.ts';
import type { PrecedentError } from '../../domain/error.ts';
import { type RecordKind, SAVED_KINDS } from '../../domain/kinds.ts';
import type { Naming } from '../decisions/overriding.ts';
import { STORED } from '../kinds/kinds.ts';
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

export interface SavedRecord extends Pick<Selectable<Schema['records']>, 'seq' | 'kind'> {
  /** When it was saved, in milliseconds UTC; null for a decision, whose versions follow each other, and for what is gone. */
  createdAt: number | null;
}
/** When the record `r` was saved. */
const SAVED_AT = sql.join(
  SAVED_KINDS.filter((kind) => kind !== 'decision').map((kind) => {
    const { table, at } = STORED[kind];
    return sql`when ${sql.lit(kind)} then (select ${sql.ref(`x.${at}`)} from ${sql.table(table)} as x where x.seq = r.seq)`;
  }),
  sql` `,
);
export type SavedChange = Selectable<Schema['changes']>;

/** The records that a save made, the newest first. */
export async function recordsOf(tx: Tx, { firstRecord, lastRecord }: Save): Promise<SavedRecord[]> {
  if (firstRecord === null || lastRecord === null) return [];
  return query<SavedRecord>(tx)`
    select r.seq, r.kind, case r.kind ${SAVED_AT} end as created_at from records as r
    where r.seq between ${firstRecord} and ${lastRecord} order by r.seq desc`;
}

/**
 * The transaction in which a part of a save is turned around. A part that was entered with a date (U-7) is
 * retracted as of that date, so that the past shows nothing of it, and brought back as of that date.
 * @param createdAt when the part was so
 */
export function asEntered<Of extends Tx>(
  tx: Of,
  { createdAt }: { createdAt: number | null },
  save: Save,
): Of {
  if (createdAt === null || createdAt === save.createdAt) return tx;
  return { ...tx, now: createdAt, entered: createdAt };
}

/** The changes of a save, the last one first. */
export async function changesOf(tx: Tx, { firstChange, lastChange }: Save): Promise<SavedChange[]> {
  if (firstChange === null || lastChange === null) return [];
  return query<SavedChange>(tx)`
    select * from changes where seq between ${firstChange} and ${lastChange} order by seq desc`;
}
