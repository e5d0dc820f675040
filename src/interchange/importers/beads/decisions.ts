import type { DecisionFact, Facts } from '../../../domain/import/facts.ts';
import { chainsOf } from '../chains.ts';
import { sectionsIn } from '../markdown.ts';
import { instantOf, isObject, listOf, named, objectOf, parsedOf, restOf, textOf } from '../values.ts';

/** An issue as it is in its line. */
export type Issue = Record<string, unknown> & { id: string; title: string };

/** What has a place in a decision, or counts what is next to it. */
const TAKEN = [
  '_type',
  'id',
  'title',
  'description',
  'comments',
  'created_at',
  'created_by',
  'updated_at',
  'metadata',
  'labels',
  'issue_type',
  'dependency_count',
  'dependent_count',
  'comment_count',
];
const GROUNDS = /^(rationale|alternatives( considered)?|context|consequences)$/i;
const CLOSED = ['closed', 'tombstone'];

/** Issues that record a decision: those that replaced each other are one chain, called after the first (I-1). */
export function decisionsOf(issues: Issue[], { warnings }: Facts): DecisionFact[] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const pairs = issues.flatMap((issue) =>
    supersessionsOf(issue).flatMap((id): [Issue, Issue][] => {
      const other = byId.get(id);
      if (!other) warnings.push(`${issue.id} supersedes ${id}: no such decision; kept with it`);
      return other && other !== issue ? [newerFirst(issue, other)] : [];
    }),
  );
  return chainsOf(issues, pairs, (a, b) => madeAt(a) - madeAt(b)).flatMap((chain) =>
    chain.map((issue, index) => decision(issue, `beads:${chain[0]?.id}`, index === chain.length - 1)),
  );
}

/** The link is drawn from either end: "bd supersede" draws it from the older one. The other end is the one that was closed, else the older one. */
function newerFirst(one: Issue, other: Issue): [newer: Issue, older: Issue] {
  const isClosed = (issue: Issue) => CLOSED.includes(String(issue.status));
  const isOneOlder = isClosed(one) === isClosed(other) ? madeAt(one) < madeAt(other) : isClosed(one);
  return isOneOlder ? [other, one] : [one, other];
}

const supersessionsOf = ({ dependencies }: Issue): string[] =>
  (Array.isArray(dependencies) ? dependencies.filter(isObject) : [])
    .filter(({ type }) => type === 'supersedes')
    .flatMap(({ depends_on_id: id }) => named(id) ?? []);

const madeAt = (issue: Issue): number => instantOf(issue.created_at) ?? instantOf(issue.updated_at) ?? 0;

function decision(issue: Issue, topic: string, isLast: boolean): DecisionFact {
  const at = madeAt(issue);
  const { sections } = sectionsIn(textOf(issue.description) ?? '');
  const decided = sections.find(({ heading }) => /^(decision|결정)$/i.test(heading))?.body.trim();
  const updatedAt = Math.max(at, instantOf(issue.updated_at) ?? at);
  const text = decided || issue.title;
  return {
    key: issue.id,
    at,
    updatedAt,
    author: named(issue.created_by),
    topic,
    text,
    reasoning: reasoningOf(sections),
    evidence: evidenceOf(issue, at),
    withdrawn:
      issue.status === 'tombstone' && isLast
        ? {
            reason: textOf(issue.delete_reason) ?? 'Deleted in beads.',
            at: instantOf(issue.deleted_at) ?? updatedAt,
          }
        : undefined,
    rest: {
      ...restOf(issue, TAKEN),
      ...(text !== issue.title && { title: issue.title }),
      ...(listOf(issue.labels).length > 0 && { labels: listOf(issue.labels) }),
      ...metadataOf(issue),
    },
  };
}

function reasoningOf(sections: { heading: string; body: string }[]): string | null {
  const stated = sections.filter(({ heading, body }) => GROUNDS.test(heading) && body.trim() !== '');
  return stated.map(({ heading, body }) => `${heading}\n${body.trim()}`).join('\n\n') || null;
}

/** The whole description, and each comment with who made it. */
function evidenceOf(issue: Issue, at: number): { text: string; at: number }[] {
  const description = textOf(issue.description);
  const comments = Array.isArray(issue.comments) ? issue.comments.filter(isObject) : [];
  return [
    ...(description === undefined ? [] : [{ text: description, at }]),
    ...comments.flatMap(({ author, text, created_at: date }) => {
      const said = textOf(text);
      const who = named(author);
      if (said === undefined) return [];
      return [{ text: who === undefined ? said : `${who}: ${said}`, at: instantOf(date) ?? at }];
    }),
  ];
}

/** An object, or one as JSON. */
function metadataOf({ metadata }: Issue): Record<string, unknown> {
  if (Object.keys(objectOf(metadata)).length > 0) return { metadata: objectOf(metadata) };
  const other = parsedOf(metadata);
  return other === undefined || other === null || other === '' || isObject(other) ? {} : { metadata: other };
}
