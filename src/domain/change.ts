/**
 * What changed that no record of its own tells of (U-5). `moved`: an observation's project, scope or topic key.
 * `repeated`: it was saved again. `deleted`: it is kept and hidden; `erased`: it is gone for good. `joined`: a topic or a
 * scope leads elsewhere. `explored`: a step of a memo's exploration found nothing. `redacted`: a name that belongs to many
 * records was blanked.
 */
export const CHANGE_KINDS = [
  'moved',
  'repeated',
  'deleted',
  'erased',
  'related',
  'unrelated',
  'joined',
  'explored',
  'redacted',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
