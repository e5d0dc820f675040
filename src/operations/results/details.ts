import { reminders } from '../../domain/anchor.ts';
import { type Decision, ownReason } from '../../domain/decision.ts';
import { REFERENCES } from '../../domain/edge.ts';
import { idsOf } from '../../domain/id.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { sharedWords } from '../../domain/language/failures.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { firstTelling, telling } from '../../domain/text/sentence.ts';
import { anchorsOfChains, type PlacedAnchor } from '../../store/decisions/anchor.ts';
import { type Annotation, annotate } from '../../store/decisions/annotation.ts';
import { asidesOf } from '../../store/decisions/edge.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { hasSeveralAuthors } from '../../store/writer.ts';
import { shortBy } from './writer.ts';

/** Characters of a reason in a list. */
const WHY_SHOWN = 120;

/** What lists show with a decision. */
export interface Details {
  annotation: Annotation;
  /** The beginning of its id. */
  ref: string;
  /** Who wrote it, where more than one author wrote in this memory, and by what (V-1). */
  by: ReturnType<typeof shortBy>;
  anchors: PlacedAnchor[];
  /** The short id of the active version, when it is another one. */
  supersededBy: string | undefined;
  /** What its reasoning refers to, by topic and short id, such as `builds_on infra:redis (3a2ee091)` (W-2). */
  links: string[];
  /** The active decisions that debate it, by topic and short id (T-15). */
  debatedBy: string[];
  /** How many pieces of evidence its versions have. */
  evidence: number;
  /** Its reasoning, with topics and short ids for ids. */
  reasoning: string | null;
  /** Why, whole or in the sentences that tell most of what was asked (RE-7). */
  why: string | undefined;
}

/** What {@link detailsOf} read, by decision. */
export type DetailOf = (decision: Decision) => Details;

/**
 * Reads the details of a few decisions with a fixed number of queries.
 * @param asked what they were found for
 * @returns those of each of them
 */
export async function detailsOf(tx: Tx, decisions: Decision[], asked?: string): Promise<DetailOf> {
  const [annotationOf, asideOf, anchors, namesAuthors] = await together(
    annotate(tx, decisions, { asked }),
    asidesOf(tx, idsOf(decisions)),
    anchorsOfChains(tx, [...new Set(decisions.map(({ rootId }) => rootId))]),
    hasSeveralAuthors(tx),
  );
  const debating = decisions.flatMap(({ id }) => idsOf(asideOf(id).debatedBy));
  const { shortId, called, reading } = await readingOf(tx, decisions, annotationOf, debating);
  const sharedWith = asking(asked);
  return (decision) => {
    const { annotation, name, ...read } = reading(decision);
    const { references, supersededBy } = annotation;
    const { evidence, debatedBy, recorded = null, ...writer } = asideOf(decision.id);
    return {
      annotation,
      ...read,
      by: shortBy({ ...(annotation.tidied?.decided ?? writer), recorded }, namesAuthors),
      anchors: reminders(anchors).filter(({ rootId }) => rootId === decision.rootId),
      supersededBy: supersededBy && shortId(supersededBy),
      links: REFERENCES.flatMap((relationship) =>
        references[relationship].map((id) => `${relationship} ${name(id)}`),
      ),
      debatedBy: debatedBy.map(({ id, topic }) => called(id, topic)),
      evidence,
      why: tellingOf(decision, sharedWith),
    };
  };
}

/**
 * Decisions as they are read: with their short ids, and with names for the ids in their reasons.
 * @param others ids that are named, too
 */
export async function readingOf(
  tx: Tx,
  decisions: Decision[],
  annotationOf: (decision: Decision) => Annotation,
  others: string[] = [],
) {
  const annotations = new Map(decisions.map((decision) => [decision.id, annotationOf(decision)]));
  const named = [...annotations].flatMap(([id, annotation]) => [id, ...targetsOf(annotation)]);
  const shortId = await shortIds(tx, 'decisions', [...new Set([...named, ...others])]);
  const called = (id: string, topic: string | null | undefined) =>
    topic ? `${topic} (${shortId(id)})` : shortId(id);
  const reading = ({ id, reasoning }: Decision) => {
    const annotation = annotations.get(id) as Annotation;
    const name = (id: string) => called(id, annotation.names.get(id));
    return {
      annotation,
      name,
      ref: shortId(id),
      reasoning: reasoning && withNames(reasoning, targetsOf(annotation), name),
    };
  };
  return { shortId, called, reading };
}

/** Characters of the reasons of a whole answer. */
const REASONS_SHOWN = 300;

function tellingOf(decision: Decision, asked: (sentence: string) => number): string | undefined {
  const { outcome, outcomeReason, reasoning } = decision;
  const reasons = (outcome === 'failed' && outcomeReason) || (reasoning && parseReasoning(reasoning).prose);
  const shown = reasons ? telling(reasons, REASONS_SHOWN, asked) : undefined;
  return shown?.includes('…') ? `${shown} [decision_get has all]` : shown;
}

/** How many words of a question a sentence has. */
function asking(question = ''): (sentence: string) => number {
  const words = new Set(queryTerms(question));
  return (sentence) => (words.size === 0 ? 0 : sharedWords(words, queryTerms(sentence)));
}

/** Why a decision was made, in one sentence (W-3). The reasoning of a withdrawn one is that of its withdrawal. @param most characters */
export function reasonOf({ reasoning }: Pick<Decision, 'reasoning'>, most = WHY_SHOWN): string | undefined {
  return reasoning === null
    ? undefined
    : firstTelling(parseReasoning(ownReason(reasoning) || reasoning).prose, most);
}

/** Why a decision failed, in one sentence; undefined where nobody said, and of one that did not fail. */
export function failureOf(
  { outcome, outcomeReason }: Pick<Decision, 'outcome' | 'outcomeReason'>,
  most = WHY_SHOWN,
): string | undefined {
  return outcome === 'failed' && outcomeReason ? firstTelling(outcomeReason, most) : undefined;
}

/** The one that tells more, where there is room for one: {@link failureOf}, else {@link reasonOf}. */
export function whyOf(
  decision: Pick<Decision, 'outcome' | 'outcomeReason' | 'reasoning'>,
  most = WHY_SHOWN,
): string | undefined {
  return failureOf(decision, most) || reasonOf(decision, most);
}

/** An anchor as search shows it: where it leads, and whether that is still active (D-17). */
export function anchorLine({
  hint,
  topic,
  version,
  active,
}: Pick<PlacedAnchor, 'hint' | 'topic' | 'version' | 'active'>): string {
  return `${hint} (${topic ? `${topic} ` : ''}v${version}, ${active ? 'active' : 'superseded'})`;
}

function targetsOf({ references, supersededBy }: Annotation): string[] {
  return [...Object.values(references).flat(), ...(supersededBy ? [supersededBy] : [])];
}

/** A reasoning with names in place of these ids, however they are written: markdown escapes underscores. */
function withNames(reasoning: string, ids: string[], name: (id: string) => string): string {
  return ids.reduce(
    (text, id) =>
      text.replace(new RegExp(`(?:decision_)?${id.replaceAll('_', '\\\\?_')}`, 'gi'), () => name(id)),
    reasoning,
  );
}
