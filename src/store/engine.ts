import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notFound, type PrecedentError, type Unavailability } from '../domain/error.ts';
import type { Frequencies } from '../domain/ranking/similarity.ts';
import type { Schema } from './schema.ts';

/** A running transaction, to which a store function sends its statements. */
export type Db = Kysely<Schema>;

/**
 * A database that can hold a memory: the port behind which engines differ. An engine brings what differs between
 * databases (dialect, text index, locking, what an error means) and decides nothing. ARCHITECTURE has a guide for a new
 * one, "A third engine"; `test/contract/` runs on every engine.
 */
export interface Engine extends Capabilities {
  /**
   * Runs `work` in one transaction, once: the store repeats it. Committed when this resolves, and durable (D-9); rolled
   * back when this rejects, with the error of `work` or of the database, which {@link Capabilities.fault} then reads.
   */
  transaction<T>(terms: Terms, work: (db: Db) => Promise<T>): Promise<T>;
  /** Where the memory is; takes no transaction. */
  locate(): Promise<Location>;
  /**
   * Takes off the disk what was overwritten or deleted: free pages, logs, dead rows. Not in a transaction.
   * @returns false when bytes remain, because another process has the memory open
   */
  scrub(): Promise<boolean>;
  /** Closes every connection; a second time does nothing. */
  close(): Promise<void>;
  /** Set where this process may not write: what is open is a copy, which is thrown away when it is closed. */
  readonly copy?: Copy;
}

/** A copy that a memory is read through (K-7). */
interface Copy {
  /** Why the memory itself cannot be written, for the user; `reason` for programs. */
  why: string;
  reason: Unavailability;
  /** Whether anything was saved in the memory itself since it was copied, or it can be written by now. */
  isOutdated(): boolean;
}

/** The parts of an engine that a running transaction has. A function that takes a `db` runs in the transaction of that `db`. */
export interface Capabilities {
  /** The meaning of an error that a transaction threw; `bug` for one that is not the database's. */
  fault(error: unknown): Fault;
  readonly lists: Lists;
  readonly text: TextIndex;
  readonly vectors: VectorIndex;
  readonly numbering: Numbering;
  readonly upkeep: Upkeep;
  readonly views: Views;
}

/** How a transaction runs. */
export interface Terms {
  /**
   * `read`: one snapshot, however long it takes; neither waits for a writer nor holds one up. `write`: alone among the
   * writers of its workspace, so that it sees all that was committed before it.
   */
  access: 'read' | 'write';
  patience: Patience;
}

/**
 * How long one statement may take. `usual`: an engine that waits for a server gives up after half a minute, since the
 * server may be gone. `unhurried`: as long as it takes, for statements whose time grows with the memory.
 */
export type Patience = 'usual' | 'unhurried';

/**
 * - `busy`: another transaction holds the lock; the same transaction can run again.
 * - `race`: another transaction wrote first, such as a row under the same unique key; the operation must read again.
 * - `lost`: the database cannot be reached just now; nothing was written, and the same transaction can run again.
 * - `unavailable`: the database cannot be reached or written now; the message is for the user, `reason` for programs.
 * - `bug`: anything else, a row that breaks a constraint included.
 */
export type Fault =
  | { kind: 'busy' }
  | { kind: 'race' }
  | { kind: 'lost'; message: string }
  | { kind: 'unavailable'; message: string; reason: Unavailability }
  | { kind: 'bug' };

/** The engine and place of a memory, for `precedent doctor`. */
export interface Location {
  /** The engine's name, as people know it. */
  engine: string;
  /** A path, or an address without user and password. */
  location: string;
  /** Size on disk in bytes, write-ahead log included. */
  bytes: number;
  /** Set where others share its tables, so that the size is this memory's share of them. */
  isEstimate?: true;
  /** Set where only the statements keep workspaces of one database apart (N-2): why. */
  isolation?: string;
}

/** Values as a table of one column, `id`: joined with, ten thousand of them cost one parameter. */
export interface Lists {
  numbers(values: number[]): RawBuilder<{ id: number }>;
  /** As `numbers`, for texts. PostgreSQL needs the element type even when the list is empty. */
  texts(values: string[]): RawBuilder<{ id: string }>;
}

/** A document of the text index: a record's `seq`, and its text in columns of different weight. */
export interface Document {
  seq: number;
  title: string;
  body: string;
  /** Set where the texts are their tokens already, separated by spaces: they were analysed before the transaction. */
  isAnalysed?: true;
}

/** `matched`: which terms are in each document, by `seq`. `kept`: none where an index keeps no texts. */
export type TextsRead = { matched: Map<number, Set<string>>; kept: Document[] };

/** Exact BM25 over analysed text. Every engine ranks the same data in the same order. */
export interface TextIndex {
  /** Adds documents that the index does not hold yet. */
  put(db: Db, documents: Document[]): Promise<void>;
  /** Removes those of these documents that the index holds. */
  remove(db: Db, seqs: number[]): Promise<void>;
  /** Whether the index holds this document with exactly this text. */
  holds(db: Db, document: Document): Promise<boolean>;
  /** Empties the index, also when it is damaged. */
  clear(db: Db): Promise<void>;
  /** A subquery of the documents with any of the terms: `seq`, and `score`, higher is better, to nine digits. */
  hits(terms: string[]): RawBuilder<{ seq: number; score: number }>;
  /**
   * {@link hits} without their scores, which cost the most: for counting.
   * @param isEvery whether those with every one of the terms, each given once
   */
  matching(terms: string[], isEvery?: boolean): RawBuilder<{ seq: number }>;
  /**
   * A term that is in no document may be left out.
   * @param most where counting a term may end, for an engine that would take longer for a common one; default: nowhere
   */
  frequencies(db: Db, terms: string[], most?: number): Promise<Frequencies>;
  /**
   * Which of the terms are in each of a few documents, by `seq`.
   * @param most how many documents have any of the terms, or more; default: not known
   */
  termsIn(db: Db, seqs: number[], terms: string[], most?: number): Promise<Map<number, Set<string>>>;
  /**
   * Terms as by {@link termsIn}, with the analysed texts that the index keeps: their tokens, separated by spaces.
   * @param most of a body with more tokens, at least the first so many
   */
  read(db: Db, seqs: number[], terms: string[], most: number): Promise<TextsRead>;
  /**
   * The first of the terms that is in a document which may be an answer; undefined when none does.
   * @param eligible which may be, as a condition on `records as r`
   */
  firstIn(db: Db, terms: string[], eligible: RawBuilder<unknown>): Promise<string | undefined>;
}

/** Numbers that a table gives out by itself, one after the other and never twice. */
export interface Numbering {
  /** The highest ever given out, 0 for none; numbers of transactions that were rolled back may count. */
  last(db: Db, table: string): Promise<number>;
  /** Continues after this number, unless a higher one was given out already. */
  raise(db: Db, table: string, to: number): Promise<void>;
}

/** The vectors of documents, all of unit length. */
export interface VectorIndex {
  /**
   * The records whose meaning is nearest, nearest first, the newer first when equal: `similarity` is the cosine, to six
   * digits. Only vectors of this model and of this size are compared.
   * @param eligible which may be, as a condition on `records as r`
   * @throws PrecedentError `unavailable` when the database lacks an extension that this needs
   */
  nearest(
    db: Db,
    model: string,
    vector: Float32Array,
    limit: number,
    eligible: RawBuilder<unknown>,
  ): Promise<{ seq: number; similarity: number }[]>;
  /** The cosine of each of these records that has such a vector, by `seq`. @throws PrecedentError as `nearest` */
  similarities(db: Db, model: string, vector: Float32Array, seqs: number[]): Promise<Map<number, number>>;
  /** A vector as it is stored, as 32-bit floats one after the other, lowest byte first; and back. */
  toBytes(stored: unknown): Uint8Array;
  fromBytes(bytes: Uint8Array): unknown;
}

/** Functions that keep a database sound and quick. Each reads or writes all of it: for unhurried transactions. */
export interface Upkeep {
  /** Damage the database finds in itself, a line each; empty when sound. Throws what cannot even be read. */
  integrity(db: Db): Promise<string[]>;
  /** Rebuilds the database's own indexes from its tables; does nothing where that is up to the server's operator. */
  reindex(db: Db): Promise<void>;
  /** Refreshes the planner's statistics after a bulk write (ANALYZE on PostgreSQL, nothing on SQLite). */
  refreshStatistics(db: Db): Promise<void>;
}

/** Parts of a view that takes a table's place for one statement (U-5). None of them holds a parameter. */
export interface Views {
  /** The table itself, named so that no view of the same name hides it. @param name in snake case */
  table(name: string): RawBuilder<unknown>;
  /** A text out of a column that holds a JSON object; null where the object lacks it. */
  text(column: RawBuilder<unknown>, name: string): RawBuilder<string | null>;
  /** {@link text} for a whole number. */
  number(column: RawBuilder<unknown>, name: string): RawBuilder<number | null>;
}

/** The parts of migrations that differ between engines. */
export interface Ddl {
  /** The column type of a `seq`: on SQLite the one that makes it the row's own number and spares an index. */
  readonly sequenceType: 'integer' | 'bigint';
  /** The column type of a vector. */
  readonly vectorType: 'blob' | RawBuilder<unknown>;
  /** An automatically numbered primary key whose values are never used twice; a value may also be given. */
  addSequence<T extends string>(table: CreateTableBuilder<T>, column: string): CreateTableBuilder<T>;
  createTextIndex(db: Kysely<unknown>): Promise<void>;
}

/**
 * Migrations by name, in the order of their names. `up` changes the tables; `rows`, if there is one, what they hold: where
 * several memories share the tables, `up` runs once and `rows` once for each.
 */
export type Migrations = Record<string, Migration & Partial<OfRows>>;
export type OfRows = Migration & { rows(db: Db): Promise<void> };

/** How a memory is opened. */
export interface Opening {
  /** Whether it is created where there is none, or what to call before. Default: true. */
  create?: boolean | (() => void);
  /**
   * For hooks: never wait for a lock, never migrate, never copy. Where that would be needed, the memory is `unavailable`.
   * Default: false.
   */
  isHurried?: boolean;
  /** Instead of ours; tests only. */
  migrations?: Migrations;
}

/** The refusal to create a memory. @param where the file, or the workspace */
export function notThere(where: string): PrecedentError {
  return notFound.no_memory(`Expected a memory, found none at ${where}.`);
}
