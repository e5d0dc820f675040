import {
  copies,
  filesStale,
  forked,
  imported,
  missingOutcomes,
  placesGone,
  staleGrounds,
  toRevisit,
  withoutHints,
} from './due.ts';
import { saved } from './saved.ts';
import type { WaitingKind } from './waiting.ts';

/** What waits for a person (V-3): a new kind is a line here, and `GROUPS` says in which order it is shown. */
export const WAITING: readonly WaitingKind[] = [
  forked,
  copies,
  imported,
  saved,
  toRevisit,
  missingOutcomes,
  staleGrounds,
  placesGone,
  filesStale,
  withoutHints,
];
