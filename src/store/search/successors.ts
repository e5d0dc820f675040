import { sql } from 'kysely';
import { ENOUGH } from '../../domain/ranking/weights.ts';

/** The id of the newest observation that supersedes `observations as o`, as a column (T-15): no statement of its own (P-10). */
export const SUCCESSOR = sql<number | null>`(select max(n.id) from relations as newer
  join observations as n on n.id = newer.from_id
  where newer.to_id = o.id and newer.type = 'supersedes' and n.deleted_at is null)`;

/** An answer that may be an observation, by its id, and what supersedes that. */
interface Superseded {
  observation: number | null;
  successor: number | null;
}

/**
 * Answers with each observation after the one that supersedes it, where both are among them. Only those that keep their
 * places whatever is asked for change them: so pages agree on one order (W-6).
 */
export function behindSuccessors<Answer extends Superseded>(answers: Answer[]): Answer[] {
  if (answers.every(({ successor }) => successor === null)) return answers;
  const [kept, others] = [answers.slice(0, ENOUGH), answers.slice(ENOUGH)];
  const left = new Set(kept);
  const byId = new Map(kept.flatMap((each) => (each.observation === null ? [] : [[each.observation, each]])));
  const waiting = new Map<Answer, Answer[]>();
  const ordered: Answer[] = [];
  const put = (answer: Answer) => {
    if (left.delete(answer)) ordered.push(answer);
    for (const each of waiting.get(answer) ?? []) if (left.has(each)) put(each);
  };
  for (const answer of kept) {
    const newer = answer.successor === null ? undefined : byId.get(answer.successor);
    if (newer && left.has(newer)) waiting.set(newer, [...(waiting.get(newer) ?? []), answer]);
    else put(answer);
  }
  // Two that supersede each other wait for each other.
  for (const answer of kept) if (left.has(answer)) put(answer);
  return [...ordered, ...others];
}
