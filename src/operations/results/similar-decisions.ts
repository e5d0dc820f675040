import * as z from 'zod';
import { differenceNote } from '../../domain/language/difference.ts';
import { failedBeforeWarning } from '../../domain/outcome.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { chainSeqs } from '../../store/decisions/decision.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { similarDecisions } from '../../store/search/similar.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { type Block, dim, line, shortId, strong, table, warn } from '../view.ts';
import { decisionBrief, toDecisionBrief } from './decision.ts';

/** A decision of another chain that is about the same matter as one that was saved, in the result of `decision_save`. */
export const similarRecord = decisionBrief.omit({ isActive: true }).extend({
  supersededBy: z.string().optional(),
  similarity: z.number(),
  differs: z.string().optional().meta({
    description: 'What both say and where they differ, where that shows: no judgement',
  }),
});
type SimilarDecision = z.infer<typeof similarRecord>;

const { text: decision, outcomeWarning, supersededBy, ...others } = similarRecord.shape;

/** {@link similarRecord} in the result of `mama_save`. */
export const similarRow = z.object({
  ...others,
  decision,
  outcome_warning: outcomeWarning,
  superseded_by: supersededBy,
});

/**
 * The decisions that are similar to a saved one, for a snapshot after the save.
 * @returns also a warning for each that failed and says the same
 */
export async function findSimilar(
  tx: Tx,
  id: string,
): Promise<{ similar: SimilarDecision[]; warnings: string[] }> {
  const [saved, chain] = await together(requireDecision(tx, id), chainSeqs(tx, id));
  const hits = await similarDecisions(tx, saved, chain);
  const annotationOf = await annotate(
    tx,
    hits.map((hit) => hit.decision),
  );
  const similar = hits.map(({ decision, similarity }): SimilarDecision => {
    const { isActive: _, ...brief } = toDecisionBrief(decision);
    const { supersededBy } = annotationOf(decision);
    const differs = differenceNote(saved.text, decision.text);
    return { ...brief, ...(supersededBy && { supersededBy }), similarity, ...(differs && { differs }) };
  });
  const failed = hits.filter(({ decision, isSame }) => decision.outcome === 'failed' && isSame);
  return {
    similar,
    warnings: failed.map(({ decision: { id, text, outcomeReason } }) =>
      failedBeforeWarning({ id, decision: text, outcomeReason }),
    ),
  };
}

export function toSimilarRow({
  text,
  outcomeWarning,
  supersededBy,
  ...others
}: SimilarDecision): z.infer<typeof similarRow> {
  return {
    ...others,
    decision: text,
    ...(outcomeWarning && { outcome_warning: outcomeWarning }),
    ...(supersededBy && { superseded_by: supersededBy }),
  };
}

/** Similar decisions as a person sees them. */
export function viewSimilar(similar: SimilarDecision[]): Block[] {
  if (similar.length === 0) return [];
  return [
    line('Close decisions on other topics: link, debate or revise them'),
    table(
      ['shared', 'topic', 'decision', 'id'],
      similar.map(({ id, topic, text, outcomeWarning, similarity, differs }) => [
        `${Math.round(100 * similarity)} %`,
        strong(topic ?? '–'),
        outcomeWarning
          ? warn([text, outcomeWarning, ...noted(differs)].join(' '))
          : [text, ...noted(differs)].join(' '),
        dim(shortId(id)),
      ]),
    ),
  ];
}

const noted = (differs: string | undefined): string[] => (differs === undefined ? [] : [`(${differs})`]);
