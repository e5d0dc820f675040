import { typedAs } from '../domain/decided-twice.ts';
import { OUTCOME_COMMANDS, type Outcome, OUTCOME_WORDS as WORD } from '../domain/outcome.ts';
import { findDecisionRows } from '../store/decisions/decision.ts';
import { outcomesOf } from '../store/decisions/outcome.ts';
import { together } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import type { Fact } from './facts.ts';

/** Messages where two machines did the same, neither having heard the other (Y-2): one of both counts, and nothing is lost. */
export const renamedTwice = (other: string, topic: string, id: string) =>
  `Two machines renamed one topic, to "${other}" and to "${topic}": it is called "${topic}" now. For another name: precedent rename ${typedAs({ topic, id })} NAME`;

export const rewrittenTwice = (id: number) =>
  `Note #${id} was changed here and on another machine: the later text is current. Both are in its history: precedent show "#${id}" --history`;

/** Whether an observation got a text here that nobody else knows, and another one elsewhere. @param here its texts by date */
export function bothRewrote(
  [first, ...later]: Fact<'text'>[],
  news: Fact<'text'>[],
  isUnsaid: (fact: Fact) => boolean,
): boolean {
  if (!first || isUnsaid(first) || !later.some(isUnsaid)) return false;
  return news.some((one) => later.every((own) => own.title !== one.title || own.content !== one.content));
}

/**
 * Each decision that got an outcome here that nobody else knows, and another one elsewhere.
 * @param news outcomes that were heard @param unsaid those of this machine
 */
export async function triedTwice(
  tx: Tx,
  news: Fact<'outcome'>[],
  unsaid: Fact<'outcome'>[],
): Promise<string[]> {
  // The last of each decision. There may be as many as records.
  const [heard, own] = [news, unsaid].map(
    (side) => new Map(side.map(({ decision, outcome }) => [decision, outcome])),
  ) as [Map<string, Outcome>, Map<string, Outcome>];
  const ids = [...heard.keys()].filter((id) => own.has(id));
  if (ids.length === 0) return [];
  const [rows, log] = await together(findDecisionRows(tx, ids), outcomesOf(tx, ids));
  const counting = Map.groupBy(
    log.filter(({ retractedAt }) => retractedAt === null),
    ({ decisionId }) => decisionId,
  );
  return ids.flatMap((id) => {
    const now = rows.get(id)?.decision;
    const both = [heard.get(id), own.get(id)];
    const other = counting
      .get(id)
      ?.findLast(({ outcome }) => both.includes(outcome) && outcome !== now?.outcome);
    if (!now?.outcome || !both.includes(now.outcome) || other === undefined) return [];
    // A topic alone is what is active there by now.
    const name = now.topic ?? id.slice(0, 8);
    const [of, typed] = now.isActive ? [name, typedAs(now)] : [`${name}@${now.version}`, id];
    return `"${of}" was tried on two machines: "${WORD[other.outcome]}" on one, "${WORD[now.outcome]}" on the other. The later one counts: "${WORD[now.outcome]}". Otherwise: precedent ${OUTCOME_COMMANDS[other.outcome]} ${typed} WHY`;
  });
}
