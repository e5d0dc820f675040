import type { Row } from '../../store/invariants/rule.ts';
import type { Table } from '../../store/tables.ts';

/** Since this schema rows point to who wrote them, and topics and scopes have names of their own. */
const WRITERS_AND_NAMES = '0006';

/** Rows of a stream that an older version wrote, as the present one has them. */
export class OlderRows {
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
