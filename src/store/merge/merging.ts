import { hashOfFact } from '../../domain/arrival/arriving.ts';
import type { AnyFact, Facts, Merged, Tally } from '../../domain/arrival/facts.ts';
import type { Origin } from '../../domain/arrival/origin.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { label } from '../../domain/text/label.ts';
import type { Tx, Writer, WriterRow } from '../tx.ts';
import { writerRow } from '../writer.ts';
import { keyOf, originsOf, restOf } from './origins.ts';
import { NewRows } from './rows.ts';

/** A fact with what it is known by here. */
export type Known<Fact extends AnyFact> = Fact & { known: string; hash: string };

/** One merge: what every kind of fact needs while it is taken in. */
export class Merging {
  readonly tx: Tx;
  readonly source: string;
  readonly origins: Map<string, Origin>;
  readonly rows: NewRows;
  readonly merged: Merged;
  /** Origins that are new, or other than they were. */
  readonly changed = new Map<string, Origin>();
  /** The numbers of observations that were looked up, by their keys. */
  readonly numbers = new Map<string, number>();
  /** Places of topic keys that observations of this merge have. */
  readonly takenKeys = new Set<string>();
  /** Scopes as decisions carry them, by their folded names. */
  readonly scopes = new Map<string, string>();
  /** Topic keys that observations of this memory have, once they were asked for. */
  keysHere: Promise<Map<string, { id: number; title: string }>> | undefined;
  /** The relations of this merge, by their ends and type. */
  readonly relations = new Map<string, number>();
  /** What is done before the new rows are written. */
  readonly before: (() => Promise<void>)[] = [];
  /** What is done when they are written. */
  readonly after: (() => Promise<void>)[] = [];
  readonly #writers = new Map<string, Promise<WriterRow>>();

  private constructor(
    tx: Tx,
    { source, skipped, warnings }: Facts,
    origins: Map<string, Origin>,
    rows: NewRows,
  ) {
    this.tx = tx;
    this.source = source;
    this.origins = origins;
    this.rows = rows;
    const none = (): Tally => ({ new: 0, changed: 0, same: 0 });
    this.merged = {
      source,
      decisions: none(),
      observations: none(),
      checkpoints: none(),
      relations: none(),
      conflicts: [],
      renumbered: [],
      unresolved: [],
      skipped: [...skipped],
      warnings: [...warnings],
    };
  }

  static async begin(tx: Tx, facts: Facts): Promise<Merging> {
    return new Merging(tx, facts, await originsOf(tx, facts.source), await NewRows.after(tx));
  }

  know<Fact extends AnyFact>(fact: Fact): Known<Fact> {
    return { ...fact, known: keyOf(this.source, fact.key), hash: hashOfFact(fact) };
  }

  /** Who wrote a fact there: the program is the source. */
  writer(fact: Pick<AnyFact, 'author' | 'session'>): Promise<WriterRow> {
    const who = this.writerOf(fact);
    const name = JSON.stringify([who.author, who.session]);
    const row = this.#writers.get(name) ?? writerRow({ ...this.tx, writer: who, writerRows: new Map() });
    this.#writers.set(name, row);
    return row;
  }

  writerOf({ author = '', session }: Pick<AnyFact, 'author' | 'session'>): Writer {
    const client = `import:${this.source}`;
    return { author: label(author), host: '', client, session: label(session ?? '') || client };
  }

  /** What became of a fact. @param state what of the record tells that it changed here since */
  came(
    fact: Known<AnyFact>,
    to: Pick<Origin, 'recordSeq'> | Pick<Origin, 'relationId'>,
    state: unknown,
  ): void {
    this.put({
      source: this.source,
      key: fact.known,
      recordSeq: null,
      relationId: null,
      ...to,
      hash: fact.hash,
      written: stateHash(state),
      rest: restOf(fact),
    });
  }

  /** A part of a fact, which became a record of its own: outcome, evidence, withdrawal, an earlier version. */
  partCame(key: string, recordSeq: number): void {
    const hash = sha256(key);
    this.put({ source: this.source, key, recordSeq, relationId: null, hash, written: hash, rest: null });
  }

  put(origin: Origin): void {
    this.origins.set(origin.key, origin);
    this.changed.set(origin.key, origin);
  }

  /** The transaction in which something of the source is written, at its time and by its writer. */
  at(time: number, fact: Pick<AnyFact, 'author' | 'session'>): Tx {
    return { ...this.tx, now: time, writer: this.writerOf(fact), writerRows: new Map() };
  }
}

/** What tells whether a record is still as the import left it. */
export function stateHash(state: unknown): string {
  return sha256(JSON.stringify(state));
}
