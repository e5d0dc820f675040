import type { Table } from '../tables.ts';
import type { Tx, Writer, WriterRow } from '../tx.ts';
import { writerRow } from '../writer.ts';

/** Tables whose numbers a merge gives out. */
export type Numbered = 'records' | 'observations' | 'relations';
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
