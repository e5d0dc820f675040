import { DEFAULT_CONFIDENCE, type Strength } from '../decision.ts';
import { invalid } from '../error.ts';
import { SAVED_KINDS, type SavedKind } from '../kinds.ts';
import type { OutcomeFilter } from '../outcome.ts';

/** The kinds of entries of a log: the kinds of records that people make, and changes that no record tells of (U-3). */
export type ListedKind = SavedKind | 'change';
export const LISTED_KINDS: ListedKind[] = [...SAVED_KINDS, 'change'];

/**
 * The states of a version of a decision: it is active, it was withdrawn, or another one replaced it; `any` of these.
 * `mistaken`: it was retracted, and is nowhere else (K-6).
 */
export const STATES = ['active', 'withdrawn', 'superseded', 'any', 'mistaken'] as const;
export type State = (typeof STATES)[number];

/**
 * The filter of a listing (U-4): the same in `list`, `log`, `search` and the API. All that is given must hold. Names are as
 * a person wrote them, times in milliseconds UTC.
 */
export interface Filter {
  /** The scope of a decision; of an outcome, an evidence or an anchor that of its decision. */
  scope?: string | undefined;
  /** The topic of a decision, as for `scope`, or the topic key of an observation. */
  topic?: string | undefined;
  /** A part of an author's name or address. */
  by?: string | undefined;
  /** A part of a program's name, or `agent` (V-1). */
  via?: string | undefined;
  /** The beginning of a session's id (V-1). */
  session?: string | undefined;
  /** The git branch that a decision was taken on. */
  branch?: string | undefined;
  /** Of an observation. */
  project?: string | undefined;
  type?: string | undefined;
  kinds?: ListedKind[] | undefined;
  outcome?: OutcomeFilter | undefined;
  strength?: Strength | undefined;
  state?: State | undefined;
  /** Not before this moment. */
  since?: number | undefined;
  /** Before this moment. */
  until?: number | undefined;
  /** Nothing came to the decision since: neither a version nor an outcome. */
  stale?: number | undefined;
  /** No version of it has evidence. */
  noEvidence?: boolean | undefined;
  /** It builds on a decision that failed. */
  failedBasis?: boolean | undefined;
  /** An active decision debates it. */
  debated?: boolean | undefined;
  /** Its author was less sure than usual. */
  unsure?: boolean | undefined;
  /** It may contradict what binds or failed on another topic, and neither links the other (T-6). */
  contradicted?: boolean | undefined;
  /** It may say what was replaced, withdrawn or failed under another topic, and does not say that both hold (CC-1). */
  outdated?: boolean | undefined;
  /** Machines that did not see each other decided differently on its topic, and nobody settled it yet (Y-2). */
  forked?: boolean | undefined;
  /** It is active and due for review (V-5). */
  due?: boolean | undefined;
  /** It has each of these words. */
  words?: string | undefined;
}
export type FilterKey = keyof Filter;

/** The parts that say who wrote it. */
export const OF_WRITER = ['by', 'via', 'session'] as const satisfies FilterKey[];

/** The parts that can be asked of any version of a decision, besides when it was made. */
export const OF_VERSION = [
  'scope',
  'topic',
  ...OF_WRITER,
  'branch',
  'outcome',
  'strength',
  'stale',
  'noEvidence',
  'failedBasis',
  'debated',
  'unsure',
  'due',
  'forked',
  'words',
] as const satisfies FilterKey[];

/** The parts that one word after `is:` says, and what each leaves. Of some models see no field. */
export const FLAGS = {
  noEvidence: { word: 'no-evidence', about: 'Only without evidence in any version' },
  failedBasis: { word: 'failed-basis', about: 'Only what builds on a failed decision' },
  debated: { word: 'debated', about: 'Only what an active decision debates' },
  unsure: { word: 'unsure', about: `Only with a confidence below ${DEFAULT_CONFIDENCE}` },
  due: { word: 'due', about: 'Only active ones that are due for review', model: false },
  forked: { word: 'forked', about: 'Only what was decided twice, until it is settled', model: false },
  contradicted: {
    word: 'contradicted',
    about: 'Only what may contradict a lock, an axis or a failure of another topic, unsettled',
  },
  outdated: {
    word: 'outdated',
    about: 'Only active ones that may still say what was replaced under another topic, unsettled',
    model: false,
  },
} as const satisfies { [Key in FilterKey]?: { word: string; about: string; model?: false } };
/** A flag as it is written after `is:`. */
export type FlagWord = (typeof FLAGS)[keyof typeof FLAGS]['word'];
export const FLAG_KEYS = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

/**
 * The state that a filter without one means: any for an outcome that was recorded, since most of what failed was replaced
 * (TR-8), else active.
 */
export function stateOf({ state, outcome }: Filter): State {
  return state ?? (outcome === undefined || outcome === 'pending' ? 'active' : 'any');
}

/** How a part of a filter is written. */
function written(key: FilterKey): string {
  if (key in FLAGS) return `is:${FLAGS[key as keyof typeof FLAGS].word}`;
  return key === 'words' ? key : `${key === 'kinds' ? 'kind' : key}:`;
}

/** The given parts of a filter. */
export function givenKeys(filter: Filter): FilterKey[] {
  return (Object.keys(filter) as FilterKey[]).filter((key) => filter[key] !== undefined);
}

/** Two filters as one. @throws PrecedentError `invalid` when both say something of the same */
export function bothFilters(one: Filter, other: Filter): Filter {
  const twice = givenKeys(one).find((key) => other[key] !== undefined);
  // A part that is missing in one does not hide the part of the other.
  const given = (filter: Filter) => Object.fromEntries(givenKeys(filter).map((key) => [key, filter[key]]));
  if (twice === undefined) return { ...given(one), ...given(other) };
  throw invalid.given_twice(
    `Expected ${written(twice).replace(/:$/, '')} once, found it in the filter and in a field of its own.`,
  );
}

/** @throws PrecedentError `invalid` for a part of a filter that a listing has no use for */
export function refuseOthers(filter: Filter, listing: string, known: readonly FilterKey[]): void {
  const other = givenKeys(filter).find((key) => !known.includes(key));
  if (other === undefined) return;
  const parts = known.map(written).join(', ');
  throw invalid.wrong_filter(
    `${listing}: Expected a filter of ${parts}; found ${written(other)}, which does not apply to what is listed.`,
  );
}
