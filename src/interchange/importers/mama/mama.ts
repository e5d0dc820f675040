import { join } from 'node:path';
import { append } from '../../../domain/append.ts';
import { invalid } from '../../../domain/error.ts';
import { type DecisionFact, type ExtraFields, type Facts, noFacts } from '../../../domain/import/facts.ts';
import { OUTCOMES, type Outcome } from '../../../domain/outcome.ts';
import { normalizeName } from '../../../domain/text/text.ts';
import { warnBroken } from '../broken.ts';
import type { Importer, Machine, Reading } from '../importer.ts';
import { readDatabase, type SourceDatabase } from '../source-database.ts';
import { settingsAt } from '../source-text.ts';
import {
  BARE,
  instantOf,
  leaveOut,
  listed,
  listOf,
  restOf,
  type SourceRow,
  textOf,
  timeOf,
} from '../values.ts';
import { linksOf } from './links.ts';

/** MAMA, the server whose operations on decisions are ours: one file for all projects. */
export const mama: Importer = {
  name: 'mama',
  what: 'the database of MAMA 1.x or 2.x',
  hasScopes: true,
  places: ({ home, env }: Machine) =>
    [
      env.MAMA_DB_PATH,
      env.MAMA_DATABASE_PATH,
      // The person's own configuration: a folder that somebody names has none.
      textOf(settingsAt(join(home, '.mama', 'config.json')).db_path),
      join(home, '.claude', 'mama-memory.db'),
    ].filter((place): place is string => Boolean(place)),
  read: readerOf('mama'),
};

/** 7-division's CAD server, whose memory began as MAMA's. */
export const sevenDivision: Importer = {
  name: '7-division',
  what: "the database of 7-division's CAD server",
  places: ({ home, env }: Machine) => [
    join(env.CAD_DATA_DIR ?? join(home, '.ai-native-cad', 'data'), 'mama.db'),
  ],
  read: readerOf('7-division'),
};

function readerOf(source: string): Importer['read'] {
  return (path, reading) => readDatabase(path, source, (database) => readMama(database, source, reading));
}

/** The columns that are read of each table; the rest of a row is kept with the record. */
const DECISION = listed('id topic decision reasoning confidence outcome created_at updated_at');
const STATED = listed('failure_reason outcome_reason limitation evidence alternatives risks session_id');
const CHECKPOINT = ['id', 'timestamp', 'summary', 'open_files', 'next_steps'];
const TABLES = /^(decisions|decision_edges|checkpoints|learnings|memory_scopes|memory_scope_bindings)$/;
/** The kind of a 2.x row that is a decision; other kinds are observations. */
const DECIDED = 'decision';

/** Reads a `mama.db`: MAMA 1.x and 2.x, and 7-division, which began as a copy of it. */
function readMama(database: SourceDatabase, source: string, { scope }: Reading): Facts {
  const facts = noFacts(source);
  const scopes = scopesOf(database, scope);
  const rows = database
    .rows('decisions', 'created_at, id')
    .filter((row) => scopes.isWanted(textOf(row.id) ?? ''));
  const left = database.rows('decisions', 'id').length - rows.length;
  leaveOut(facts, left, 'decision', 'filed under another scope');
  rows.sort((a, b) => madeAt(a) - madeAt(b) || (String(a.id) < String(b.id) ? -1 : 1));
  const edges = database.rows('decision_edges', 'from_id, to_id, relationship');
  for (const row of rows) {
    const id = textOf(row.id) ?? '';
    const rest = { ...restOf(row, [...DECISION, ...STATED]), ...scopes.restOf(id) };
    if ((textOf(row.kind) ?? DECIDED) === DECIDED) facts.decisions.push(decision(row, rest));
    else facts.observations.push(observation(row, rest, scopes.projectOf(id)));
  }
  linksOf(facts, rows, edges);
  for (const row of database.rows('checkpoints', 'id')) facts.checkpoints.push(checkpoint(row));
  for (const row of database.rows('learnings', 'id')) facts.observations.push(learning(row));
  append(facts.skipped, database.others(TABLES, 'neither decisions nor checkpoints'));
  warnTrimmed(facts, rows);
  warnBroken(facts);
  return facts;
}

/** Where it has no date of its own, the one of its last change. */
const madeAt = (row: SourceRow): number => instantOf(row.created_at) ?? timeOf(row.updated_at);

function decision(row: SourceRow, rest: ExtraFields): DecisionFact {
  const at = madeAt(row);
  const updatedAt = instantOf(row.updated_at) ?? at;
  return {
    key: String(row.id),
    id: String(row.id),
    at,
    updatedAt,
    session: textOf(row.session_id),
    topic: String(row.topic ?? ''),
    text: String(row.decision ?? ''),
    reasoning: textOf(row.reasoning) ?? null,
    ...(typeof row.confidence === 'number' && { confidence: row.confidence }),
    outcome: outcomeOf(row, updatedAt),
    evidence: evidenceOf(row, at),
    rest: { ...topicOf(row, rest), ...unheard(row) },
  };
}

/** The parts of its outcome and its confidence that have no place here. */
function unheard(row: SourceRow): ExtraFields {
  const { confidence } = row;
  const isOdd = typeof confidence === 'number' && !(confidence >= 0 && confidence <= 1);
  const stated =
    outcomeOf(row, 0) === undefined ? ['outcome', 'failure_reason', 'outcome_reason', 'limitation'] : [];
  return Object.fromEntries(
    [...stated, ...(isOdd ? ['confidence'] : [])].flatMap((name) => (row[name] ? [[name, row[name]]] : [])),
  );
}

/** A topic that was written otherwise is kept as it was written. */
function topicOf(row: SourceRow, rest: ExtraFields): ExtraFields {
  return normalizeName(String(row.topic)) === row.topic ? rest : { ...rest, topic: row.topic };
}

/** MAMA writes the reason of any outcome where failures have theirs; the date is the latest that it can be. */
function outcomeOf(row: SourceRow, at: number): DecisionFact['outcome'] {
  const outcome = OUTCOMES.find((each) => each === String(row.outcome).toLowerCase()) as Outcome | undefined;
  if (outcome === undefined) return undefined;
  const limitation = textOf(row.limitation);
  const reasons = [
    textOf(row.failure_reason) ?? textOf(row.outcome_reason),
    limitation && `Limitation: ${limitation}`,
  ].filter((each) => each !== undefined && each !== '');
  return { outcome, reason: reasons.length > 0 ? reasons.join('\n') : null, at };
}

function evidenceOf(row: SourceRow, at: number): { text: string; at: number }[] {
  const prefixed = (value: unknown, prefix: string) =>
    listOf(value).map((text) => ({ text: prefix + text, at }));
  return [
    ...prefixed(row.evidence, ''),
    ...prefixed(row.alternatives, 'Alternative: '),
    ...prefixed(row.risks, 'Risk: '),
  ];
}

/** A preference, a fact, a task …: 2.x keeps them besides decisions. */
function observation(
  row: SourceRow,
  rest: ExtraFields,
  project: string | null,
): Facts['observations'][number] {
  const at = madeAt(row);
  const said = [textOf(row.decision), textOf(row.reasoning)].filter((each) => each !== undefined);
  const more = Object.fromEntries(STATED.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));
  return {
    ...BARE,
    key: String(row.id),
    at,
    updatedAt: instantOf(row.updated_at) ?? at,
    session: textOf(row.session_id),
    title: String(row.topic ?? ''),
    content: said.join('\n\n'),
    type: String(row.kind),
    project,
    rest: { ...rest, ...more, confidence: row.confidence },
  };
}

function checkpoint(row: SourceRow): Facts['checkpoints'][number] {
  return {
    key: `checkpoint:${row.id}`,
    at: timeOf(row.timestamp),
    summary: String(row.summary ?? ''),
    nextSteps: textOf(row.next_steps) ?? null,
    openFiles: listOf(row.open_files),
    rest: restOf(row, CHECKPOINT),
  };
}

/** 7-division: what a person understood. */
function learning(row: SourceRow): Facts['observations'][number] {
  return {
    ...BARE,
    key: `learning:${row.id}`,
    at: timeOf(row.created_at),
    title: String(row.concept),
    content: textOf(row.user_explanation) ?? String(row.concept),
    type: 'learning',
    scope: 'personal',
    rest: restOf(row, ['id', 'concept', 'user_explanation', 'created_at']),
  };
}

function warnTrimmed(facts: Facts, rows: SourceRow[]): void {
  const spelled = Map.groupBy(new Set(rows.map(({ topic }) => String(topic))), normalizeName);
  for (const [name, spellings] of spelled) {
    if (spellings.length < 2) continue;
    const others = spellings.filter((each) => each !== name).map((each) => `'${each}'`);
    facts.warnings.push(`${spellings.length} topics became one after trimming: ${others.join(', ')}`);
  }
}

/** Under which scopes a MAMA 2.x has filed its rows: one file is for all projects. */
interface Scopes {
  isWanted(id: string): boolean;
  restOf(id: string): ExtraFields;
  projectOf(id: string): string | null;
}

/**
 * @param wanted only what is filed under this, as `project=/home/kim/shop`
 * @throws PrecedentError `invalid` where nothing is filed under it
 */
function scopesOf(database: SourceDatabase, wanted: string | undefined): Scopes {
  const names = new Map(
    database
      .rows('memory_scopes', 'id')
      .map(({ id, kind, external_id }) => [String(id), { kind: String(kind), name: String(external_id) }]),
  );
  const bound = database
    .rows('memory_scope_bindings', 'memory_id, scope_id')
    .flatMap(({ memory_id, scope_id }) => {
      const scope = names.get(String(scope_id));
      return scope ? { id: String(memory_id), ...scope } : [];
    });
  const filed = Map.groupBy(bound, ({ id }) => id);
  const written = ({ kind, name }: { kind: string; name: string }) => `${kind}=${name}`;
  const known = [...new Set([...filed.values()].flat().map(written))];
  if (wanted !== undefined && !known.includes(wanted)) {
    const found = known.length > 0 ? known.slice(0, 20).join(', ') : 'none in this file';
    throw invalid.not_one_of(`Expected a scope out of ${found}, found "${wanted}".`);
  }
  const of = (id: string) => filed.get(id) ?? [];
  return {
    isWanted: (id) => wanted === undefined || of(id).map(written).includes(wanted),
    restOf: (id) => (of(id).length > 0 ? { scopes: of(id).map(written) } : {}),
    projectOf: (id) => of(id).find(({ kind }) => kind === 'project')?.name ?? null,
  };
}
