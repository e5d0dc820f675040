import type {
  DecisionFact,
  Facts,
  ObservationFact,
  RelationFact,
  Rest,
} from '../../../domain/arrival/facts.ts';
import type { SourceRow } from '../source-database.ts';
import { textOf, timeOf } from '../values.ts';

/**
 * Takes an edge of 2.x that has a preference, a fact, a task … at an end: between two of those it is a relation, also where the
 * other end is missing; between one and a decision it is kept beside the record that it leads from.
 * @returns whether it was one
 */
export function takeObserved(
  facts: Facts,
  decisions: Map<string, DecisionFact>,
  observations: Map<string, ObservationFact>,
  edge: SourceRow,
): boolean {
  const { from_id, to_id, relationship, reason, created_at, ...more } = edge;
  const [from, to] = [String(from_id), String(to_id)];
  const observed = observations.get(from);
  if (!observed && !observations.has(to)) return false;
  const decided = decisions.get(from);
  if (observed && !decisions.has(to)) {
    const note = textOf(reason) ?? null;
    relate(facts, observed, to, String(relationship), { note, at: timeOf(created_at), rest: filled(more) });
  } else if (observed || decided) {
    keepBeside(observed ?? (decided as DecisionFact), edge);
  } else facts.warnings.push(`${from} ${relationship} ${to}: no ${from} came`);
  return true;
}

/** Says that one preference, fact … took the place of another, where no edge has said it. */
export function relate(
  facts: Facts,
  { key: from, at }: ObservationFact,
  to: string,
  type: string,
  more: Partial<RelationFact> = {},
): void {
  const key = JSON.stringify([from, type, to]);
  if (!facts.relations.some((each) => each.key === key))
    facts.relations.push({ key, at, from, to, type, note: null, ...more });
}

/** Keeps an edge beside the record that it leads from. */
export function keepBeside(
  fact: { rest?: Rest },
  { from_id: _, to_id, relationship, ...more }: SourceRow,
): void {
  const edges = (fact.rest?.edges as unknown[] | undefined) ?? [];
  fact.rest = { ...fact.rest, edges: [...edges, { to: String(to_id), relationship, ...filled(more) }] };
}

const filled = (row: SourceRow): Rest =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''));
