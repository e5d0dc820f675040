import { statSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../../domain/append.ts';
import { notFound } from '../../../domain/error.ts';
import {
  type DecisionFact,
  type Facts,
  noFacts,
  type ObservationFact,
} from '../../../domain/import/facts.ts';
import { statHere } from '../../../files/machines.ts';
import { chainsOf, endReplaced } from '../chains.ts';
import type { Importer, Reading } from '../importer.ts';
import { jsonLines, leftOut, requireWhole } from '../json-lines.ts';
import { sectionsIn } from '../markdown.ts';
import { isDatabase, readDatabase } from '../source-database.ts';
import { isFolder, readText, requireBelow } from '../source-text.ts';
import {
  BARE,
  counted,
  filledIn,
  instantOf,
  listed,
  listOf,
  named,
  objectsOf,
  restOf,
  type SourceRow,
  textOf,
  timeOf,
} from '../values.ts';

const NAME = 'beads';
/** From 0.50 on the database of beads is not a file that others can read: it writes the first one when it is asked. */
const FILES = ['issues.jsonl', 'beads.jsonl', 'beads.db'];
const HOW = '"bd export --all -o .beads/issues.jsonl" writes it';

/** beads: its decisions, and what it was asked to remember. */
export const beads: Importer = {
  name: NAME,
  what: 'the issues of beads (issues.jsonl)',
  // Where the file was not written yet, the folder says how to write it.
  places: ({ folder, env }) =>
    [env.BEADS_DIR, join(folder, '.beads')]
      .filter((each): each is string => Boolean(each))
      .map((each) => FILES.map((name) => join(each, name)).find((file) => statHere(file)) ?? each),
  read,
};

function read(path: string, { skipDamaged = false }: Reading): Facts {
  const file = requireBelow(fileAt(path), path);
  const facts = noFacts(NAME);
  const { rows, damaged, changedAt } = linesAt(file, skipDamaged, facts);
  const memories = new Map<string, ObservationFact>();
  const issues = new Map<string, Issue>();
  for (const row of rows) {
    if (row._type === 'memory') memories.set(String(row.key), memory(row, changedAt));
    else keepLater(issues, row as Issue, facts);
  }
  const all = [...issues.values()];
  append(facts.observations, memories.values());
  append(facts.decisions, decisionsOf(all.filter(isDecision), facts));
  for (const [type, of] of Map.groupBy(
    all.filter((each) => !isDecision(each)),
    typeOf,
  ))
    facts.skipped.push({
      what: `${counted(of.length, 'issue')} of type ${type}`,
      why: 'work, and no memory',
    });
  append(facts.skipped, leftOut(damaged));
  return facts;
}

/** The lines of its file, or the rows of its first database; their beginning tells which. */
function linesAt(file: string, skipDamaged: boolean, facts: Facts) {
  if (isDatabase(file)) {
    const changedAt = Math.floor(statSync(file).mtimeMs);
    return { rows: rowsIn(file), damaged: [], changedAt };
  }
  const { text, changedAt, isDamaged } = readText(file);
  if (isDamaged) facts.warnings.push('Bytes that are no UTF-8 became U+FFFD.');
  const lines = jsonLines(text, problemOf);
  requireWhole(lines, 'an issue or a memory', file, skipDamaged);
  return { ...lines, changedAt };
}

const typeOf = ({ issue_type: type }: Issue) => named(type) ?? 'task';
const isDecision = (issue: Issue) => ['decision', 'dec', 'adr'].includes(typeOf(issue).toLowerCase());

/** A file, or the one in a repository or its folder `.beads`. */
function fileAt(path: string): string {
  if (!isFolder(path)) return path;
  const found = [path, join(path, '.beads')]
    .flatMap((folder) => FILES.map((name) => join(folder, name)))
    .find((each) => statHere(each));
  if (found !== undefined) return found;
  throw notFound.no_file(`Expected ${FILES[0]} of beads, found none in ${path}: ${HOW}.`);
}

/** What keeps a line from being one of beads. Before 1.0 its lines had no type of their own. */
function problemOf(row: Record<string, unknown>): string | undefined {
  if (row._type === 'memory') return named(row.key) === undefined ? 'a memory without a key' : undefined;
  if (row._type !== undefined && row._type !== 'issue') return 'neither an issue nor a memory';
  const isIssue = named(row.id) !== undefined && typeof row.title === 'string';
  return isIssue ? undefined : 'an issue without an id or a title';
}

/** Of two lines with one id, which a merge leaves, the one that was changed last counts. */
function keepLater(issues: Map<string, Issue>, row: Issue, { warnings }: Facts): void {
  const before = issues.get(row.id);
  const changed = (each: Issue) => timeOf(each.updated_at);
  if (before) warnings.push(`${row.id} is there twice: the line that was changed last counts`);
  if (!before || changed(row) >= changed(before)) issues.set(row.id, row);
}

function memory(row: Record<string, unknown>, at: number): ObservationFact {
  const { _type: _, key, value, ...rest } = row;
  const name = String(key);
  return {
    ...BARE,
    key: `memory:${name}`,
    at,
    isUndated: true,
    title: name,
    content: textOf(value) ?? name,
    type: 'memory',
    topicKey: name,
    rest,
  };
}

/** The names of its settings under which it keeps what it was asked to remember. */
const MEMORY = 'kv.memory.';

/** The rows of `beads.db`, where beads kept its truth before 0.50, as its lines have them. */
function rowsIn(path: string): Record<string, unknown>[] {
  return readDatabase(path, NAME, (database) => {
    const of = (table: string) =>
      Map.groupBy(database.rows(table, 'rowid').map(filled), ({ issue_id: id }) => String(id));
    const [dependencies, labels, comments] = [of('dependencies'), of('labels'), of('comments')];
    const issues = database.rows('issues', 'rowid').map((row) => ({
      ...filled(row),
      dependencies: dependencies.get(String(row.id)),
      labels: labels.get(String(row.id))?.map(({ label }) => label),
      comments: comments.get(String(row.id)),
    }));
    const memories = database.rows('config', 'key').flatMap(({ key, value }) => {
      const name = String(key);
      return name.startsWith(MEMORY) ? [{ _type: 'memory', key: name.slice(MEMORY.length), value }] : [];
    });
    return [...issues, ...memories];
  });
}

/** A row without what its lines leave out: what is empty, and what only serves the database. */
function filled(row: SourceRow): SourceRow {
  const all = Object.entries(restOf(row, ['content_hash']));
  return Object.fromEntries(all.filter(([name, value]) => value !== 0 || name === 'priority'));
}

/** An issue as it is in its line. */
type Issue = Record<string, unknown> & { id: string; title: string };

/** What has a place in a decision, or counts what is next to it. */
const TAKEN = listed(`_type id title description comments created_at created_by updated_at labels issue_type
  dependency_count dependent_count comment_count`);
const GROUNDS = /^(rationale|alternatives( considered)?|context|consequences)$/i;
const CLOSED = ['closed', 'tombstone'];

/** Issues that record a decision: those that replaced each other are one chain, called after the first (I-1). */
function decisionsOf(issues: Issue[], { warnings }: Facts): DecisionFact[] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const pairs = issues.flatMap((issue) =>
    supersessionsOf(issue).flatMap((id): [Issue, Issue][] => {
      const other = byId.get(id);
      if (!other) warnings.push(`${issue.id} supersedes ${id}: no such decision; kept with it`);
      return other && other !== issue ? [newerFirst(issue, other)] : [];
    }),
  );
  const { chains, across } = chainsOf(issues, pairs, (a, b) => madeAt(a) - madeAt(b));
  const decisions = new Map(
    chains.flatMap((chain) =>
      chain.map((issue) => [issue, decision(issue, `beads:${chain[0]?.id}`, issue === chain.at(-1))]),
    ),
  );
  endReplaced(decisions, across);
  return [...decisions.values()];
}

/** The link is drawn from either end: "bd supersede" draws it from the older one. The other end is the one that was closed, else the older one. */
function newerFirst(one: Issue, other: Issue): [newer: Issue, older: Issue] {
  const isClosed = (issue: Issue) => CLOSED.includes(String(issue.status));
  const isOneOlder = isClosed(one) === isClosed(other) ? madeAt(one) < madeAt(other) : isClosed(one);
  return isOneOlder ? [other, one] : [one, other];
}

const supersessionsOf = ({ dependencies }: Issue): string[] =>
  objectsOf(dependencies)
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
      ...restOf({ ...issue, metadata: filledIn(issue.metadata) }, TAKEN),
      ...(text !== issue.title && { title: issue.title }),
      ...(listOf(issue.labels).length > 0 && { labels: listOf(issue.labels) }),
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
  return [
    ...(description === undefined ? [] : [{ text: description, at }]),
    ...objectsOf(issue.comments).flatMap(({ author, text, created_at: date }) => {
      const said = textOf(text);
      const who = named(author);
      if (said === undefined) return [];
      return [{ text: who === undefined ? said : `${who}: ${said}`, at: instantOf(date) ?? at }];
    }),
  ];
}
