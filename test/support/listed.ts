import type { Filter, FilterKey } from '../../src/domain/filter/filter.ts';
import { analyse, queryTerms } from '../../src/domain/language/analysis.ts';
import { parseReasoning } from '../../src/domain/reasoning/reasoning.ts';
import { foldName } from '../../src/domain/text/text.ts';
import type { Row } from './stream.ts';

/** The rows of an exported memory by table, and what a test asks of them: written without any SQL. */
export function tablesOf(lines: string[]) {
  const rows = lines.slice(1, -1).map((line) => JSON.parse(line) as Row);
  // biome-ignore lint/suspicious/noExplicitAny: rows of twenty tables, read by the names of their columns
  const of = (table: string) => rows.filter((row) => row.table === table) as any[];
  const decisions = of('decisions');
  const byId = new Map(decisions.map((row) => [row.id, row]));
  const authors = new Map(of('writers').map((row) => [row.id, String(row.author)]));
  const writers = new Map(of('records').map((row) => [row.seq, row.writer]));
  return { of, decisions, byId, authorOf: (seq: number) => authors.get(writers.get(seq)) ?? '', authors };
}
export type Tables = ReturnType<typeof tablesOf>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Any = any;

/** The parts of a filter that the generated lists here leave out, with the file that tests each. */
const ELSEWHERE = {
  kinds: 'test/contract/timeline.ts',
  project: 'test/contract/other-lists.ts',
  type: 'test/contract/other-lists.ts',
  via: 'test/contract/writers.ts',
  session: 'test/contract/writers.ts',
  due: 'test/contract/review.ts',
  forked: 'test/sync.test.ts',
  contradicted: 'test/contract/overriding.ts',
  outdated: 'test/contract/copies.ts',
} satisfies Partial<Record<FilterKey, string>>;
type Checked = Exclude<FilterKey, keyof typeof ELSEWHERE | 'state'>;

/**
 * Whether a version passes a filter, its state aside; the rules of domain.md said once more, over the export. The compiler
 * asks for a new part of the filter (CO-1).
 */
export function passes(tables: Tables, filter: Filter, d: Any): boolean {
  const { of, byId } = tables;
  const edges = of('decisionEdges');
  const { outcome, since, until, stale } = filter;
  const root = filter.topic === undefined ? undefined : rootOf(tables, filter.topic);
  const checks: Record<Checked, boolean> = {
    scope: filter.scope === undefined || foldName(d.scope) === foldName(filter.scope),
    topic: root === undefined || d.rootId === root,
    outcome: outcome === undefined || (d.outcome ?? 'pending') === outcome,
    branch: filter.branch === undefined || d.branch === filter.branch,
    strength: filter.strength === undefined || d.strength === filter.strength,
    since: since === undefined || d.createdAt >= since,
    until: until === undefined || d.createdAt < until,
    stale: stale === undefined || d.updatedAt < stale,
    by: filter.by === undefined || isBy(tables.authorOf(d.seq), filter.by),
    noEvidence:
      !filter.noEvidence || !of('evidence').some((e) => byId.get(e.decisionRef).rootId === d.rootId),
    failedBasis: !filter.failedBasis || dependsOnFailed(tables, edges, d),
    unsure: !filter.unsure || d.confidence < 0.5,
    debated:
      !filter.debated ||
      edges.some((e) => e.toId === d.id && e.relationship === 'debates' && byId.get(e.fromId).isActive === 1),
    words: filter.words === undefined || holds(textOf(tables, d), filter.words),
  };
  return Object.values(checks).every(Boolean);
}

/** Whether it depends on what failed: directly, by one between, or by the last earlier version with links (T-7). */
function dependsOnFailed({ decisions, byId }: Tables, edges: Any[], d: Any): boolean {
  const groundsOf = (of: Any): Any[] =>
    edges
      .filter((e) => e.fromId === of.id && ['builds_on', 'synthesizes'].includes(e.relationship))
      .map((e) => byId.get(e.toId));
  const isFailed = (ground: Any) => ground.outcome === 'failed';
  const elsewhere = (ground: Any) => isFailed(ground) && ground.rootId !== d.rootId;
  const own = groundsOf(d);
  if (own.some(isFailed) || own.some((ground) => groundsOf(ground).some(elsewhere))) return true;
  if (own.length > 0 || d.isActive !== 1) return false;
  const said = (d.reasoning ?? '').toLowerCase();
  const isNamed = ({ id, topic }: Any) => said.includes(id) || (topic && said.includes(topic.toLowerCase()));
  const linking = decisions.filter((each) => each.rootId === d.rootId && groundsOf(each).length > 0);
  const last = linking.toSorted((a, b) => a.version - b.version).at(-1);
  return last !== undefined && groundsOf(last).some((ground) => elsewhere(ground) && !isNamed(ground));
}

export function isInState(
  tables: Tables,
  d: Any,
  { outcome, state = outcome === undefined || outcome === 'pending' ? 'active' : 'any' }: Filter,
): boolean {
  const isNewest = !tables.decisions.some((other) => other.rootId === d.rootId && other.version > d.version);
  if (state === 'any') return true;
  if (state === 'superseded') return !isNewest;
  return isNewest && d.withdrawn === (state === 'withdrawn' ? 1 : 0);
}

export function rootOf({ of }: Tables, topic: string): string | undefined {
  return of('topics').find(({ key }) => key === foldName(topic))?.rootId;
}

export const isBy = (author: string, by: string) => foldName(author).includes(foldName(by)) && author !== '';

/** Whether each word of a question stands in a text. */
export function holds(text: string, words: string): boolean {
  const tokens = new Set(analyse(text));
  const terms = queryTerms(words);
  return terms.length > 0 && terms.every((term) => tokens.has(term));
}

/** What is searched of a decision. */
export function textOf({ of }: Tables, d: Any): string {
  const reasons = of('outcomes').filter((o) => o.decisionId === d.id && o.reason !== null);
  const { prose } = parseReasoning(d.reasoning ?? '');
  const evidence = new Set(of('evidence').flatMap((e) => (e.decisionRef === d.id ? [e.id] : [])));
  const hints = of('anchors').filter((a) => a.decisionRef === d.id || evidence.has(a.evidenceRef));
  return [d.topic ?? '', d.text, prose, ...reasons.map((o) => o.reason), ...hints.map((a) => a.hint)].join(
    '\n',
  );
}

/** The newest first; of one moment those that were saved last. */
export const newestFirst = (a: Any, b: Any) => b.createdAt - a.createdAt || b.seq - a.seq;
