import { nameEverything } from '../../store/names.ts';
import type { Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import { writerNumber } from '../../store/writer.ts';
import type { Row } from './read.ts';

/** Since this schema rows point to who wrote them, and topics and scopes have names of their own. */
const WRITERS_AND_NAMES = '0006';

/** Rows of a stream that an older version wrote, as the present one has them. */
export class OlderRows {
  readonly #tx: Tx;
  readonly #isOlder: boolean;
  readonly #writers = new Map<string, number>();

  /** @param schema the newest migration of the memory that was exported */
  constructor(tx: Tx, schema: string) {
    this.#tx = tx;
    this.#isOlder = schema < WRITERS_AND_NAMES;
  }

  async toPresent(table: Table, row: Row): Promise<Row> {
    const isWritten = this.#isOlder && table !== 'conversations' && 'sessionId' in row;
    if (!isWritten) return row;
    const { sessionId, client, ...others } = row;
    return { ...others, writer: await this.#writerOf(String(sessionId), String(client)) };
  }

  /** Called when all rows are written. */
  async finish(): Promise<void> {
    if (this.#isOlder) await nameEverything(this.#tx.db);
  }

  async #writerOf(session: string, client: string): Promise<number> {
    const key = JSON.stringify([session, client]);
    const known = this.#writers.get(key);
    if (known !== undefined) return known;
    const writer = { author: '', host: '', client, session };
    const number = await writerNumber({ ...this.#tx, writer, writerNumbers: new Map() });
    this.#writers.set(key, number);
    return number;
  }
}
