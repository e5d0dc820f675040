import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { failedBeforeWarning } from '../../domain/outcome.ts';
import { quoted } from '../../domain/text/text.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { chainSeqs } from '../../store/decisions/decision.ts';
import { edgesTo } from '../../store/decisions/edge.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import { shortIds } from '../../store/prefix.ts';
import { rulesAgainst } from '../../store/search/against.ts';
import { type Counting, counting } from '../../store/search/counting.ts';
import { similarDecisions } from '../../store/search/similar.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { pick } from '../brief.ts';
import { type Block, counted, dim, line, shortId, strong, table, warn } from '../view.ts';
import { copiesWarned } from './copies.ts';
import { decisionRecord, warningOf } from './decision.ts';

/** What says how much a close decision matters (T-6). */
const BINDING = ['strength', 'scope', 'outcome'] as const;

/** A decision of another chain that is about the same matter as one that was saved. */
export const similarDecision = z.object({
  ...pick(decisionRecord.shape, 'id', 'topic', 'text', 'outcome_warning', ...BINDING),
  superseded_by: z.string().optional(),
  similarity: z.number(),
});
type SimilarDecision = z.infer<typeof similarDecision>;

/**
 * The decisions that are similar to a saved one, for a snapshot after the save.
 * @param isSaved whether it was saved just now, so that its copies are named (CC-1)
 * @returns also a warning for each that failed and says the same, and for each that it may contradict where neither links the other (T-6)
 */
export async function findSimilar(
  tx: Tx,
  id: string,
  { isSaved = false }: { isSaved?: boolean } = {},
): Promise<{ similar: SimilarDecision[]; warnings: string[]; compared: string }> {
  const [saved, chain] = await together(requireDecision(tx, id), chainSeqs(tx, id));
  const count = counting(tx);
  const [{ hits, contradicted, debated, failed, annotationOf, compared }, copies] = await together(
    comparedWith(tx, saved, chain, { count }),
    isSaved ? copiesWarned(tx, saved, count) : { named: [], warnings: [] },
  );
  const similar = hits.map(({ decision, similarity }): SimilarDecision => {
    const { supersededBy } = annotationOf(decision);
    return {
      ...pick(decision, 'id', 'topic', 'text', ...BINDING),
      ...warningOf(decision),
      ...(supersededBy && { superseded_by: supersededBy }),
      similarity,
    };
  });
  // What does not bind is named by its whole id, which needs no further statement.
  const refOf = await shortIds(tx, 'decisions', idsOf([...contradicted.filter(isBinding), ...debated]));
  // One that is named for what it still says needs no second warning, unless it binds.
  const against = contradicted.filter((each) => isBinding(each) || !copies.named.includes(each.id));
  return {
    similar,
    warnings: [
      ...debated.map((decision) => debatedWarning(decision, refOf(decision.id))),
      ...against.map((decision) => closeToWarning(decision, refOf(decision.id))),
      ...failed.map(({ id, text, outcomeReason }) =>
        failedBeforeWarning({ id, decision: text, outcomeReason }),
      ),
      ...copies.warnings,
    ],
    compared: comparedBy(compared),
  };
}

/** In the result of a save without warnings, which would pass for "nothing failed, nothing contradicts" (RE-8, RE-9). */
export const comparedField = () =>
  z.string().optional().describe('If nothing is warned of: what the save was compared with');

/** For a model, which can go on looking: at a terminal it would stand under most saves. */
export const COMPARED_WITH_NONE =
  'with nothing: no other decision shares its words. Search for other names for it, in each language';
const comparedBy = (count: number) =>
  count === 0
    ? COMPARED_WITH_NONE
    : `by words, with ${counted(count, 'decision')} that ${count === 1 ? 'shares' : 'share'} some, not with what says it in other words or another language`;

/** What a decision that was saved before may contradict, repeats that failed, or is close to, as a save would be told now (T-6). */
export async function againstOf(tx: Tx, id: string) {
  const [saved, chain] = await together(requireDecision(tx, id), chainSeqs(tx, id));
  return comparedWith(tx, saved, chain, { isLater: true });
}

const isBinding = ({ strength }: Decision) => strength !== 'normal';

/** @param isLater whether others may link it by now: nothing links what was only just saved */
async function comparedWith(
  tx: Tx,
  saved: Decision,
  chain: number[],
  { isLater = false, count }: { isLater?: boolean; count?: Counting },
) {
  const [{ similar: hits, suspected: alike, compared }, rules] = await together(
    similarDecisions(tx, saved, chain, count),
    rulesAgainst(tx, saved),
  );
  const suspected = [...new Map([...alike, ...rules].map((each) => [each.id, each])).values()];
  const found = hits.map((hit) => hit.decision);
  const [annotationOf, linking] = await together(
    annotate(tx, found, { referring: [saved] }),
    edgesTo(tx, isLater && suspected.length > 0 ? [saved.id] : []),
  );
  // Who says rather what replaced the failure repeats the cure (T-2).
  const failed = hits
    .filter(
      ({ decision: { outcome, rootId }, isSame }, at) =>
        outcome === 'failed' &&
        isSame &&
        !hits.slice(0, at).some((closer) => closer.decision.rootId === rootId),
    )
    .map(({ decision }) => decision);
  const known = new Set([
    ...Object.values(annotationOf(saved).references).flat(),
    ...linking.map(({ fromId }) => fromId),
    ...idsOf(failed),
  ]);
  const close = hits.filter(({ decision: { id } }) => !known.has(id));
  const contradicted = suspected.filter(({ id }) => !known.has(id));
  const { debates } = annotationOf(saved).references;
  const debated = suspected.filter((each) => isBinding(each) && debates.includes(each.id));
  return { hits, annotationOf, failed, contradicted, debated, close, compared };
}

/** The warning for a save that debates what binds: to say so changes nothing of it (T-6). */
const debatedWarning = (decision: Decision, ref: string) =>
  `⚠️ debates the ${decision.strength}${nameOf(decision)}, which still binds: ${quoted(decision.text)} (${ref}). To change it, ask the person, and save on its topic with replaces: ${ref}`;

/** The warning for a save that may contradict a decision on another topic (T-6). */
function closeToWarning(decision: Decision, ref: string): string {
  const { text, strength, scope, outcome } = decision;
  const both = `If both hold, say so in the reasoning: alongside: ${ref}`;
  if (strength === 'normal') {
    const failed = outcome === 'failed' ? ', which failed' : '';
    return `⚠️ may contradict or repeat${nameOf(decision)}: ${quoted(text)}${failed}. ${both}`;
  }
  const isLock = strength === 'lock';
  const where = scope !== GLOBAL_SCOPE ? `in ${quoted(scope, LONGEST_TOPIC)}` : 'everywhere';
  const what = isLock
    ? `it binds everything ${where}, and must not be broken`
    : `it shapes everything ${where}`;
  return `⚠️ ${closeTo(decision, ref)}: ${what}. ${both}`;
}
export const closeTo = (decision: Decision, ref: string) =>
  `close to the ${decision.strength}${nameOf(decision)}: ${quoted(decision.text)} (${ref})`;
const nameOf = ({ topic }: Decision) => (topic === null ? '' : ` ${quoted(topic, LONGEST_TOPIC)}`);
/** Characters of a name that others gave. */
const LONGEST_TOPIC = 60;

/** Similar decisions as a person sees them. */
export function viewSimilar(similar: SimilarDecision[]): Block[] {
  if (similar.length === 0) return [];
  return [
    line('Close decisions on other topics: link, debate or revise them'),
    table(
      ['shared', 'topic', 'decision', 'id'],
      similar.map(({ id, topic, text, outcome_warning, similarity }) => [
        `${Math.round(100 * similarity)} %`,
        strong(topic ?? '–'),
        outcome_warning ? warn(`${text} ${outcome_warning}`) : text,
        dim(shortId(id)),
      ]),
    ),
  ];
}
