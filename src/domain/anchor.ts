/** What an anchor may point at (D-8). */
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
