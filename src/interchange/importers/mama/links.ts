import type {
  DecisionFact,
  ExtraFields,
  Facts,
  ObservationFact,
  RelationFact,
} from '../../../domain/import/facts.ts';
import { normalizeName } from '../../../domain/text/text.ts';
import type { SourceRow } from '../source-database.ts';
import { counted, listOf, textOf, timeOf } from '../values.ts';

/** What an edge of MAMA is here; `supersedes` makes a chain. */
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
    const fact = decisions.get(String(edge.from_id));
    if (edge.approved_by_user === 0) proposed++;
    else if (edge.from_id === edge.to_id) own++;
    else if (BY_MACHINE.test(textOf(edge.reason) ?? '')) machine++;
    else if (takeObserved(facts, decisions, observations, edge)) continue;
    else if (fact) {
      keepEdge(fact, edge);
      const kind = String(edge.relationship);
      if (!(kind in LINKS) && kind !== 'supersedes') unheard.set(kind, (unheard.get(kind) ?? 0) + 1);
    } else if (edge.relationship !== 'supersedes') warnDangling(facts, edge, String(edge.from_id));
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
  if (machine > 0)
    facts.skipped.push({ what: counted(machine, 'link'), why: 'made by a program between what looks alike' });
  if (own > 0) facts.skipped.push({ what: counted(own, 'link'), why: 'from a decision to itself' });
  if (proposed > 0)
    facts.skipped.push({ what: counted(proposed, 'link'), why: 'proposed, and never approved' });
}

function keepEdge(fact: DecisionFact, edge: SourceRow): void {
  const kind = String(edge.relationship);
  const link = Object.hasOwn(LINKS, kind) ? LINKS[kind as keyof typeof LINKS] : undefined;
  if (link !== undefined) addLink(fact, link, String(edge.to_id), timeOf(edge.created_at));
  keepBeside(fact, edge);
}

function addLink(
  fact: DecisionFact,
  relationship: 'builds_on' | 'debates' | 'synthesizes',
  to: string,
  at = fact.at,
): void {
  const links = fact.links ?? [];
  if (links.some((link) => link.relationship === relationship && link.to === to)) return;
  fact.links = [...links, { relationship, to, at }];
}

/**
 * What replaced what is said in three places, and seldom in all. Within a topic, dates say it; across topics the replaced chain
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
      continue;
    }
    const isSameTopic = normalizeName(newer.topic) === normalizeName(older.topic);
    if (newer.at < older.at) {
      facts.warnings.push(`${newerId} supersedes ${olderId}, which is newer: the dates decide`);
    } else if (!isSameTopic) {
      addLink(newer, 'synthesizes', olderId);
      end(older, `Superseded by ${newerId} on "${normalizeName(newer.topic)}".`, newer.at);
    }
  }
}

function warnDangling(facts: Facts, { from_id, relationship, to_id }: SourceRow, missing: string): void {
  facts.warnings.push(`${from_id} ${relationship} ${to_id}: no decision ${missing} came`);
}

/**
 * Takes an edge of 2.x that has a preference, a fact, a task … at an end: between two of those it is a relation, also where the
 * other end is missing; between one and a decision it is kept with the record that it leads from.
 * @returns whether it was one
 */
function takeObserved(
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
function relate(
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

/** Keeps an edge with the record that it leads from. */
function keepBeside(
  fact: { rest?: ExtraFields },
  { from_id: _, to_id, relationship, ...more }: SourceRow,
): void {
  const edges = (fact.rest?.edges as unknown[] | undefined) ?? [];
  fact.rest = { ...fact.rest, edges: [...edges, { to: String(to_id), relationship, ...filled(more) }] };
}

const filled = (row: SourceRow): ExtraFields =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''));
