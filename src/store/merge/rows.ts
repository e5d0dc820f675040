import type { Insertable } from 'kysely';
import { VersionsInOrder } from '../../domain/import/versions-in-order.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import { insertRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { TABLE_NAMES, type Table } from '../tables.ts';
import type { Tx, Writer, WriterRow } from '../tx.ts';
import { writerRow } from '../writer.ts';

/**
 * The rows that a merge adds, as they are planned: numbered behind what the memory held then, writers by numbers below
 * zero. They get the numbers that are free when they are written.
 */
export class NewRows {
  /** The last numbers that the memory had given out when the rows were planned. */
  readonly after: Record<Numbered, number>;
  readonly #last: Record<Numbered, number>;
  readonly #rows: { [T in Table]?: Insertable<Schema[T]>[] } = {};
  readonly #writers: Writer[] = [];

  constructor(after: Record<Numbered, number>) {
    this.after = after;
    this.#last = { ...after };
  }

  /** The next number of a table. */
  number(table: Numbered): number {
    this.#last[table]++;
    return this.#last[table];
  }

  /** A writer who gets a row with the others. */
  writer(writer: Writer): WriterRow {
    const number = -this.#writers.push(writer);
    return { id: number, session: number };
  }

  add<T extends Table>(table: T, row: Insertable<Schema[T]>): void {
    const rows: Insertable<Schema[T]>[] = this.#rows[table] ?? [];
    rows.push(row);
    this.#rows[table] = rows as never;
  }

  /** A row in the list of records. @param uid for a record that has only a number @returns its number */
  record(kind: RecordKind, { id, session }: WriterRow, uid: string | null = null): number {
    const seq = this.number('records');
    this.add('records', { seq, kind, writer: id, session, retractedAt: null, uid });
    return seq;
  }

  /** The new rows of a table. */
  of<T extends Table>(table: T): Insertable<Schema[T]>[] {
    return this.#rows[table] ?? [];
  }

  /**
   * Writes all of them, those first that others refer to.
   * @returns how the numbers in other rows of the same plan are to be read
   */
  async write(tx: Tx): Promise<Renumbering> {
    const renumbering = await Renumbering.begin(tx, this.after, this.#writers);
    for (const table of TABLE_NAMES) {
      const read = (column: string) => renumbering.column(table, column);
      await insertRows(tx, table, inOrder(table, this.of(table)) as never, { read });
    }
    await renumbering.goOnAfter(tx, this.#last);
    return renumbering;
  }
}

function inOrder(table: Table, rows: object[]): object[] {
  if (table !== 'decisions') return rows;
  const versions = new VersionsInOrder<object>();
  return [...rows.flatMap((row) => versions.next(row)), ...versions.rest()];
}

/** Tables whose numbers a merge gives out. */
type Numbered = 'records' | 'observations' | 'relations';
const NUMBERED: readonly Numbered[] = ['records', 'observations', 'relations'];

/** Columns that hold the number of a record, an observation or a relation; `id` is of its own table. */
const OF: Record<string, Numbered> = {
  seq: 'records',
  recordSeq: 'records',
  observationId: 'observations',
  fromId: 'observations',
  toId: 'observations',
  relationId: 'relations',
};

/**
 * What numbers of a plan are by the time it is carried out: others may have saved since, and have taken the numbers that
 * it gave out. Numbers that were there when it was made stay.
 */
export class Renumbering {
  readonly #after: Record<Numbered, number>;
  readonly #later: Record<Numbered, number>;
  readonly #writers: WriterRow[];

  private constructor(
    after: Record<Numbered, number>,
    later: Record<Numbered, number>,
    writers: WriterRow[],
  ) {
    this.#after = after;
    this.#later = later;
    this.#writers = writers;
  }

  /** @param after the last numbers when the plan was made @param writers of its rows, who get rows where they have none */
  static async begin(tx: Tx, after: Record<Numbered, number>, writers: Writer[]): Promise<Renumbering> {
    const now = await lastNumbers(tx);
    const later = { ...after };
    for (const table of NUMBERED) later[table] = now[table] - after[table];
    const rows: WriterRow[] = [];
    for (const writer of writers) rows.push(await writerRow({ ...tx, writer, writerRows: new Map() }));
    return new Renumbering(after, later, rows);
  }

  number(table: Numbered, planned: number): number {
    return planned > this.#after[table] ? planned + this.#later[table] : planned;
  }

  /** How the values of one column are written; undefined where they are as planned. */
  column(table: Table, column: string): ((planned: unknown) => unknown) | undefined {
    if (column === 'writer') return (planned) => this.#writer(planned)?.id ?? planned;
    if (column === 'session') return (planned) => this.#writer(planned)?.session ?? planned;
    const of = column === 'id' ? NUMBERED.find((each) => each === table) : OF[column];
    if (of === undefined || this.#later[of] === 0) return undefined;
    return (planned) => (typeof planned === 'number' ? this.number(of, planned) : planned);
  }

  /** Numbers that are given out next follow those of the plan. @param last of the plan */
  async goOnAfter(tx: Tx, last: Record<Numbered, number>): Promise<void> {
    for (const table of NUMBERED) {
      await tx.numbering.raise(tx.db, table, this.number(table, last[table]));
    }
  }

  #writer(planned: unknown): WriterRow | undefined {
    return typeof planned === 'number' && planned < 0 ? this.#writers[-planned - 1] : undefined;
  }
}

/** The last numbers that were given out. */
export async function lastNumbers(tx: Tx): Promise<Record<Numbered, number>> {
  const last = (table: Numbered) => tx.numbering.last(tx.db, table);
  return {
    records: await last('records'),
    observations: await last('observations'),
    relations: await last('relations'),
  };
}
