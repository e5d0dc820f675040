/**
 * Changes that no record of their own tells of (U-5). `moved`: an observation's project, scope or topic key. `repeated`: it
 * was saved again. `rewritten`: another text took the place of one that a revision keeps. `deleted`: an observation or a memo
 * is kept and hidden, `restored`: no longer; `erased`: it is gone for good. `retracted`: a version, an outcome, an evidence, an
 * anchor or a checkpoint was undone (K-6), is kept and hidden; `reinstated`: no longer. `joined`: a topic or a scope leads
 * elsewhere. `renamed`: a chain is called by another topic. `explored`: a step of a memo's exploration, not its first, found
 * nothing. `redacted`: a name that belongs to many records was blanked.
 */
export const CHANGE_KINDS = [
  'moved',
  'repeated',
  'rewritten',
  'deleted',
  'restored',
  'erased',
  'related',
  'unrelated',
  'retracted',
  'reinstated',
  'joined',
  'renamed',
  'explored',
  'redacted',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * The records and changes of one call, with numbers in the order of the saves (K-6). Its records and its changes are those between these
 * numbers, and nobody else's are, since writers take turns.
 */
export interface Save {
  id: number;
  /** Its writer, in the table of writers. */
  writer: number;
  /** Milliseconds UTC. */
  createdAt: number;
  firstRecord: number | null;
  lastRecord: number | null;
  firstChange: number | null;
  lastChange: number | null;
  /** The save that this one undid; undoing an undo is a redo. Each is undone once. */
  undoes: number | null;
}
