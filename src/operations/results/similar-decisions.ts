import type { Decision } from '../../domain/decision.ts';
import { failedBeforeWarning, outcomeWarning } from '../../domain/outcome.ts';
import { SAME_AGAIN } from '../../domain/ranking/weights.ts';
import { type Annotation, annotate } from '../../store/decisions/annotation.ts';
import { requireDecision } from '../../store/decisions/decision.ts';
import { similarDecisions } from '../../store/search/decisions.ts';
import type { Tx } from '../../store/tx.ts';
import { type Block, dim, line, strong, table, warn } from '../view.ts';

/** A decision on another topic that says something close to one that was saved. */
export interface CloseDecision {
  decision: Decision;
  similarity: number;
  warning: string | undefined;
  supersededBy: string | undefined;
}

/** Looks for them in a snapshot after the save. @returns with a warning for each that failed and is very close */
export async function closeDecisions(
  tx: Tx,
  id: string,
): Promise<{ close: CloseDecision[]; warnings: string[] }> {
  const hits = await similarDecisions(tx, await requireDecision(tx, id));
  const annotations = await annotate(
    tx,
    hits.map((hit) => hit.decision),
  );
  const close = hits.map(({ decision, similarity }) => ({
    decision,
    similarity,
    warning: outcomeWarning(decision.outcome, decision.outcomeReason),
    supersededBy: (annotations.get(decision.id) as Annotation).supersededBy,
  }));
  const failed = close.filter((each) => each.warning && each.similarity >= SAME_AGAIN);
  return {
    close,
    warnings: failed.map(({ decision }) =>
      failedBeforeWarning({
        id: decision.id,
        decision: decision.text,
        outcomeReason: decision.outcomeReason,
      }),
    ),
  };
}

/** What a person sees of them. */
export function viewClose(
  close: {
    id: string;
    topic: string | null;
    text: string;
    warning: string | undefined;
    similarity: number;
  }[],
): Block[] {
  if (close.length === 0) return [];
  return [
    line('Close decisions on other topics: link, debate or revise them'),
    table(
      ['similarity', 'topic', 'decision', 'id'],
      close.map(({ id, topic, text, warning, similarity }) => [
        String(similarity),
        strong(topic ?? '–'),
        warning ? warn(`${text} ${warning}`) : text,
        dim(id),
      ]),
    ),
  ];
}
