import type { Outcome } from './outcome.ts';
import { normalizeName } from './text.ts';

/** How binding a decision is: an axis shapes everything, a lock must not be broken, normal may be revised. */
export const STRENGTHS = ['axis', 'lock', 'normal'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** The scope that binds everywhere. */
export const GLOBAL_SCOPE = 'global';

/** One version of something settled (D-1). Times are milliseconds UTC; confidence is 0..1. */
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

/** What a caller says of a decision; what is left out is inherited or defaulted by {@link nextVersion}. */
export interface Draft {
  text: string;
  topic?: string | undefined;
  reasoning?: string | undefined;
  strength?: Strength | undefined;
  scope?: string | undefined;
  confidence?: number | undefined;
  withdrawn?: boolean | undefined;
}

const DEFAULT_STRENGTH: Strength = 'normal';
const DEFAULT_CONFIDENCE = 0.5;

/**
 * The next version of a chain, or the first of a new one (D-2, D-3, D-4). Strength, scope and confidence
 * that are not given carry over; the outcome starts pending.
 * @param previous the newest version of the chain, active or withdrawn; null starts a chain
 */
export function nextVersion(previous: Decision | null, draft: Draft, id: string, now: number): Decision {
  const topic = previous ? previous.topic : (draft.topic ?? null);
  const withdrawn = draft.withdrawn ?? false;
  return {
    id,
    rootId: previous?.rootId ?? id,
    version: (previous?.version ?? 0) + 1,
    previousVersionId: previous?.id ?? null,
    topic,
    text: draft.text,
    reasoning: draft.reasoning ?? carriedReasoning(previous, draft),
    strength: draft.strength ?? previous?.strength ?? DEFAULT_STRENGTH,
    scope: draft.scope ?? previous?.scope ?? defaultScope(topic),
    confidence: draft.confidence ?? previous?.confidence ?? DEFAULT_CONFIDENCE,
    isActive: !withdrawn,
    withdrawn,
    outcome: null,
    outcomeReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Whether a draft says again what stands: same text and reasoning, and no other field that would change.
 * What the draft leaves out changes nothing.
 */
export function saysTheSame(standing: Decision, draft: Draft): boolean {
  return (
    standing.isActive &&
    draft.text === standing.text &&
    (draft.reasoning ?? standing.reasoning) === standing.reasoning &&
    (draft.strength ?? standing.strength) === standing.strength &&
    (draft.scope ?? standing.scope) === standing.scope &&
    (draft.confidence ?? standing.confidence) === standing.confidence
  );
}

/** The same text said again with another strength or scope keeps its reasons; another text brings its own. */
function carriedReasoning(previous: Decision | null, draft: Draft): string | null {
  return previous?.isActive && draft.text === previous.text ? previous.reasoning : null;
}

/** A topic's first segment (`cad:wall:thickness` → `cad`), else the global scope. */
function defaultScope(topic: string | null): string {
  return normalizeName(topic?.split(':')[0] ?? '') || GLOBAL_SCOPE;
}
