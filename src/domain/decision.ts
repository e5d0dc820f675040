import type { Outcome } from './outcome.ts';
import { isKeptAs } from './text/storable.ts';
import { normalizeName } from './text/text.ts';

/** How binding a decision is: an axis shapes everything, a lock must not be broken, normal may be revised. */
export const STRENGTHS = ['axis', 'lock', 'normal'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** The scope that binds everywhere. */
export const GLOBAL_SCOPE = 'global';

/**
 * One version of something settled (D-1). Times are milliseconds UTC; confidence is 0..1. `isActive`, `outcome` and
 * `outcomeReason` are those of today: the log in store/decisions/outcome.ts has the outcomes of earlier days, and the
 * order of a chain is that of `version`, since a clock may go back.
 */
export interface Decision {
  id: string;
  rootId: string;
  version: number;
  previousVersionId: string | null;
  topic: string | null;
  text: string;
  reasoning: string | null;
  strength: Strength;
  scope: string;
  confidence: number;
  isActive: boolean;
  withdrawn: boolean;
  outcome: Outcome | null;
  outcomeReason: string | null;
  createdAt: number;
  updatedAt: number;
}

export const DEFAULT_CONFIDENCE = 0.5;

/**
 * What each version says for itself (B-1): the next version, an undo, a diff, an import and the past all go over these
 * fields. A value here is that of a first version which leaves the field out; the next version keeps what the one before it
 * says. `undefined`: a rule of {@link nextVersion} decides.
 */
export const FIELDS = {
  text: undefined,
  reasoning: undefined,
  strength: 'normal',
  scope: undefined,
  confidence: DEFAULT_CONFIDENCE,
} as const satisfies { [Name in keyof Decision]?: Decision[Name] | undefined };

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];
/** What a version says for itself. */
export type Content = Pick<Decision, Field>;

/** What a version says for itself, without its place in the chain and what happened to it since. */
export const contentOf = (version: Content): Content => contentBy((name) => version[name]);

/** What a version says for itself. @param find gives the value of each field */
export function contentBy(find: (name: Field) => unknown): Content {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, find(name)])) as unknown as Content;
}

/** A decision as a caller gives it; {@link nextVersion} fills in the fields that are left out. */
export interface Draft extends Given {
  text: string;
  topic?: string | undefined;
  withdrawn?: boolean | undefined;
}

type Given = { [Name in Exclude<Field, 'text'>]?: NonNullable<Decision[Name]> | undefined };

/**
 * The next version of a chain, or the first version of a new one (D-2, D-3, D-4). Strength, scope and confidence carry
 * over when they are not given; the outcome starts pending.
 * @param previous the newest version of the chain, active or withdrawn; null starts a chain
 * @param carried the version whose fields carry over; null for none, where all before it was a mistake (K-6)
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
  return {
    ...contentBy((name) => draft[name] ?? carried?.[name] ?? FIELDS[name]),
    id,
    rootId: previous?.rootId ?? id,
    version: (previous?.version ?? 0) + 1,
    previousVersionId: previous?.id ?? null,
    topic,
    reasoning: draft.reasoning ?? carriedReasoning(previous, draft),
    scope: draft.scope ?? carried?.scope ?? defaultScope(topic),
    isActive: !withdrawn,
    withdrawn,
    outcome: null,
    outcomeReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Whether a draft repeats the standing version: no field that it gives differs. Fields left out change nothing. */
export function saysTheSame(standing: Decision, draft: Draft): boolean {
  return (
    standing.isActive && FIELD_NAMES.every((name) => isSame(draft[name] ?? standing[name], standing[name]))
  );
}

function isSame(given: string | number | null, standing: string | number | null): boolean {
  return typeof given === 'string' && typeof standing === 'string'
    ? isKeptAs(given, standing)
    : given === standing;
}

/** What a draft would do to a standing axis or lock. */
export type Yielding = 'replace' | 'lower' | 'rescope' | 'withdraw';

/**
 * Whether an axis or a lock would give way to a draft, and how (D-20). Saying the same again, raising it, and another
 * confidence leave it as it is.
 * @returns undefined also for a normal decision, which may be revised
 */
export function yields(standing: Decision, draft: Draft): Yielding | undefined {
  if (!standing.isActive || standing.strength === 'normal') return undefined;
  if (draft.withdrawn) return 'withdraw';
  if (draft.text !== standing.text) return 'replace';
  const rank = (strength: Strength) => STRENGTHS.indexOf(strength);
  if (draft.strength && rank(draft.strength) > rank(standing.strength)) return 'lower';
  return draft.scope !== undefined && draft.scope !== standing.scope ? 'rescope' : undefined;
}

/** The same text with another strength or scope keeps its reasoning; another text brings its own. */
function carriedReasoning(previous: Decision | null, draft: Draft): string | null {
  return previous?.isActive && isKeptAs(draft.text, previous.text) ? previous.reasoning : null;
}

/** A topic's first segment (`cad:wall:thickness` → `cad`), else the global scope. */
export function defaultScope(topic: string | null): string {
  return normalizeName(topic?.split(':')[0] ?? '') || GLOBAL_SCOPE;
}

/** How a warning names a decision that was a mistake (K-6). */
export function takenBack(id: string): string {
  return `${id} was taken back as a mistake`;
}
