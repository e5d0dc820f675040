import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { append } from '../../../domain/append.ts';
import { notFound } from '../../../domain/error.ts';
import { type ExtraFields, type Facts, noFacts, type ObservationFact } from '../../../domain/import/facts.ts';
import { sha256 } from '../../../domain/text/digest.ts';
import { statHere } from '../../../files/machines.ts';
import { warnBroken } from '../broken.ts';
import type { Importer, Machine } from '../importer.ts';
import { readDatabase } from '../source-database.ts';
import { anotherFile, beginsAsJson, isFolder, readText, requireBelow } from '../source-text.ts';
import {
  BARE,
  instantOf,
  isObject,
  leaveOut,
  listed,
  named,
  objectOf,
  parsedOf,
  restOf,
  type SourceRow,
  textOf,
} from '../values.ts';

const NAME = 'mem0';
/** mem0 keeps memories and what became of them in two files. */
const FILES = ['vector_store.db', 'history.db', 'memory.db'];
const TABLES = /^(vectors|memory_history|history)$/;
/** Under which names answers of its service and scripts have their list. */
const LISTS = ['results', 'memories'];

/** mem0: its files of SQLite (TypeScript and Python), or what its service answers. */
export const mem0: Importer = {
  name: NAME,
  what: 'the files of mem0 (vector_store.db, history.db), or what its get_all answers',
  places,
  read: (path) => readAll([path]),
  readAll,
};

/** The library for TypeScript writes its history into the working folder, where any other program may have a file of this name. */
function places({ home, env, folder }: Machine): string[] {
  const usual = env.MEM0_DIR ?? join(home, '.mem0');
  const inFolder = ['vector_store.db', 'memory.db'].map((name) => join(folder, name)).filter(isOurs);
  return [...(filesIn(usual).length > 0 ? [usual] : []), ...inFolder];
}

function readAll(paths: string[]): Facts {
  const rows: Mem0Rows = { memories: [], history: [], changedAt: 0 };
  const skipped: Facts['skipped'] = [];
  const found = paths.flatMap((each) =>
    withItsOthers(each, skipped).map((path) =>
      requireBelow(path, path === each || isFolder(each) ? each : dirname(each)),
    ),
  );
  for (const path of new Set(found)) {
    rows.changedAt = Math.max(
      rows.changedAt,
      Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    );
    if (beginsAsJson(path)) append(rows.memories, ofExport(path));
    else readFile(path, rows, skipped);
  }
  const facts = factsOf(rows);
  append(facts.skipped, skipped);
  warnBroken(facts);
  return facts;
}

function readFile(path: string, rows: Mem0Rows, skipped: Facts['skipped']): void {
  readDatabase(path, NAME, (database) => {
    for (const { id, payload } of database.rows('vectors', 'rowid')) rows.memories.push({ id, payload });
    append(rows.history, database.rows('memory_history', 'rowid'));
    append(rows.history, database.rows('history', 'rowid'));
    append(skipped, database.others(TABLES, 'no memories'));
  });
}

/** A folder means its files of mem0, and a file has the others next to it. */
function withItsOthers(path: string, skipped: Facts['skipped']): string[] {
  if (!isFolder(path)) {
    const others = FILES.includes(basename(path)) ? filesIn(dirname(path)) : [];
    return [path, ...others.filter((each) => each !== path && isOurs(each))];
  }
  const [ours, theirs] = [filesIn(path).filter(isOurs), filesIn(path).filter((each) => !isOurs(each))];
  for (const each of theirs) skipped.push({ what: basename(each), why: 'not of mem0, or damaged' });
  if (ours.length > 0) return ours;
  throw notFound.no_file(`Expected a folder with ${FILES.join(' or ')} of mem0, found none at ${path}.`);
}

const filesIn = (folder: string) => FILES.map((name) => join(folder, name)).filter((each) => statHere(each));

function isOurs(path: string): boolean {
  try {
    return statHere(path) !== undefined && readDatabase(path, NAME, () => true);
  } catch {
    return false;
  }
}

function ofExport(path: string): Record<string, unknown>[] {
  const value = parsedOf(readText(path).text);
  const list = Array.isArray(value)
    ? value
    : isObject(value) && LISTS.map((name) => value[name]).find((each) => Array.isArray(each));
  const rows = Array.isArray(list) ? list.filter(isObject) : [];
  const isOurs = Array.isArray(list) && rows.every((row) => 'memory' in row || 'data' in row);
  if (isOurs && rows.length === list.length) return rows;
  throw anotherFile('the files of mem0 or a list of its memories as JSON', path);
}

/** What mem0 keeps: memories as they are, and what became of each, oldest first. */
interface Mem0Rows {
  /** Rows with a payload, or memories as its service answers them. */
  memories: SourceRow[];
  history: SourceRow[];
  /** When its files were changed last, in milliseconds UTC. */
  changedAt: number;
}

/** What has a place in an observation, or follows from its text. */
const TAKEN =
  listed(`id data memory hash textLemmatized text_lemmatized created_at updated_at createdAt updatedAt user_id
  userId run_id runId memory_type`);

/** One step of a memory, in the words of either library. */
interface Step {
  event: string;
  before: string | undefined;
  after: string | undefined;
  at: number | undefined;
  row: SourceRow;
}

/** Observations out of the memories of mem0 and of their history: some of it is only in the history. */
function factsOf({ memories, history, changedAt }: Mem0Rows): Facts {
  const facts = noFacts('mem0');
  const steps = Map.groupBy(history, ({ memory_id: id }) => String(id));
  const all = memories.map((row) => [idOf(row), saidOf(row)] as const);
  const kept = all.filter(([, said]) => !isEntity(said));
  const current = new Map(kept);
  const entities = all.length - kept.length;
  for (const id of new Set([...current.keys(), ...steps.keys()])) {
    const fact = observation(id, current.get(id), (steps.get(id) ?? []).map(stepOf), changedAt);
    if (fact) facts.observations.push(fact);
    else facts.skipped.push({ what: id, why: 'it has no text' });
  }
  leaveOut(facts, entities, 'row', 'of entities, which are made of memories');
  if (facts.observations.length > 0)
    facts.warnings.push('A model chose what mem0 remembers, and much of it may be noise: look it over.');
  return facts;
}

const idOf = (row: SourceRow): string =>
  named(row.id) ?? sha256(`${named(row.user_id) ?? ''} ${named(row.memory) ?? named(row.data) ?? ''}`);

/** What a row says: its payload, or itself. */
const saidOf = ({ payload, ...row }: SourceRow): SourceRow =>
  payload === undefined ? row : objectOf(payload);

/** Names out of memories, which it keeps in a file of their own, like memories. */
const isEntity = (said: SourceRow): boolean =>
  ['linkedMemoryIds', 'linked_memory_ids'].some((name) => name in said);

function stepOf(row: SourceRow): Step {
  const event = String(row.event ?? row.action ?? '').toUpperCase();
  // The first versions of the library had one date, of the step itself.
  const dates = event === 'ADD' ? [row.created_at] : [row.updated_at, event === 'UPDATE' && row.created_at];
  return {
    event,
    before: textOf(row.old_memory ?? row.previous_value ?? row.prev_value),
    after: textOf(row.new_memory ?? row.new_value),
    at: [row.timestamp, ...dates].map(instantOf).find((each) => each !== undefined),
    row,
  };
}

function observation(
  id: string,
  said: SourceRow | undefined,
  steps: Step[],
  changedAt: number,
): ObservationFact | undefined {
  const row = said ?? {};
  const texts = steps.flatMap(({ before, after }) => [before, after]).filter((each) => each !== undefined);
  const content = textOf(row.data) ?? textOf(row.memory) ?? texts.at(-1);
  if (content === undefined) return undefined;
  const [first] = steps;
  const made =
    instantOf(row.createdAt) ?? instantOf(row.created_at) ?? instantOf(first?.row.created_at) ?? first?.at;
  const at = made ?? changedAt;
  const changes = [instantOf(row.updatedAt), instantOf(row.updated_at), ...steps.map((step) => step.at)];
  const updatedAt = Math.max(at, ...changes.filter((each) => each !== undefined));
  const last = steps.at(-1);
  const user = named(row.user_id) ?? named(row.userId);
  return {
    ...BARE,
    key: id,
    at,
    ...(made === undefined && { isUndated: true as const }),
    updatedAt,
    session: named(row.run_id) ?? named(row.runId),
    content,
    type: named(row.memory_type) ?? '',
    scope: user === undefined ? 'project' : `user:${user}`,
    // A deletion has no date in one of the two libraries: it is as late as the last change.
    deletedAt: said === undefined && last?.event === 'DELETE' ? (last.at ?? updatedAt) : undefined,
    revisions: revisionsOf(steps, content, at),
    rest: { ...restOf(row, TAKEN), ...writtenBy(last) },
  };
}

/** Its earlier texts: each was replaced by the next one. */
function revisionsOf(steps: Step[], now: string, madeAt: number): NonNullable<ObservationFact['revisions']> {
  const replaced: NonNullable<ObservationFact['revisions']> = [];
  let current: string | undefined;
  let at = madeAt;
  for (const { event, before, after, at: changedAt } of steps) {
    at = Math.max(at, changedAt ?? at);
    const text = before ?? current;
    if (event === 'UPDATE' && text !== undefined && text !== after)
      replaced.push({ title: '', content: text, type: '', replacedAt: at });
    current = after ?? current;
  }
  // A text that was written over without a word in the history.
  if (current !== undefined && current !== now)
    replaced.push({ title: '', content: current, type: '', replacedAt: at });
  return replaced;
}

/** Who said it, where only the history knows it. */
const writtenBy = (step: Step | undefined): ExtraFields =>
  step ? restOf({ actor_id: step.row.actor_id, role: step.row.role }, []) : {};
