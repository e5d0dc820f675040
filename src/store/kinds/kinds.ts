import { type PlainKind, RECORD_KINDS, type RecordKind, type SavedKind } from '../../domain/kinds.ts';
import { textsOf } from '../texts.ts';
import { anchor } from './anchor.ts';
import { checkpoint } from './checkpoint.ts';
import { decision } from './decision.ts';
import { evidence } from './evidence.ts';
import { keyword } from './keyword.ts';
import type { Kind, Log, Plain } from './kind.ts';
import { memo } from './memo.ts';
import { observation } from './observation.ts';
import { outcome } from './outcome.ts';
import { redaction } from './redaction.ts';

/** The description of each kind of record for the store. The compiler asks for the parts that a kind must have. */
export const STORED: Readonly<
  Record<RecordKind, Kind> & Record<SavedKind, { log: Log }> & Record<PlainKind, { plain: Plain }>
> = {
  decision,
  outcome,
  evidence,
  anchor,
  checkpoint,
  observation,
  keyword,
  memo,
  redaction,
};

/** The kinds that a search looks at. */
export const SEARCHED_KINDS = RECORD_KINDS.filter((kind) => STORED[kind].document ?? STORED[kind].documents);

/** The kinds whose records have an id of their own, by which people name them. */
export const KINDS_WITH_ID = RECORD_KINDS.filter((kind) =>
  textsOf(STORED[kind].table).some(({ column }) => column === 'id'),
);
