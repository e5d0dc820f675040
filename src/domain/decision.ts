import type { Outcome } from './outcome.ts';
import { patternsIn } from './place.ts';
import { dayOf, iso } from './text/moment.ts';
import { equalAfterNormalizing } from './text/storable.ts';
import { countCharacters, LIMITS, normalizeName } from './text/text.ts';

/** How binding a decision is: an axis shapes everything, a lock must not be broken, normal may be revised. */
export const STRENGTHS = ['axis', 'lock', 'normal'] as const satisfies readonly Strength[];
export type Strength = Content['strength'];

/** The scope that binds everywhere. */
export const GLOBAL_SCOPE = 'global';
/**
 * One version of a decision (D-1). Times are milliseconds UTC; confidence is 0..1. `isActive`, `outcome` and `outcomeReason`
 * are the present ones: the log in store/decisions/outcome.ts has earlier outcomes. `version` orders a chain, since a clock
 * may go back.
 */
export interface Decision extends Content {
  id: string;
  rootId: string;
  version: number;
  previousVersionId: string | null;
  /** Of a correction of wording, a move or an undo: the version that was decided, whose author, date and outcome stay (TR-3). */
  tidies: string | null;
  topic: string | null;
  isActive: boolean;
  withdrawn: boolean;
  outcome: Outcome | null;
  outcomeReason: string | null;
  createdAt: number;
  updatedAt: number;
}

export const DEFAULT_CONFIDENCE = 0.5;

/** The fields that each version of a decision has of its own. Null: it has none. */
export interface Content {
  text: string;
  reasoning: string | null;
  strength: 'axis' | 'lock' | 'normal';
  scope: string;
  confidence: number;
  revisit: string | null;
  /** In the form that {@link placesFrom} returns. */
  files: string | null;
  branch: string | null;
}
export type Field = keyof Content;

/** The kind of a field. Each layer reads, checks, stores and shows fields by their kind, not one by one. */
export type Held =
  | { kind: 'words' | 'name'; limit: number }
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'number'; least: number; most: number }
  | { kind: 'day' }
  | { kind: 'places' };

/** A field of a record. */
type FieldOf<Value> = Held & {
  /** How help and schemas describe it. */
  about: string;
  /**
   * Its value in a first version that leaves it out; null if it is optional. If there is no `first`, {@link nextVersion}
   * decides.
   */
  first?: Value;
  /** Only `mama_save` offers it to agents: each field of a tool takes room in their context. */
  isAside?: true;
  /** A list for people shows it, behind its name. */
  isListed?: true;
  /** The program fills it in. Agents are not shown it, but may give it. */
  isFilled?: true;
};

/**
 * The fields of a decision, defined once (B-1): input, storage, comparison, restoring, views, export and import all use this
 * table. A new field is a line here and in {@link Content}, and a column. Its name is one word, so that it is the same in
 * every family, in front matter and in the database.
 */
export const FIELDS: { readonly [Name in Field]: FieldOf<Content[Name]> } = {
  text: { kind: 'words', limit: LIMITS.decision, about: 'What was decided, as one clear rule' },
  reasoning: {
    kind: 'words',
    limit: LIMITS.reasoning,
    about:
      'Why. May link decisions by id or topic: "builds_on: <id>", "debates: auth:token", "synthesizes: [<id>, <id>]"',
    first: null,
  },
  strength: {
    kind: 'choice',
    of: STRENGTHS,
    about: 'In its scope, axis: shapes everything; lock: must not be broken; normal (default)',
    first: 'normal',
  },
  scope: {
    kind: 'name',
    limit: LIMITS.scope,
    about: 'Where it holds, such as "ui". Default: the first segment of the topic, else "global"',
  },
  confidence: {
    kind: 'number',
    least: 0,
    most: 1,
    about: `How sure; default: as before, else ${DEFAULT_CONFIDENCE}`,
    first: DEFAULT_CONFIDENCE,
  },
  revisit: { kind: 'day', about: 'ISO day to review it', first: null, isAside: true, isListed: true },
  files: { kind: 'places', about: 'Files it binds: patterns, a line each', first: null, isAside: true },
  branch: {
    kind: 'name',
    limit: LIMITS.branch,
    about: 'The git branch it was made on; default: the current one, unless it is the main branch',
    first: null,
    isFilled: true,
  },
};
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** The fields besides the text and its reason: one line each in front matter. */
export type Attribute = Exclude<Field, 'text' | 'reasoning'>;
export const ATTRIBUTES = FIELD_NAMES.filter(
  (name): name is Attribute => name !== 'text' && name !== 'reasoning',
);

/** The attributes that a version may lack, so that one that is present is worth showing. */
export const OPTIONAL = ATTRIBUTES.filter(
  (name): name is { [Each in Attribute]: null extends Content[Each] ? Each : never }[Attribute] =>
    FIELDS[name].first === null,
);

/** An object with a value that `make` gives for each field. */
export function byField<Each extends { [Name in Field]: unknown } = Content>(
  make: (name: Field) => unknown,
): Each {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, make(name)])) as Each;
}

/**
 * The fields of a version, without its place in the chain and what happened to it since. A field that an older program did
 * not know is null.
 */
export const contentOf = (version: Content): Content => byField((name) => version[name] ?? null);

/** The attributes that a version has, with their values. */
export const attributesOf = (version: Content): [name: Attribute, value: string | number][] =>
  ATTRIBUTES.flatMap((name) => (version[name] === null ? [] : [[name, version[name]]]));

/** A decision as a caller gives it; {@link nextVersion} fills in the fields that are left out. */
export interface Draft extends Given {
  text: string;
  topic?: string | undefined;
  withdrawn?: boolean | undefined;
}

/** A draft that says all that a version says of what it binds: nothing would carry over from the one before. */
export const draftLike = ({ text, strength, scope, files, withdrawn }: Decision): Draft => ({
  ...{ text, strength, scope, withdrawn },
  // Without any, those of the version before would carry over.
  files: files ?? '',
});

type Given = { [Name in Exclude<Field, 'text'>]?: NonNullable<Content[Name]> | undefined };

/**
 * The next version of a chain, or the first version of a new one (D-2, D-3, D-4). Strength, scope and confidence carry
 * over when they are not given; the outcome starts pending.
 * @param previous the newest version of the chain, active or withdrawn; null starts a chain
 * @param carried the version whose fields carry over; null for none, where all before it was undone (K-6)
 */
export function nextVersion(
  previous: Decision | null,
  draft: Draft,
  id: string,
  now: number,
  carried = previous,
): Decision {
  const topic = previous ? previous.topic : (draft.topic ?? null);
  const withdrawn = draft.withdrawn ?? false;
  // Never earlier than the version before, whatever the clock says (Y-6).
  const at = Math.max(now, previous?.createdAt ?? now);
  return {
    ...byField((name) => {
      const value = draft[name] ?? carried?.[name] ?? FIELDS[name].first;
      // Left out: as before. An empty text: none.
      return FIELDS[name].first === null ? value || null : value;
    }),
    id,
    rootId: previous?.rootId ?? id,
    version: (previous?.version ?? 0) + 1,
    previousVersionId: previous?.id ?? null,
    tidies: null,
    topic,
    reasoning: draft.reasoning ?? carriedReasoning(previous, draft),
    scope: draft.scope ?? carried?.scope ?? defaultScope(topic),
    revisit: (draft.revisit ?? stillAhead(carried, now)) || null,
    // The branch of this version, not of the one before.
    branch: draft.branch || null,
    isActive: !withdrawn,
    withdrawn,
    outcome: null,
    outcomeReason: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** Whether a draft repeats the active version: no field that it gives differs. Fields left out change nothing. */
export function isUnchanged(current: Decision, draft: Draft): boolean {
  return (
    current.isActive &&
    FIELD_NAMES.every((name) => isSame((draft[name] ?? current[name]) || null, current[name] || null))
  );
}

function isSame(given: string | number | null, current: string | number | null): boolean {
  return typeof given === 'string' && typeof current === 'string'
    ? equalAfterNormalizing(given, current)
    : given === current;
}

/** The version that was decided: its own id, unless it only tidies another one (TR-3). */
export const decidedId = ({ id, tidies }: Pick<Decision, 'id' | 'tidies'>): string => tidies ?? id;

/**
 * The next version as one that tidies the version before it (TR-3): author, date, reason and outcome of that one stay.
 * @param isMove whether only files or scope change, so that a reason which is given says why it moved, not why it holds
 */
export const tidying = (before: Decision, next: Decision, isMove: boolean): Decision => ({
  ...next,
  tidies: decidedId(before),
  // It is no review of the decision (V-5).
  revisit: next.revisit ?? before.revisit,
  reasoning: isMove ? behind(before.reasoning, 'Moved', next.reasoning) : next.reasoning,
  outcome: before.outcome,
  outcomeReason: before.outcomeReason,
});

/** Fields that a move changes. */
const PLACE: Field[] = ['files', 'scope', 'branch'];

/** Whether a version only moves the active one before it to other files or another scope, where it does not hold everywhere. */
export const isMoved = (before: Decision, next: Decision): boolean =>
  before.isActive &&
  !next.withdrawn &&
  (before.scope !== next.scope || before.files !== next.files) &&
  (before.scope === next.scope || next.scope !== GLOBAL_SCOPE) &&
  // A day that has passed does not carry over.
  (next.revisit === null || before.revisit === next.revisit) &&
  FIELD_NAMES.every(
    (name) =>
      PLACE.includes(name) || name === 'reasoning' || name === 'revisit' || before[name] === next[name],
  );

/** Why something was decided, without why it was moved or brought back since (TR-3). */
export const ownReason = (reasoning: string): string =>
  reasoning.replace(/(?:^|\n\n)(?:Moved|Brought back): .*$/s, '');

/** Why something holds, and after it, said as such, why it was last moved or brought back (TR-3), while both have room. */
export function behind(
  then: string | null,
  how: 'Moved' | 'Brought back',
  now: string | null | undefined,
): string | null {
  if (!now || (then !== null && now.startsWith(then))) return now || then;
  const why = then && ownReason(then);
  const both = `${why ? `${why}\n\n` : ''}${how}: ${now}`;
  return countCharacters(both) > LIMITS.reasoning ? then : both;
}

/** The effect of a call on an active axis or lock. */
export type Override = 'replace' | 'lower' | 'rescope' | 'unbind' | 'rename' | 'withdraw';

/**
 * Whether a draft would override an axis or a lock, and how (D-20). The same text, a higher strength, more files and another
 * confidence do not.
 * @returns undefined also for a normal decision, which may be revised
 */
export function overrides(current: Decision, draft: Draft): Override | undefined {
  return current.isActive && current.strength !== 'normal' ? howOverridden(current, draft) : undefined;
}

/** How a draft would override a version of any strength, active or not. */
export function howOverridden(current: Content, draft: Draft): Exclude<Override, 'rename'> | undefined {
  if (draft.withdrawn) return 'withdraw';
  if (draft.text !== current.text) return 'replace';
  const rank = (strength: Strength) => STRENGTHS.indexOf(strength);
  if (draft.strength && rank(draft.strength) > rank(current.strength)) return 'lower';
  if (draft.scope !== undefined && draft.scope !== current.scope) return 'rescope';
  const files = patternsIn(draft.files ?? current.files);
  return patternsIn(current.files).every((each) => files.includes(each)) ? undefined : 'unbind';
}

/** The day on which to review a decision again (V-5). A version saved on or after that day counts as the review. */
function stillAhead(carried: Decision | null, now: number): string | null {
  const day = carried?.revisit ?? null;
  return day !== null && day > dayOf(iso(now)) ? day : null;
}

/** A version with the same text keeps the reasoning; a new text needs its own. */
function carriedReasoning(previous: Decision | null, draft: Draft): string | null {
  return previous?.isActive && equalAfterNormalizing(draft.text, previous.text) ? previous.reasoning : null;
}

/** A topic's first segment (`cad:wall:thickness` → `cad`), else the global scope. */
export function defaultScope(topic: string | null): string {
  return normalizeName(topic?.split(':')[0] ?? '') || GLOBAL_SCOPE;
}

/** How a warning names a decision that was undone (K-6). */
export function wasMistake(id: string): string {
  return `${id} was undone as a mistake`;
}
