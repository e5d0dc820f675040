import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ErrorReason } from '../domain/error.ts';
import type { Schema } from './schema.ts';

/** A connection or a running transaction: what a store function needs to send a query. */
export type Db = Kysely<Schema>;

/**
 * A database that can hold a memory. An engine holds only what differs between databases: dialect, text
 * index, locking, what an error means. It never decides anything.
 */
export interface Engine {
  readonly db: Db;
  readonly text: TextIndex;
  readonly vectors: VectorIndex;
  readonly numbering: Numbering;
  /** Numbers as a table of one column, `id`: joined with, it costs the same for one and for ten thousand. */
  list(numbers: number[]): RawBuilder<{ id: number }>;
  /** {@link list} of texts: some databases want to know what an empty list is one of. */
  listOfTexts(texts: string[]): RawBuilder<{ id: string }>;
  /** Told after many rows were written at once, for a database that plans its queries by what it has counted. */
  settle(db: Db): Promise<void>;
  /** What an error of this database means to whoever ran a transaction. */
  fault(error: unknown): Fault;
  inspect(): Promise<Inspection>;
  /** Damage the database finds in itself, a line each; empty when sound. */
  integrity(): Promise<string[]>;
  /** Makes the database's own indexes anew, when they no longer say what the tables say. */
  reindex(db: Db): Promise<void>;
  /** Takes off the disk what was overwritten and deleted. @returns false while somebody else still looks at it */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * - `busy`: somebody else holds the lock; the same transaction can run again.
 * - `race`: somebody else wrote first; the whole operation must read again.
 * - `lost`: the database cannot be reached just now; nothing was written, and the same transaction can run again.
 * - `unavailable`: the database cannot be reached or written now; the message is for the user, `reason` for programs.
 * - `bug`: anything else.
 */
export type Fault =
  | { kind: 'busy' }
  | { kind: 'race' }
  | { kind: 'lost'; message: string }
  | { kind: 'unavailable'; message: string; reason?: ErrorReason }
  | { kind: 'bug' };

/** Where a memory is and what it runs on, for `precedent doctor`. */
export interface Inspection {
  engine: string;
  location: string;
  /** Size on disk in bytes, write-ahead log included. */
  bytes: number;
}

/** A document of the text index: a record's `seq`, and its text in columns of different weight. */
export interface Document {
  seq: number;
  title: string;
  body: string;
}

/** Exact BM25 over analysed text. Every engine ranks the same data in the same order. */
export interface TextIndex {
  put(db: Db, documents: Document[]): Promise<void>;
  remove(db: Db, seq: number): Promise<void>;
  /** Whether this very text is what stands in the index. */
  holds(db: Db, document: Document): Promise<boolean>;
  clear(db: Db): Promise<void>;
  /** A subquery of the documents with any of the terms: `seq`, and `score`, higher is better. */
  hits(terms: string[]): RawBuilder<{ seq: number; score: number }>;
  /** {@link hits} without their scores, which cost the most: for counting. */
  found(terms: string[]): RawBuilder<{ seq: number }>;
  /** In how many documents each term stands. */
  frequencies(db: Db, terms: string[]): Promise<{ documents: number; of: Map<string, number> }>;
  /** Which of the terms stand in each of a few documents. */
  matched(db: Db, seqs: number[], terms: string[]): Promise<Map<number, Set<string>>>;
}

/** Numbers that a table gives out by itself, one after the other and never twice. */
export interface Numbering {
  /** The highest ever given out, 0 for none. */
  last(db: Db, table: string): Promise<number>;
  /** Goes on after this number, unless it is further already. */
  raise(db: Db, table: string, to: number): Promise<void>;
}

/** The vectors of documents, all of unit length. */
export interface VectorIndex {
  /**
   * The records whose meaning is nearest, nearest first: `similarity` is the cosine. A vector of another model, or of
   * another size, is not looked at.
   * @param eligible which may be, as a condition on `records as r`
   */
  nearest(
    db: Db,
    model: string,
    vector: Float32Array,
    limit: number,
    eligible: RawBuilder<unknown>,
  ): Promise<{ seq: number; similarity: number }[]>;
  /** The cosine of each of these records that has such a vector. */
  similarities(db: Db, model: string, vector: Float32Array, seqs: number[]): Promise<Map<number, number>>;
  /** A vector as it is stored, as 32-bit floats one after the other, lowest byte first; and back. */
  toBytes(stored: unknown): Uint8Array;
  fromBytes(bytes: Uint8Array): unknown;
}

/** What migrations need to say differently on each engine. */
export interface Ddl {
  /** The column type of a `seq`: on SQLite the one that makes it the row's own number and spares an index. */
  readonly sequenceType: 'integer' | 'bigint';
  /** The column type of a vector. */
  readonly vectorType: 'blob' | RawBuilder<unknown>;
  /** An automatically numbered primary key whose values are never used twice. */
  addSequence<T extends string>(table: CreateTableBuilder<T>, column: string): CreateTableBuilder<T>;
  createTextIndex(db: Kysely<unknown>): Promise<void>;
}

/** Migrations by name, in the order of their names. */
export type Migrations = Record<string, Migration>;
