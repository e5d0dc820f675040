import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { differenceNote } from '../../domain/language/difference.ts';
import { failedBeforeWarning, outcomeWarning } from '../../domain/outcome.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { chainSeqs } from '../../store/decisions/decision.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { similarDecisions } from '../../store/search/similar.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { type Block, dim, line, shortId, strong, table, warn } from '../view.ts';

const differs = () =>
  z.string().optional().meta({
    description: 'What both say and where they differ, where that shows: no judgement',
  });

/** A similar decision in the result of `decision_save`. */
export const similarRecord = z.object({
  id: z.string(),
  topic: z.string().nullable(),
  text: z.string(),
  outcomeWarning: z.string().optional(),
  supersededBy: z.string().optional(),
  similarity: z.number(),
  differs: differs(),
});

/** A similar decision in the result of `mama_save`. */
export const similarRow = z.object({
  id: z.string(),
  topic: z.string().nullable(),
  decision: z.string(),
  outcome_warning: z.string().optional(),
  superseded_by: z.string().optional(),
  similarity: z.number(),
  differs: differs(),
});

/** A decision of another chain that is about the same matter as one that was saved. */
interface SimilarDecision {
  decision: Decision;
  similarity: number;
  warning: string | undefined;
  supersededBy: string | undefined;
  /** What both say and where they differ, where that shows. */
  differs: string | undefined;
}

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
  const similar = hits.map(({ decision, similarity, isSame }) => ({
    decision,
    similarity,
    isSame,
    warning: outcomeWarning(decision.outcome, decision.outcomeReason),
    supersededBy: annotationOf(decision).supersededBy,
    differs: differenceNote(saved.text, decision.text),
  }));
  const failed = similar.filter((each) => each.warning && each.isSame);
  return {
    similar,
    warnings: failed.map(({ decision }) =>
      failedBeforeWarning({
        id: decision.id,
        decision: decision.text,
        outcomeReason: decision.outcomeReason,
      }),
    ),
  };
}

export function toSimilarRecord(found: SimilarDecision): z.infer<typeof similarRecord> {
  return {
    id: found.decision.id,
    topic: found.decision.topic,
    text: found.decision.text,
    ...(found.warning && { outcomeWarning: found.warning }),
    ...(found.supersededBy && { supersededBy: found.supersededBy }),
    similarity: found.similarity,
    ...(found.differs && { differs: found.differs }),
  };
}

export function toSimilarRow(found: SimilarDecision): z.infer<typeof similarRow> {
  return {
    id: found.decision.id,
    topic: found.decision.topic,
    decision: found.decision.text,
    ...(found.warning && { outcome_warning: found.warning }),
    ...(found.supersededBy && { superseded_by: found.supersededBy }),
    similarity: found.similarity,
    ...(found.differs && { differs: found.differs }),
  };
}

/** Similar decisions as a person sees them. */
export function viewSimilar(
  similar: Pick<
    z.infer<typeof similarRecord>,
    'id' | 'topic' | 'text' | 'outcomeWarning' | 'similarity' | 'differs'
  >[],
): Block[] {
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
