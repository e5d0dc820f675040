import { hashOfFact } from '../../domain/import/clean.ts';
import { type AnyFact, byFactKind, type Facts, type Merged } from '../../domain/import/facts.ts';
import type { Origin } from '../../domain/import/origin.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { label } from '../../domain/text/label.ts';
import type { Tx, Writer, WriterRow } from '../tx.ts';
import { writerRow } from '../writer.ts';
import { clientOf, keyOf, restOf } from './origins.ts';
import type { NewRows } from './rows.ts';

/** A fact with its stable key, the name that the keys of its parts begin with, and its hash. */
export type Keyed<Fact extends AnyFact> = Fact & { importKey: string; name: string; hash: string };

/** Facts with their keys. */
export type KeyedFacts = {
  [Kind in keyof Facts]: Facts[Kind] extends (infer Fact extends AnyFact)[] ? Keyed<Fact>[] : Facts[Kind];
};

/** Names and hashes of all facts: they follow from the facts alone, and cost a good part of a merge. */
export function withKeys(facts: Facts): KeyedFacts {
  const know = <Fact extends AnyFact>(fact: Fact): Keyed<Fact> => {
    const name = 'of' in fact ? `${fact.of}:${fact.key}` : fact.key;
    return { ...fact, name, importKey: keyOf(facts.source, name), hash: hashOfFact(fact) };
  };
  return {
    ...facts,
    decisions: facts.decisions.map(know),
    observations: facts.observations.map(know),
    checkpoints: facts.checkpoints.map(know),
    relations: facts.relations.map(know),
  };
}

/** The plan of one merge: what every kind of fact needs while it is looked at, and what is to be done. */
export class MergePlan {
  /** The transaction that it is planned and carried out in. */
  readonly tx: Tx;
  readonly source: string;
  readonly origins: Map<string, Origin>;
  readonly rows: NewRows;
  readonly merged: Merged;
  /** Origins that are new, or other than they were. */
  changed = new Map<string, Origin>();
  /** The numbers of observations that were looked up, by their keys. */
  readonly numbers = new Map<string, number>();
  /** Places of topic keys that observations of this merge have. */
  readonly takenKeys = new Set<string>();
  /** Scopes as decisions carry them, by their folded names. */
  readonly scopes = new Map<string, string>();
  /** Those of them that are in use here. */
  readonly scopesUsed = new Set<string>();
  /** The targets of scope names in this memory, once they were asked for. */
  scopesHere: Promise<Record<'exact' | 'any', Map<string, string>>> | undefined;
  /** Topic keys that observations of this memory have, once they were asked for. */
  keysHere: Promise<Map<string, { id: number; title: string }>> | undefined;
  /** The relations of this merge, by their ends and type. */
  readonly relations = new Map<string, number>();
  /** Since when names that are in use here are used by what came, by name. */
  readonly used = { topics: new Map<string, number>(), scopes: new Map<string, number>() };
  /** The ids that decisions of the source have or get. */
  readonly ids = new Set<string>();
  /** The chains that decisions go on, by their keys. */
  readonly followed = new Map<string, string>();
  /** Work that is done when the new rows are written. */
  readonly after: (() => Promise<unknown>)[] = [];
  readonly #writers = new Map<string, WriterRow>();

  constructor(
    tx: Tx,
    { source, read = [], skipped, warnings }: KeyedFacts,
    origins: Map<string, Origin>,
    rows: NewRows,
  ) {
    this.tx = tx;
    this.source = source;
    this.origins = origins;
    this.rows = rows;
    this.merged = {
      source,
      ...byFactKind(() => ({ new: 0, changed: 0, same: 0 })),
      binding: { axes: 0, locks: 0 },
      conflicts: [],
      renumbered: [],
      unresolved: [],
      read: [...read],
      skipped: [...skipped],
      warnings: [...warnings],
    };
  }

  /** The writer of a fact: its program is the source. */
  async writer(fact: Pick<AnyFact, 'author' | 'session'>): Promise<WriterRow> {
    const who = this.writerOf(fact);
    const name = JSON.stringify([who.author, who.session]);
    const row =
      this.#writers.get(name) ?? (await writerRow({ ...this.tx, writer: who, writerRows: new Map() }));
    this.#writers.set(name, row);
    return row;
  }

  writerOf({ author = '', session }: Pick<AnyFact, 'author' | 'session'>): Writer {
    const client = clientOf(this.source);
    return { author: label(author), host: '', client, session: label(session ?? '') || client };
  }

  /** The result for a fact. @param state what of the record tells that it changed here since */
  recordOrigin(
    fact: Keyed<AnyFact>,
    to: Pick<Origin, 'recordSeq'> | Pick<Origin, 'relationId'>,
    state: unknown,
  ): void {
    this.setOrigin({
      source: this.source,
      key: fact.importKey,
      recordSeq: null,
      relationId: null,
      ...to,
      hash: fact.hash,
      written: stateHash(state),
      rest: restOf(fact),
    });
  }

  /** A part of a fact, which became a record of its own: outcome, evidence, withdrawal, an earlier version. */
  recordPartOrigin(key: string, recordSeq: number): void {
    const hash = sha256(key);
    this.setOrigin({
      source: this.source,
      key,
      recordSeq,
      relationId: null,
      hash,
      written: hash,
      rest: null,
    });
  }

  /** Changed both there and here: neither side is touched. */
  conflict(what: string, why: string): void {
    this.merged.conflicts.push({ what, why });
  }

  setOrigin(origin: Origin): void {
    this.origins.set(origin.key, origin);
    this.changed.set(origin.key, origin);
  }

  /** The transaction in which something of the source is written, at its time and by its writer. */
  at(time: number, fact: Pick<AnyFact, 'author' | 'session'>): Tx {
    return { ...this.tx, now: time, writer: this.writerOf(fact), writerRows: new Map() };
  }
}

/** The state that tells whether a record is still as the import left it. */
export function stateHash(state: unknown): string {
  return sha256(JSON.stringify(state));
}
