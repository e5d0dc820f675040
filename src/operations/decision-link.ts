import * as z from 'zod';
import type { Decision } from '../domain/decision.ts';
import { type Edge, RELATIONSHIPS } from '../domain/edge.ts';
import { outcomeWarning } from '../domain/outcome.ts';
import { findDecisions } from '../store/decision.ts';
import type { Unit } from '../store/unit.ts';

/** One end of a link between this chain and another decision. */
export const decisionLink = z.object({
  relationship: z.enum(RELATIONSHIPS),
  version: z.int().meta({ description: 'The version of this chain at which the link starts or ends' }),
  decision: z.object({
    id: z.string(),
    topic: z.string().nullable(),
    text: z.string(),
    isActive: z.boolean(),
    outcomeWarning: z.string().optional(),
  }),
});

export type DecisionLink = z.infer<typeof decisionLink>;

/**
 * The links of the chain, seen from it. `supersedes` links among its own versions are shown for the version
 * asked for only: the list of versions tells the rest.
 */
export async function linksOf(
  unit: Unit,
  edges: Edge[],
  otherEnd: 'fromId' | 'toId',
  asked: Decision,
  versionOf: Map<string, number>,
) {
  const ownEnd = otherEnd === 'toId' ? 'fromId' : 'toId';
  const shown = edges.filter((edge) => edge.relationship !== 'supersedes' || edge[ownEnd] === asked.id);
  const ids = [...new Set(shown.map((edge) => edge[otherEnd]))];
  const others = new Map((await findDecisions(unit, ids)).map((other) => [other.id, other]));
  return shown.map((edge) => {
    const other = others.get(edge[otherEnd]) as Decision;
    const warning = outcomeWarning(other.outcome, other.outcomeReason);
    return {
      relationship: edge.relationship,
      version: versionOf.get(edge[ownEnd]) as number,
      decision: {
        id: other.id,
        topic: other.topic,
        text: other.text,
        isActive: other.isActive,
        ...(warning && { outcomeWarning: warning }),
      },
    };
  });
}
