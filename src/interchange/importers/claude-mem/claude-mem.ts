import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PrecedentError } from '../../../domain/error.ts';
import type { Facts } from '../../../domain/import/facts.ts';
import { readBounded } from '../../../files/bounded.ts';
import { warnBroken } from '../broken.ts';
import type { Importer, Machine } from '../importer.ts';
import { readDatabase, type SourceDatabase } from '../source-database.ts';
import { beginsAsJson, readText } from '../source-text.ts';
import { counted, isObject, objectOf, parsedOf, textOf } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';
import { type ClaudeMemRows, factsOf } from './read.ts';

const FILE = 'claude-mem.db';
/** Tables whose rows come, or are reported in their own words. */
const TABLES = ['observations', 'session_summaries', 'sdk_sessions', 'user_prompts', 'memories', 'overviews'];

/** claude-mem: what a model wrote down of sessions of Claude Code. */
export const claudeMem: Importer = {
  name: 'claude-mem',
  what: 'the database of claude-mem',
  hasDecisions: true,
  places: (machine) => [join(dataFolder(machine), FILE)],
  read,
};

function read(path: string): Facts {
  if (beginsAsJson(path)) return ofExport(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const read = (database: SourceDatabase) => {
    requireDatabaseOf('claude-mem', database);
    const facts = wholeFacts({
      sessions: database.rows('sdk_sessions', 'id'),
      observations: [...database.rows('memories', 'id'), ...database.rows('observations', 'id')],
      summaries: [...database.rows('overviews', 'id'), ...database.rows('session_summaries', 'id')],
      prompts: database.rows('user_prompts', 'id'),
    });
    for (const { what, count } of database.others(TABLES))
      facts.skipped.push({
        what: `${counted(count, 'row')} of ${what}`,
        why: 'neither observations nor summaries',
      });
    return facts;
  };
  return readDatabase(isFolder ? join(path, FILE) : path, read, path);
}

function wholeFacts(rows: ClaudeMemRows): Facts {
  const facts = factsOf(rows);
  warnBroken(facts);
  return facts;
}

/** What its script writes of the answer to a search. */
function ofExport(path: string): Facts {
  const value = parsedOf(readText(path).text);
  const list = (name: string) =>
    isObject(value) && Array.isArray(value[name]) ? value[name].filter(isObject) : [];
  const rows: ClaudeMemRows = {
    sessions: list('sessions'),
    observations: list('observations'),
    summaries: list('summaries'),
    prompts: list('prompts'),
  };
  const isOurs = [...rows.observations, ...rows.summaries].some(({ memory_session_id: id }) => textOf(id));
  if (!isOurs) {
    throw new PrecedentError(
      'invalid',
      `Expected the database or the export of claude-mem, found another file at ${path}. Nothing was imported.`,
    );
  }
  const facts = wholeFacts(rows);
  facts.warnings.push(
    'An export of claude-mem holds what a search found, not all: its database has the rest.',
  );
  return facts;
}

/** The variable, else what its settings say, else the usual folder; `~` is the home in all of them. */
function dataFolder({ home, env }: Machine): string {
  const usual = join(home, '.claude-mem');
  const stated = env.CLAUDE_MEM_DATA_DIR || configured(join(usual, 'settings.json')) || usual;
  return stated.replace(/^~(?=$|[/\\])/, home);
}

function configured(path: string): string | undefined {
  try {
    const settings = objectOf(String(readBounded(path, { isOwn: true })).replace(/^\ufeff/, ''));
    return textOf((isObject(settings.env) ? settings.env : settings).CLAUDE_MEM_DATA_DIR);
  } catch {
    return undefined;
  }
}
