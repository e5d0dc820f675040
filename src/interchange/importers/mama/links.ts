import type { Reference } from '../../../domain/edge.ts';
import type {
  DecisionFact,
  ExtraFields,
  Facts,
  ObservationFact,
  RelationFact,
} from '../../../domain/import/facts.ts';
import { normalizeName } from '../../../domain/text/text.ts';
import { endReplaced } from '../chains.ts';
import { counted, leaveOut, linkFact, listOf, restOf, type SourceRow, textOf, timeOf } from '../values.ts';

/** The link that an edge of MAMA becomes; `supersedes` makes a chain. */
const LINKS = {
  builds_on: 'builds_on',
  debates: 'debates',
  synthesizes: 'synthesizes',
  refines: 'builds_on',
  contradicts: 'debates',
} as const;
/**
 * Edges that MAMA makes by itself between whatever looks alike: their number grows with the square of the memory. 1.3 removed
 * its own.
 */
const BY_MACHINE =
  /^(Related but distinct|Semantically similar memory|(Refines|Contradicts) previous approach \(similarity)/;

/** Gives decisions the links that their source has in edges and columns, and ends chains that others replaced. */
export function linksOf(facts: Facts, rows: SourceRow[], edges: SourceRow[]): void {
  const decisions = new Map(facts.decisions.map((fact) => [fact.key, fact]));
  const observations = new Map(facts.observations.map((fact) => [fact.key, fact]));
  const unheard = new Map<string, number>();
  let machine = 0;
  let proposed = 0;
  let own = 0;
  for (const edge of edges) {
    const { from_id, to_id, relationship, ...more } = edge;
    const [from, to, kind] = [from_id, to_id, relationship].map(String) as [string, string, string];
    const [observed, decided] = [observations.get(from), decisions.get(from)];
    // From 2.x on, a preference, a fact, a task … may be at an end.
    const isOfObserved = observed !== undefined || observations.has(to);
    const link = Object.hasOwn(LINKS, kind) ? LINKS[kind as keyof typeof LINKS] : undefined;
    if (edge.approved_by_user === 0) proposed++;
    else if (from === to) own++;
    else if (BY_MACHINE.test(textOf(edge.reason) ?? '')) machine++;
    else if (observed && !decisions.has(to)) {
      // Between two of those it is a relation, also where the other end is missing.
      const { reason, created_at, ...rest } = more;
      const note = textOf(reason) ?? null;
      relate(facts, observed, to, kind, { note, at: timeOf(created_at), rest: restOf(rest, []) });
    } else if (observed) keepWith(observed, to, kind, more);
    else if (decided) {
      keepWith(decided, to, kind, more);
      if (isOfObserved) continue;
      if (link !== undefined) addLink(decided, link, to, timeOf(edge.created_at));
      else if (kind !== 'supersedes') unheard.set(kind, (unheard.get(kind) ?? 0) + 1);
    } else if (isOfObserved) facts.warnings.push(`${from} ${kind} ${to}: no ${from} came`);
    else if (kind !== 'supersedes') facts.warnings.push(`${from} ${kind} ${to}: no decision ${from} came`);
  }
  for (const row of rows) {
    const fact = decisions.get(String(row.id));
    for (const to of fact ? listOf(row.refined_from) : []) {
      if (to === row.id) own++;
      else addLink(fact as DecisionFact, 'synthesizes', to);
    }
    own += [row.supersedes, row.superseded_by].filter((to) => to === row.id).length;
  }
  supersessions(facts, decisions, observations, rows, edges);
  for (const [kind, count] of unheard)
    facts.skipped.push({
      what: `${counted(count, 'link')} "${kind}"`,
      why: 'no link of ours: kept with its record',
    });
  leaveOut(facts, machine, 'link', 'made by a program between what looks alike');
  leaveOut(facts, own, 'link', 'from a decision to itself');
  leaveOut(facts, proposed, 'link', 'proposed, and never approved');
}

function addLink(fact: DecisionFact, relationship: Reference, to: string, at = fact.at): void {
  const links = fact.links ?? [];
  if (links.some((link) => link.relationship === relationship && link.to === to)) return;
  fact.links = [...links, { relationship, to, at }];
}

/**
 * A replacement is recorded in three places, and seldom in all. Within a topic, dates say it; across topics the replaced chain
 * ends, and its successor synthesizes it.
 */
function supersessions(
  facts: Facts,
  decisions: Map<string, DecisionFact>,
  observations: Map<string, ObservationFact>,
  rows: SourceRow[],
  edges: SourceRow[],
): void {
  const pairs = new Map<string, [newer: string, older: string]>();
  const add = (newer: unknown, older: unknown) => {
    if (textOf(newer) === undefined || textOf(older) === undefined || newer === older) return;
    pairs.set(`${newer} ${older}`, [String(newer), String(older)]);
  };
  for (const row of rows) {
    add(row.id, row.supersedes);
    add(row.superseded_by, row.id);
  }
  for (const edge of edges) {
    if (edge.relationship === 'supersedes' && edge.approved_by_user !== 0) add(edge.from_id, edge.to_id);
  }
  const across: [newer: string, older: string][] = [];
  const last = new Map(facts.decisions.map((fact) => [normalizeName(fact.topic), fact]));
  const end = (older: DecisionFact, reason: string, at: number) => {
    // Where its own topic went on, something replaces it there.
    if (last.get(normalizeName(older.topic)) === older) older.withdrawn ??= { reason, at };
  };
  for (const [newerId, olderId] of [...pairs.values()].sort()) {
    const [newer, older] = [decisions.get(newerId), decisions.get(olderId)];
    const [observed, isObserved] = [observations.get(newerId), observations.has(olderId)];
    if (observed && !older) relate(facts, observed, olderId, 'supersedes');
    else if (observed && older) end(older, `Superseded by the ${observed.type} ${newerId}.`, observed.at);
    if (observed || isObserved) continue;
    if (!newer || !older) {
      const missing = newer ? olderId : newerId;
      facts.warnings.push(`${newerId} supersedes ${olderId}: no decision ${missing} came`);
      if (older) end(older, `Superseded by ${newerId}, which is not there.`, older.at);
      continue;
    }
    const isSameTopic = normalizeName(newer.topic) === normalizeName(older.topic);
    if (newer.at < older.at) {
      facts.warnings.push(`${newerId} supersedes ${olderId}, which is newer: the dates decide`);
    } else if (!isSameTopic) {
      across.push([newerId, olderId]);
    }
  }
  endReplaced(decisions, across);
}

/** Says that one preference, fact … took the place of another, where no edge has said it. */
function relate(
  facts: Facts,
  { key: from, at }: ObservationFact,
  to: string,
  type: string,
  more: Partial<RelationFact> = {},
): void {
  const fact = linkFact(from, type, to, { at, ...more });
  if (!facts.relations.some(({ key }) => key === fact.key)) facts.relations.push(fact);
}

/** Keeps an edge with the record that it leads from. */
function keepWith(fact: { rest?: ExtraFields }, to: string, relationship: string, more: SourceRow): void {
  const edges = (fact.rest?.edges as unknown[] | undefined) ?? [];
  fact.rest = { ...fact.rest, edges: [...edges, { to, relationship, ...restOf(more, []) }] };
}
