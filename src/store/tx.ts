import { requireAfter, savedAt } from '../domain/filter/saved-date.ts';
import type { Capabilities, Db, Document } from './engine.ts';

/** The writer: kept with each record (D-14, K-4). */
export interface Writer {
  /** The person, as git names its authors: `Kim Minsu <minsu@example.com>`; empty when nobody said. */
  author: string;
  /** The machine; empty when nobody said. */
  host: string;
  /** The program, as it names itself: `claude-code 2.1.329`, `cli`, `library`. */
  client: string;
  /** One connection of an agent, or one run of a program. */
  session: string;
  /**
   * The conversation of calls that name none: messages follow each other in it, and it has a last memo (M-12). Default:
   * the session. A face whose sessions are shorter than a conversation names one: the command line `cli:<account>`, a
   * server over HTTP `http:<token's name>:<client>`.
   */
  conversation?: string;
  /** The git branch that work is on, where it is not the main one: decisions keep it. */
  branch?: string | undefined;
}

/** The writer, in the table of writers, by number. */
export interface WriterRow {
  id: number;
  /** The first writer in the same session: one session may have several programs, authors and machines. */
  session: number;
}

/** One running transaction: one snapshot, one `now`, one writer. Every store function takes it first. */
export interface Tx extends Capabilities {
  /**
   * Where statements are sent: SQL, written out, by `query` of statements.ts, or by the helpers of rows.ts. Values are
   * always parameters; what every engine must understand is listed in ARCHITECTURE, "A third engine".
   */
  readonly db: Db;
  /** Milliseconds UTC, the same throughout the transaction: of what is entered later, when it was so (U-7). */
  readonly now: number;
  /** Milliseconds UTC by the clock: when it is entered. */
  readonly entered: number;
  readonly writer: Writer;
  /** The rows of this writer in the table of writers, by session; see writer.ts. */
  readonly writerRows: Map<string, WriterRow>;
  readonly workspace: string;
  readonly newId: () => string;
  /** The meaning of a question, when a model answered: searches look for it in addition to its words. */
  readonly meaning: Meaning | undefined;
  /** Why the meaning is not known, when a model should have answered. */
  readonly degraded: string | undefined;
  /** Documents written in this transaction, whose meaning is not known yet. */
  readonly written: Document[];
  /** The numbers of the records and changes written in this transaction, in no particular order. */
  readonly saved: { records: number[]; changes: number[] };
  /** Notes that the caller is sent next to the result, where its shape has no room for them (M-7). */
  readonly notes: string[];
}

/** A model's answer to what a question means, or why there is none. */
export interface Understanding {
  meaning?: Meaning;
  degraded?: string;
}

/** A question as a model's vector of unit length. */
export interface Meaning {
  model: string;
  vector: Float32Array;
}

/** Thrown inside a transaction that another one overtook: the whole operation runs again on what is now there. */
export class LostRace extends Error {}

/**
 * The transaction in which something is entered as it was (U-7): what is written in it is of that date, and comes after
 * all that was entered before.
 * @throws PrecedentError `invalid` for a date in the future, or for none
 */
export function dated(tx: Tx, date: string | undefined): Tx {
  return date === undefined ? tx : { ...tx, now: savedAt(date, tx.entered) };
}

/**
 * A date that was given is not before what the save follows. Without one the clock decides: it may have been set back.
 * @param what it follows, such as `version 2`
 * @throws PrecedentError `invalid`
 */
export function requireFollows(tx: Tx, earliest: number, what: string): void {
  if (tx.now !== tx.entered) requireAfter(tx.now, earliest, what);
}
