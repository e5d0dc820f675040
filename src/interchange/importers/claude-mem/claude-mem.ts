import { join } from 'node:path';
import { append } from '../../../domain/append.ts';
import {
  type CheckpointFact,
  type ExtraFields,
  type Facts,
  noFacts,
  type ObservationFact,
} from '../../../domain/import/facts.ts';
import { sha256 } from '../../../domain/text/digest.ts';
import { capitalize } from '../../../domain/text/text.ts';
import { warnBroken } from '../broken.ts';
import type { Importer, Machine } from '../importer.ts';
import { readDatabase, type SourceDatabase } from '../source-database.ts';
import { anotherFile, beginsAsJson, isFolder, readText, settingsAt } from '../source-text.ts';
import {
  BARE,
  instantOf,
  isObject,
  leaveOut,
  listed,
  listOf,
  named,
  objectOf,
  objectsOf,
  parsedOf,
  restOf,
  type SourceRow,
  textOf,
  timeOf,
} from '../values.ts';

const FILE = 'claude-mem.db';
/** Tables whose rows come, or are reported in their own words. */
const TABLES = /^(observations|session_summaries|sdk_sessions|user_prompts|memories|overviews)$/;

/** claude-mem: what a model wrote down of sessions of Claude Code. */
export const claudeMem: Importer = {
  name: 'claude-mem',
  what: 'the database of claude-mem',
  places: (machine) => [join(dataFolder(machine), FILE)],
  read,
};

function read(path: string): Facts {
  if (beginsAsJson(path)) return ofExport(path);
  const read = (database: SourceDatabase) => {
    const facts = factsOf({
      sessions: database.rows('sdk_sessions', 'id'),
      observations: [...database.rows('memories', 'id'), ...database.rows('observations', 'id')],
      summaries: [...database.rows('overviews', 'id'), ...database.rows('session_summaries', 'id')],
      prompts: database.rows('user_prompts', 'id'),
    });
    append(facts.skipped, database.others(TABLES, 'neither observations nor summaries'));
    return facts;
  };
  return readDatabase(isFolder(path) ? join(path, FILE) : path, 'claude-mem', read, path);
}

/** The form in which its script writes the answer to a search. */
function ofExport(path: string): Facts {
  const value = objectOf(readText(path).text);
  const rows: ClaudeMemRows = {
    sessions: objectsOf(value.sessions),
    observations: objectsOf(value.observations),
    summaries: objectsOf(value.summaries),
    prompts: objectsOf(value.prompts),
  };
  const isOurs = [...rows.observations, ...rows.summaries].some(({ memory_session_id: id }) => textOf(id));
  if (!isOurs) throw anotherFile('the database or the export of claude-mem', path);
  const facts = factsOf(rows);
  facts.warnings.push(
    'An export of claude-mem holds what a search found, not all: its database has the rest.',
  );
  return facts;
}

/** The variable, else what its settings say, else the usual folder; `~` is the home in all of them. */
function dataFolder({ home, env }: Machine): string {
  const usual = join(home, '.claude-mem');
  const settings = settingsAt(join(usual, 'settings.json'));
  const configured = textOf((isObject(settings.env) ? settings.env : settings).CLAUDE_MEM_DATA_DIR);
  return (env.CLAUDE_MEM_DATA_DIR || configured || usual).replace(/^~(?=$|[/\\])/, home);
}

/** The records of claude-mem, whatever they are read from. */
interface ClaudeMemRows {
  sessions: SourceRow[];
  observations: SourceRow[];
  summaries: SourceRow[];
  prompts: SourceRow[];
}

/** Columns that have a place in a record, follow from one, or only serve its own syncing. */
const TAKEN =
  listed(`id memory_session_id sdk_session_id project merged_into_project created_at created_at_epoch
  content_hash origin_device_id origin_local_id synced_at sync_rev`);
/** Besides those, where 3.x kept what it remembered in tables of its own, which later versions left as they were. */
const FIRST = { said: ['session_id', 'files_touched'], summary: ['session_id', 'content'] };
const SAID = ['title', 'subtitle', 'text', 'type', 'narrative', 'facts', 'files_read', 'files_modified'];
/** The parts of a summary, in the order in which they are written. */
const PARTS = ['request', 'investigated', 'learned', 'completed', 'notes'] as const;
/** Columns that are JSON. */
const PARSED = ['concepts', 'metadata'];

/** Observations and checkpoints out of the rows of claude-mem, of any of its versions. */
function factsOf({ sessions, observations, summaries, prompts }: ClaudeMemRows): Facts {
  const facts = noFacts('claude-mem');
  const names = new Map(
    sessions.map((row) => [sessionIn(row) ?? '', named(row.content_session_id ?? row.claude_session_id)]),
  );
  // Nothing kept the first versions from writing one down twice.
  const keys = new Set<string>();
  const distinct = (key: string): string => {
    const free = keys.has(key) ? distinct(`${key}+`) : key;
    keys.add(free);
    return free;
  };
  const sessionOf = (row: SourceRow) => {
    const session = sessionIn(row);
    return session === undefined ? undefined : (names.get(session) ?? session);
  };
  for (const row of observations)
    facts.observations.push(observation(row, distinct(keyOf(row)), sessionOf(row)));
  for (const row of summaries)
    facts.checkpoints.push(
      checkpoint(row, distinct(`summary:${sessionIn(row) ?? ''}:${madeAt(row)}`), sessionOf(row)),
    );
  leaveOut(facts, prompts.length, 'prompt', 'what was typed is no memory');
  const titled = sessions.filter(({ custom_title: title }) => textOf(title)).length;
  leaveOut(facts, titled, 'title', 'of a session its id comes alone');
  warnBroken(facts);
  return facts;
}

/** The session that a row names; its column had another name before version 5. */
const sessionIn = (row: SourceRow) => named(row.memory_session_id ?? row.sdk_session_id ?? row.session_id);

/**
 * Known on every machine that it was synced to: by its session and its hash. The first versions had none: there several of one
 * answer have one time, and differ by their titles.
 */
function keyOf(row: SourceRow): string {
  const said = textOf(row.title) ?? contentOf(row);
  const name = named(row.content_hash) ?? `${madeAt(row)}:${sha256(said).slice(0, 16)}`;
  return `${sessionIn(row) ?? ''}:${name}`;
}

function observation(row: SourceRow, key: string, session: string | undefined): ObservationFact {
  const content = contentOf(row);
  return {
    ...BARE,
    key,
    at: madeAt(row),
    session,
    // The oldest rows have a text alone.
    title: textOf(row.title)?.trim() ?? '',
    content,
    type: named(row.type) ?? '',
    project: named(row.merged_into_project) ?? named(row.project) ?? null,
    rest: { ...more(row, [...SAID, ...FIRST.said]), ...filedUnder(row) },
  };
}

function checkpoint(row: SourceRow, key: string, session: string | undefined): CheckpointFact {
  const taken = [...PARTS, 'next_steps', 'files_read', 'files_edited', ...FIRST.summary];
  const project = named(row.merged_into_project) ?? named(row.project);
  return {
    key,
    at: madeAt(row),
    session,
    summary: summaryOf(row),
    nextSteps: textOf(row.next_steps)?.trim() ?? null,
    openFiles: [...new Set([...listOf(row.files_read), ...listOf(row.files_edited)])],
    rest: { ...(project !== undefined && { project }), ...more(row, taken), ...filedUnder(row) },
  };
}

function contentOf(row: SourceRow): string {
  const facts = listOf(row.facts).map((each) => `- ${each.trim()}`);
  const files = [
    ...filesIn('Files read', row.files_read),
    ...filesIn('Files modified', row.files_modified ?? row.files_touched),
  ];
  return [
    textOf(row.subtitle)?.trim(),
    textOf(row.narrative)?.trim(),
    textOf(row.text)?.trim(),
    facts.join('\n'),
    files.join('\n'),
  ]
    .filter((part, index, all) => part && all.indexOf(part) === index)
    .join('\n\n');
}

function filesIn(name: string, value: unknown): string[] {
  const files = listOf(value);
  return files.length > 0 ? [`${name}: ${files.join(', ')}`] : [];
}

function summaryOf(row: SourceRow): string {
  const stated = PARTS.flatMap((name) => {
    const text = textOf(row[name])?.trim();
    return text === undefined ? [] : [`${capitalize(name)}: ${text}`];
  });
  return [textOf(row.content)?.trim(), ...stated].filter(Boolean).join('\n\n');
}

/** The number, else the date that is written next to it. */
function madeAt(row: SourceRow): number {
  return instantOf(row.created_at_epoch) ?? timeOf(row.created_at);
}

function more(row: SourceRow, said: readonly string[]): ExtraFields {
  const rest = restOf(row, [...TAKEN, ...said]);
  return Object.fromEntries(
    Object.entries(rest)
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => [name, PARSED.includes(name) ? parsedOf(value) : value]),
  );
}

/** The project that it was in before that was joined to another. */
function filedUnder(row: SourceRow): ExtraFields {
  const [project, into] = [named(row.project), named(row.merged_into_project)];
  return into !== undefined && project !== undefined && into !== project
    ? { merged_from_project: project }
    : {};
}
