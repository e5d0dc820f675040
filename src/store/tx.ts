import type { Db, Document, Engine } from './engine.ts';

/** Who is writing: kept with each record (D-14). */
export interface Author {
  /** One connection of an agent, or one run of a program. */
  session: string;
  /** The program, as it names itself: `claude-code 2.1.329`, `cli`, `library`. */
  client: string;
}

/** One running transaction: one snapshot, one `now`, one author. Every store function takes it first. */
export interface Tx extends Omit<Engine, 'db' | 'inspect' | 'integrity' | 'scrub' | 'close'> {
  readonly db: Db;
  /** Milliseconds UTC, the same throughout the transaction. */
  readonly now: number;
  readonly author: Author;
  readonly workspace: string;
  readonly newId: () => string;
  /** What a question means, when a model said so: searches look for it beside its words. */
  readonly meaning: Meaning | undefined;
  /** Why it is not known, when a model should have said so. */
  readonly degraded: string | undefined;
  /** Documents written in this transaction, whose meaning is not known yet. */
  readonly written: Document[];
}

/** What a model said of a question, or why it did not. */
export interface Understanding {
  meaning?: Meaning;
  degraded?: string;
}

/** A question as a model's vector of unit length. */
export interface Meaning {
  model: string;
  vector: Float32Array;
}

/** Thrown inside a transaction that another one overtook: the whole operation runs again on what is now there. */
export class LostRace extends Error {}
