import type { RawBuilder } from 'kysely';
import type { Views } from '../engine.ts';

/** The part of a memory that is looked at, where all of it would be too much. */
export interface Part {
  /** Only chains that had a version in this scope, and those of the scope that binds everywhere; undefined: none. */
  scope: string | undefined;
  /** Only observations of this project; undefined: none. */
  project: string | undefined;
}

/** Which rows were deleted since, and are recorded by changes alone. */
export interface Lost {
  relations: boolean;
  topics: boolean;
}

/** What the views of one moment are made of. Nothing in them is a parameter: they stand before any statement. */
export interface Past extends Views {
  /** The moment, in milliseconds UTC: what happened in it is seen. */
  at: RawBuilder<unknown>;
  part: Part | undefined;
  /** Whether a relation or a topic was removed since. Without one, a table is looked into by its indexes. */
  lost: Lost;
}

/** What a table is replaced by, or what other views read; each may read those before it. */
export interface View {
  /** The table's name. */
  name: string;
  rows: RawBuilder<unknown>;
  /** Set for one that is computed once a statement, since others look into it row by row. */
  once?: true;
}
