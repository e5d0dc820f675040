import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../../domain/append.ts';
import { PrecedentError } from '../../../domain/error.ts';
import { type Facts, noFacts, type ObservationFact } from '../../../domain/import/facts.ts';
import type { Importer, Reading } from '../importer.ts';
import { jsonLines, leftOut, requireWhole } from '../json-lines.ts';
import { isDatabase, readDatabase, type SourceRow } from '../source-database.ts';
import { readText, requireBelow } from '../source-text.ts';
import { counted, named, restOf, textOf, timeOf } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';
import { decisionsOf, type Issue } from './decisions.ts';

const NAME = 'beads';
/** From 0.50 on the database of beads is no file that others can read: it writes the first one when it is asked. */
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
      .map((each) => FILES.map((name) => join(each, name)).find((file) => existsSync(file)) ?? each),
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
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const found = [path, join(path, '.beads')]
    .flatMap((folder) => FILES.map((name) => join(folder, name)))
    .find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new PrecedentError('not_found', `Expected ${FILES[0]} of beads, found none in ${path}: ${HOW}.`);
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
    key: `memory:${name}`,
    at,
    isUndated: true,
    title: name,
    content: textOf(value) ?? name,
    type: 'memory',
    project: null,
    scope: 'project',
    topicKey: name,
    rest,
  };
}

/** The names of its settings under which it keeps what it was asked to remember. */
const MEMORY = 'kv.memory.';

/** The rows of `beads.db`, where beads kept its truth before 0.50, as its lines have them. */
function rowsIn(path: string): Record<string, unknown>[] {
  return readDatabase(path, (database) => {
    requireDatabaseOf('beads', database);
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
