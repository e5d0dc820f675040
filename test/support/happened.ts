import type { Filter } from '../../src/domain/filter/filter.ts';
import { holds, isBy, passes, type Tables, textOf } from './listed.ts';

/** What happened, as a test knows it from an export: the log in one line each, and whether a filter lets it through. */
interface Event {
  kind: string;
  at: number;
  order: number[];
  id: string;
  passes(filter: Filter): boolean;
}
// biome-ignore lint/suspicious/noExplicitAny: rows of many tables
type Any = any;

/** The log of an exported memory with a filter, the newest first, as `kind moment id`. */
export function logOf(tables: Tables, filter: Filter): string[] {
  return eventsOf(tables)
    .filter(({ kind, at, passes }) => {
      const { kinds, since, until } = filter;
      const isWanted = !kinds || (kinds as string[]).includes(kind);
      return isWanted && (since ?? 0) <= at && at < (until ?? Number.MAX_SAFE_INTEGER) && passes(filter);
    })
    .sort((a, b) => b.at - a.at || compare(b.order, a.order))
    .map(({ kind, at, id }) => `${kind} ${new Date(at).toISOString()} ${id}`);
}

const compare = (a: number[], b: number[]): number => {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number);
};

function eventsOf(tables: Tables): Event[] {
  const { of, byId, authorOf, authors, decisions } = tables;
  const observations = new Map(of('observations').map((row) => [row.id, row]));
  const bySeq = new Map<number, string>([
    ...decisions.map((d) => [d.seq, d.id] as const),
    ...of('observations').map((o) => [o.seq, `#${o.id}`] as const),
  ]);
  const isGiven = (filter: Filter, ...keys: (keyof Filter)[]) =>
    keys.some((key) => filter[key] !== undefined);
  const only = (filter: Filter, ...keys: (keyof Filter)[]) =>
    Object.keys(filter).every((key) => ['kinds', 'since', 'until', ...keys].includes(key));
  const isOf = (d: Any, { scope, topic }: Filter) => passes(tables, { scope, topic }, d);
  const by = (row: Any, filter: Filter) => filter.by === undefined || isBy(authorOf(row.seq), filter.by);
  const says = (text: string, { words }: Filter) => words === undefined || holds(text, words);
  const isObserved = (o: Any, { topic, project, type }: Filter) =>
    (topic === undefined || o.topicKey === topic) &&
    (project === undefined || o.project === project) &&
    (type === undefined || o.type === type);
  const about =
    (kind: string, id: (row: Any) => string, owner: (row: Any) => Any, text?: (row: Any) => string) =>
    (row: Any): Event => ({
      kind,
      at: row.createdAt ?? row.timestamp,
      order: [2, row.seq, 0],
      id: id(row),
      passes: (filter) =>
        only(
          filter,
          'scope',
          'topic',
          'by',
          ...(text ? (['words'] as const) : []),
          ...(kind === 'outcome' ? (['outcome'] as const) : []),
        ) &&
        isOf(owner(row), filter) &&
        by(row, filter) &&
        (filter.outcome === undefined || row.outcome === filter.outcome) &&
        says(text?.(row) ?? '', filter),
    });
  const own =
    (kind: string, text?: (row: Any) => string) =>
    (row: Any): Event => ({
      kind,
      at: row.createdAt,
      order: [2, row.seq, 0],
      id: row.id ?? bySeq.get(row.recordSeq),
      passes: (filter) =>
        only(filter, 'by', ...(text ? (['words'] as const) : [])) &&
        by(row, filter) &&
        says(text?.(row) ?? '', filter),
    });
  const evidence = new Map(of('evidence').map((row) => [row.id, row]));
  const ownerOf = (anchor: Any) =>
    byId.get(anchor.decisionRef ?? evidence.get(anchor.evidenceRef).decisionRef);
  return [
    ...decisions.map((d) => ({
      kind: 'decision',
      at: d.createdAt,
      order: [2, d.seq, 0],
      id: d.id,
      passes: (filter: Filter) => !isGiven(filter, 'project', 'type') && passes(tables, filter, d),
    })),
    ...of('outcomes').map(
      about(
        'outcome',
        (o) => o.decisionId,
        (o) => byId.get(o.decisionId),
        (o) => textOf(tables, byId.get(o.decisionId)),
      ),
    ),
    ...of('evidence').map(
      about(
        'evidence',
        (e) => e.id,
        (e) => byId.get(e.decisionRef),
        (e) => e.content,
      ),
    ),
    ...of('anchors').map(about('anchor', (a) => a.id, ownerOf)),
    ...of('checkpoints').map(
      own('checkpoint', (c) => [c.summary, c.nextSteps ?? '', ...JSON.parse(c.openFiles)].join('\n')),
    ),
    ...of('memos').map(own('memo', (m) => `${m.summary}\n${m.fullText}`)),
    ...of('redactions').map(own('redaction')),
    ...of('observations').map((o) => ({
      kind: 'observation',
      at: o.createdAt,
      order: [2, o.seq, 0],
      id: `#${o.id}`,
      passes: (filter: Filter) =>
        only(filter, 'by', 'topic', 'project', 'type', 'words') &&
        by(o, filter) &&
        isObserved(o, filter) &&
        // What was deleted is no longer searched.
        (filter.words === undefined ||
          (o.deletedAt === null && says([o.title, o.content, o.topicKey ?? ''].join('\n'), filter))),
    })),
    ...of('observationRevisions').map((v) => {
      const o = observations.get(v.observationId);
      const next = of('observationRevisions').find(
        (other) => other.observationId === v.observationId && other.revision === v.revision + 1,
      );
      const author = authors.get((next ?? o).writer) ?? '';
      return {
        kind: 'observation',
        at: v.replacedAt,
        order: [0, v.observationId, v.revision],
        id: `#${v.observationId}`,
        passes: (filter: Filter) =>
          only(filter, 'by', 'topic', 'project', 'type') &&
          isObserved(o, filter) &&
          (filter.by === undefined || isBy(author, filter.by)),
      };
    }),
    // That the text of an observation was rewritten is told by its revision.
    ...of('changes')
      .filter((c) => !(c.kind === 'rewritten' && bySeq.get(c.recordSeq)?.startsWith('#')))
      .map((c) => ({
        kind: 'change',
        at: c.createdAt,
        order: [1, c.seq, 0],
        id: bySeq.get(c.recordSeq) ?? 'undefined',
        passes: (filter: Filter) =>
          only(filter, 'by') && (filter.by === undefined || isBy(authors.get(c.writer) ?? '', filter.by)),
      })),
  ];
}
