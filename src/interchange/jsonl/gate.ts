import { sql } from 'kysely';
import type { PrecedentError } from '../../domain/error.ts';
import { Arrivals } from '../../store/invariants/arrivals.ts';
import { checkRow, completed } from '../../store/invariants/check-row.ts';
import { checkTogether } from '../../store/invariants/examine.ts';
import type { Finding } from '../../store/invariants/finding.ts';
import { type Last, NONE_GIVEN_OUT } from '../../store/invariants/records-together.ts';
import type { Row } from '../../store/invariants/rule.ts';
import { LARGEST_NUMBER } from '../../store/invariants/value.ts';
import { nameEverything } from '../../store/names.ts';
import { NUMBERED, TABLE_NAMES, TABLES, type Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import type { Header } from './export.ts';
import { LineHash } from './line-hash.ts';
import { invalid } from './read.ts';

/** Tables that a stream without writers does not have: an import fills them by itself. */
const NEW_TABLES: Table[] = ['writers', 'topics', 'scopes', 'changes', 'saves', 'memoRevisions', 'origins'];

/** Lets the rows of a stream into a memory that break no rule, and fills in what an older version did not have. */
export class Gate {
  readonly #last: Last;
  readonly #isOlder: boolean;
  readonly #older: OlderRows;
  readonly #arrivals = new Arrivals();
  readonly #rows = new LineHash();
  /** The line of each table's first row: the others follow in the order of their keys. */
  readonly #first: { [T in Table]?: number } = {};

  /** @param newest the newest schema that this version of Precedent knows: an older one has fewer columns */
  constructor({ last, schema }: Header, newest: string) {
    this.#last = { ...NONE_GIVEN_OUT, ...last };
    this.#isOlder = schema < newest;
    this.#older = new OlderRows(schema);
    // An older version counted nobody who wrote.
    if (this.#older.isWithoutWriters) this.#last.writers = LARGEST_NUMBER;
  }

  /** The tables whose rows come from the stream, and are compared with it in the end. */
  get compared(): readonly Table[] {
    return this.#older.isWithoutWriters
      ? TABLE_NAMES.filter((table) => !NEW_TABLES.includes(table))
      : TABLE_NAMES;
  }

  /**
   * @returns the row with all columns that it has today, in their order; before it what it refers to and an older version
   *   had in the row itself
   * @throws PrecedentError `invalid` when it breaks a rule by itself or with the rows above it
   */
  admit(table: Table, row: Row, line: number): { table: Table; row: Row }[] {
    this.#first[table] ??= line;
    if (this.#older.isWithoutWriters && NEW_TABLES.includes(table)) {
      throw invalid(line, `rows of tables that its schema has, found one of ${table}`);
    }
    const { writer, present } = this.#older.toPresent(table, row);
    const whole = this.#isOlder ? completed(table, present) : row;
    if (writer) this.#admitWriter(writer, line);
    const [finding = this.#arrivals.check(table, whole, line)] = checkRow(table, whole);
    if (finding) throw refused(line, finding);
    this.#checkNumber(table, whole, line);
    if (this.#isOlder) this.#rows.add(JSON.stringify({ table, ...whole }));
    return [...(writer ? [{ table: 'writers' as const, row: writer }] : []), { table, row: whole }];
  }

  /** @throws PrecedentError `invalid` when rows that were written break a rule together */
  async close(tx: Tx): Promise<void> {
    const lost = this.#arrivals.end();
    if (lost) throw refused(1, lost);
    if (this.#older.isWithoutWriters) await nameEverything(tx.db);
    const [finding] = await checkTogether(tx, this.#last, 1);
    if (finding) throw refused(await this.#lineOf(tx, finding), finding);
  }

  /** The checksum that the rows of the memory must have now. @param given that of the rows as they came */
  checksum(given: string): string {
    return this.#isOlder ? this.#rows.checksum() : given;
  }

  /** An older row says itself who wrote it: that is held to the same rules. */
  #admitWriter(writer: Row, line: number): void {
    const [finding] = checkRow('writers', writer);
    if (finding) throw refused(line, finding);
    this.#arrivals.know('writers.id', writer.id);
  }

  /** The last number that the header names was given out last: none of a row is above it. */
  #checkNumber(table: Table, row: Row, line: number): void {
    const numbered = NUMBERED.find((each) => each === table);
    if (!numbered) return;
    const [key] = TABLES[numbered];
    const given = Number(row[key as string]);
    const last = this.#last[numbered];
    if (given <= last) return;
    throw invalid(
      line,
      `${key} to be at most ${last}, the last of ${numbered} in the header, found ${given}`,
    );
  }

  /** Rows stand in the order of their keys, so that those before one tell its line. */
  async #lineOf(tx: Tx, { table, key }: Finding): Promise<number> {
    const columns = TABLES[table] as string[];
    const first = this.#first[table];
    if (first === undefined || columns.some((column) => key[column] === undefined)) return 1;
    const { rows } = await sql<{ before: number }>`
      select count(*) as before from ${sql.table(table)}
      where (${sql.join(columns.map((column) => sql.ref(column)))})
        < (${sql.join(columns.map((column) => key[column]))})`.execute(tx.db);
    return first + (rows[0]?.before ?? 0);
  }
}

/** Lets every row in, as it is: for what a memory held already. */
export const OPEN_GATE: Pick<Gate, 'admit' | 'close' | 'checksum' | 'compared'> = {
  admit: (table, row) => [{ table, row }],
  compared: TABLE_NAMES,
  close: async () => {},
  checksum: (given) => given,
};

function refused(line: number, finding: Finding): PrecedentError {
  return invalid(finding.line ?? line, `${finding.expected}, found ${finding.found} (${finding.record})`);
}

/** Since this schema rows point to who wrote them, and topics and scopes have names of their own. */
const WRITERS_AND_NAMES = '0006';

/** Rows of a stream that an older version wrote, as the present one has them. */
class OlderRows {
  readonly isWithoutWriters: boolean;
  readonly #writers = new Map<string, number>();
  /** The first writer of each session. */
  readonly #sessions = new Map<string, number>();

  /** @param schema the newest migration of the memory that was exported */
  constructor(schema: string) {
    this.isWithoutWriters = schema < WRITERS_AND_NAMES;
  }

  /** @returns the row, and who wrote it when that is a new row of its own */
  toPresent(table: Table, row: Row): { present: Row; writer?: Row } {
    const { sessionId: session, client, ...others } = row;
    const isSaid = typeof session === 'string' && typeof client === 'string';
    if (!this.isWithoutWriters || !isSaid) return { present: row };
    const key = JSON.stringify([session, client]);
    const known = this.#writers.get(key);
    const id = known ?? this.#writers.size + 1;
    this.#writers.set(key, id);
    const first = this.#sessions.get(session) ?? id;
    this.#sessions.set(session, first);
    const present = { ...others, writer: id, ...(table === 'records' && { session: first }) };
    return known === undefined
      ? { present, writer: { id, author: '', host: '', client, session } }
      : { present };
  }
}
