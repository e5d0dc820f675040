import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type FilterKey, OF_WRITER } from '../../domain/filter/filter.ts';
import type { TextKind } from '../columns.ts';
import type { Document } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { Table } from '../tables.ts';
import type { TextColumn } from '../texts.ts';
import type { Tx } from '../tx.ts';
import { recorded, writersOf } from '../writer.ts';
import { type Condition, holding, type Meant, within, writerOf, writtenBy } from './condition.ts';

/**
 * The description of a kind of record: everything that treats the kinds alike reads it. A kind without a
 * part is left out where that part is asked for.
 */
export interface Kind<T extends Table = Table> {
  /** Each of its rows has the number of its record in `seq`. */
  table: T;
  /** The column that says when it was saved, in milliseconds UTC. */
  at: 'created_at' | 'timestamp';
  /** The column with its title, and the one with its text. */
  title?: string;
  text?: string;
  /** The text of a record that a search looks at. */
  document?(row: Texts<T>): Document;
  /** The documents of these records, where a row alone does not say all. */
  documents?(tx: Tx, seqs: number[]): Promise<Document[]>;
  /** The records whose documents hold the text of this one, where it has no document itself. @param seq its number */
  heldBy?(seq: number): RawBuilder<{ seq: number }>;
  /**
   * Which of the records a search of everything may find, as a condition on `records as r`. Default: all.
   * @param project when given, only what belongs to it or to no project
   */
  findable?(project: string | undefined): Condition;
  /** How it is listed in the log. */
  log?: Log;
  /** Of a record with one text and no more to it: how it is shown next to others. */
  plain?: Plain<T>;
  /** Rows of other tables with texts of a record, which a redaction blanks with it. */
  texts?(row: Row<T>): TextPlace[];
}

/** A row of a table, as it is read. */
export type Row<T extends Table> = Selectable<Schema[T]>;

/** The texts of a row, with the number of its record. */
export type Texts<T extends Table> = Pick<Row<T>, Extract<keyof Row<T>, 'seq' | TextColumn<T>>>;

/** Something that the log lists, by the rows of a table. */
export interface Source {
  /** In the same millisecond a higher rank comes first; records among themselves go by number. */
  rank: number;
  /** The table, as `x`, or `d` for decisions; its rows are read in the order of an index. */
  from: Condition;
  at: Condition;
  number: Condition;
  second?: Condition;
  /** The parts of a filter that it can answer: with any other it has nothing to show. */
  answers: FilterKey[];
  where(tx: Tx, filter: Meant): (Condition | undefined)[];
}

/** Records in the log. */
export interface Log extends Source {
  /** The rows by their numbers, which a query finds in `wanted.id`. @param characters of a text that may be long */
  read(wanted: RawBuilder<unknown>, characters: number): RawBuilder<unknown>;
  /** The table of the ids that are read, where it is another one. */
  ids?: Table;
}

/** How a plain record is shown. */
export interface Plain<T extends Table = Table> {
  /** Its text in an entry of a search. */
  entry(row: Row<T>): string;
  /** How a model reads all of it, as an instruction. */
  whole: string;
  /** The notes of an export about these records: values of the front matter, parts of the text. */
  notes(tx: Tx, rows: Row<T>[]): Promise<{ values: Record<string, unknown>; parts: string[] }[]>;
}

/** Rows of one table that hold texts of a record; {@link textsOf} says in which columns. */
export interface TextPlace {
  table: Table;
  /** A condition on these rows. */
  where: RawBuilder<unknown>;
  /** The texts that are redacted in them. Default: texts of every kind. */
  kinds?: TextKind[];
  /** The value that tells a redacted name from others. Default: the row's key. */
  apart?: string;
  /** The texts to redact when no secret was given; without it every word is redacted, and no name. */
  secret?: string;
}

const RECORDS = 2;
/** The writer of the record of the row `x`, in a query of the log. */
export const WRITTEN = writersOf('x');
export const WHO = whoOf(sql`x.created_at`);
/** The same of records with another date. */
export function whoOf(at: Condition): Condition {
  return sql`w.author, w.client, r.retracted_at, ${at} as dated, ${recorded(sql`x.seq`, at)} as recorded`;
}

/** The rows of a table in the log. @param at the column that says when a record was saved */
export function logOf(
  table: Table,
  log: Pick<Log, 'where' | 'read' | 'ids'> & { answers: FilterKey[] },
  at: Kind['at'] = 'created_at',
): Log {
  const moment = sql.ref(`x.${at}`);
  return {
    ...log,
    rank: RECORDS,
    from: sql`${sql.table(table)} as x`,
    at: moment,
    number: sql`x.seq`,
    answers: [...OF_WRITER, ...log.answers],
    where: (tx, filter) => [
      writtenBy(tx, writerOf(sql`x.seq`), filter),
      within(moment, filter, sql`x.seq`),
      ...log.where(tx, filter),
    ],
  };
}

/** The log of a plain record, which can be asked for words. @param text the column with its text, or the one that it had first */
export function plainLog(table: Table, text: Condition): Log {
  return logOf(table, {
    answers: ['words'],
    where: (tx, { words }) => [holding(tx, sql`x.seq`, words)],
    read: (wanted, characters) => sql`select x.seq, x.id, substr(${text}, 1, ${characters}) as text, ${WHO}
      from ${wanted} join ${sql.table(table)} as x on x.seq = wanted.id ${WRITTEN}`,
  });
}
