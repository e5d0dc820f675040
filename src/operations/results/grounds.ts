import * as z from 'zod';
import { ANCHOR_TYPES, hintsOf } from '../../domain/anchor.ts';
import type { Evidence } from '../../domain/evidence.ts';
import type { PlacedAnchor } from '../../store/decisions/anchor.ts';
import { pick } from '../brief.ts';
import { iso, resultDate } from './fields.ts';

/** A piece of evidence as results show it. */
export const evidenceRecord = z.object({
  id: z.string(),
  content: z.string(),
  decision_ref: z.string(),
  timestamp: resultDate(),
  observation_id: z
    .int()
    .optional()
    .describe('The observation that it is a snapshot of, which may have changed or be gone since'),
});

/** An anchor as results show it, with the version that it leads to (D-17). */
export const anchorRecord = z.object({
  id: z.string(),
  hint: z.string(),
  target_ref: z.string(),
  type: z.enum(ANCHOR_TYPES),
  decision_id: z.string(),
  topic: z.string().nullable(),
  version: z.int(),
  active: z.boolean().describe('Whether that version is still active'),
  created_at: resultDate(),
});

/** The hints of a chain (RE-16), which are also among its anchors. */
export const hintsShown = () => z.array(z.string()).optional().describe('Phrases by which it is recalled');

export function toHints(anchors: PlacedAnchor[]): { hints?: string[] } {
  const hints = hintsOf(anchors);
  return hints.length > 0 ? { hints } : {};
}

export function toEvidenceRecord(evidence: Evidence): z.infer<typeof evidenceRecord> {
  return {
    ...pick(evidence, 'id', 'content'),
    decision_ref: evidence.decisionRef,
    timestamp: iso(evidence.timestamp),
    ...(evidence.observationId !== null && { observation_id: evidence.observationId }),
  };
}

export function toAnchorRecord(anchor: PlacedAnchor): z.infer<typeof anchorRecord> {
  return {
    ...pick(anchor, 'id', 'hint', 'type', 'topic', 'version', 'active'),
    target_ref: anchor.targetRef,
    decision_id: anchor.decisionId,
    created_at: iso(anchor.createdAt),
  };
}
