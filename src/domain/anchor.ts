import { compareText } from './text/text.ts';

/** The kinds of targets of an anchor (D-8). */
export const ANCHOR_TYPES = ['evidence_link', 'decision_link'] as const;
export type AnchorType = (typeof ANCHOR_TYPES)[number];

/**
 * A short hint that always points at the same decision version or evidence (D-5, D-8). It is a reminder, not a rule
 * (D-11). `createdAt` is in milliseconds UTC.
 */
export interface Anchor {
  id: string;
  hint: string;
  targetRef: string;
  type: AnchorType;
  createdAt: number;
}

/** Limits of the hints of a decision (RE-16), and the characters of a whole list as {@link hintsText} writes it. */
export const HINTS = { most: 12, words: 4, characters: 80 } as const;
export const HINTS_LENGTH = HINTS.most * (HINTS.characters + 1);

/**
 * The hints of a decision as the text of one anchor: a phrase a line, each line ended. No reminder ends with a line feed,
 * since `anchor_save` trims it.
 */
export const hintsText = (phrases: readonly string[]): string => phrases.map((each) => `${each}\n`).join('');

export const isHints = (text: string): boolean => text.endsWith('\n');

const hintsIn = (text: string): string[] => text.split('\n').filter(Boolean).slice(0, HINTS.most);

/** The text of an anchor on one line. */
export const anchorText = (text: string): string => (isHints(text) ? hintsIn(text).join(' · ') : text);

type Placed = Pick<Anchor, 'hint' | 'createdAt' | 'id'> & { version: number };

/** Which of two lists of hints counts: that of the newer version, then the newer one, in the same order on every machine. */
const isNewer = (one: Placed, other: Placed): boolean =>
  (one.version - other.version || one.createdAt - other.createdAt || compareText(one.id, other.id)) > 0;

/** The hints of a chain: a version without its own has those of the version before it. @param anchors of this chain alone */
export function hintsOf(anchors: readonly Placed[]): string[] {
  const lists = anchors.filter(({ hint }) => isHints(hint));
  return lists.length === 0
    ? []
    : hintsIn(lists.reduce((one, other) => (isNewer(other, one) ? other : one)).hint);
}

/** Without lists of hints: these are shown in a field of their own. */
export const reminders = <Each extends { hint: string }>(anchors: readonly Each[]): Each[] =>
  anchors.filter(({ hint }) => !isHints(hint));
