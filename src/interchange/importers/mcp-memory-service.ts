import { join } from 'node:path';
import { append } from '../../domain/append.ts';
import { type Facts, noFacts, type ObservationFact, type RelationFact } from '../../domain/import/facts.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { warnBroken } from './broken.ts';
import type { Importer, Machine } from './importer.ts';
import { readDatabase, type SourceDatabase } from './source-database.ts';
import { anotherFile, beginsAsJson, isFolder, readText } from './source-text.ts';
import {
  BARE,
  filledIn,
  instantOf,
  isObject,
  linkFact,
  listed,
  listOf,
  named,
  objectOf,
  parsedOf,
  restOf,
  type SourceRow,
  timeOf,
} from './values.ts';

const NAME = 'mcp-memory-service';
const FILE = 'sqlite_vec.db';
/** Tables that hold memories, and vectors of theirs. */
const TABLES = /^(memories|memory_graph|metadata|memory_embeddings.*|memory_content_.*)$/;
/** What has a place in an observation, or follows from one. */
const TAKEN = listed(`id content_hash content tags memory_type created_at updated_at created_at_iso
  updated_at_iso deleted_at embedding`);
/** What each row begins with there. */
const USUAL: Record<string, unknown> = { version: 1, confidence: 1 };

/** mcp-memory-service: a database of SQLite, or its export. */
export const mcpMemoryService: Importer = {
  name: NAME,
  what: 'the database of mcp-memory-service',
  hasDecisions: true,
  places,
  read,
};

function places({ home, env, platform }: Machine): string[] {
  const usual: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
  };
  const base =
    env.MCP_MEMORY_BASE_DIR ?? join(usual[platform] ?? join(home, '.local', 'share'), 'mcp-memory');
  const stated = env.MCP_MEMORY_SQLITE_PATH ?? env.MCP_MEMORY_SQLITEVEC_PATH;
  return [...(stated === undefined ? [] : [stated]), join(base, FILE)];
}

function read(path: string): Facts {
  if (beginsAsJson(path)) return ofExport(path);
  const read = (database: SourceDatabase) => {
    const facts = factsOf(
      database.rows('memories', 'id'),
      database.rows('memory_graph', 'source_hash, target_hash'),
    );
    append(facts.skipped, database.others(TABLES, 'no memories'));
    return facts;
  };
  return readDatabase(isFolder(path) ? join(path, FILE) : path, NAME, read, path);
}

/** Its export has neither the graph nor what was deleted. */
function ofExport(path: string): Facts {
  const value = parsedOf(readText(path).text);
  const rows = isObject(value) && Array.isArray(value.memories) ? value.memories.filter(isObject) : undefined;
  if (!rows?.every(({ content }) => typeof content === 'string')) {
    throw anotherFile(`the database or the export of ${NAME}`, path);
  }
  const facts = factsOf(rows, []);
  facts.warnings.push('An export has no relations between memories: the database has them.');
  return facts;
}

function factsOf(rows: SourceRow[], graph: SourceRow[]): Facts {
  const facts = noFacts(NAME);
  // The same memory may be twice in an export of several machines.
  const seen = new Map(rows.map((row) => [hashOf(row), row]));
  append(facts.observations, [...seen.values()].map(observation));
  const relations = [...[...seen.values()].flatMap(supersessions), ...graph.map(relation)];
  const distinct = new Map(relations.map((each) => [each.key, each]));
  append(facts.relations, distinct.values());
  warnBroken(facts);
  return facts;
}

/** By which a memory is known there: of its text without blanks around it and letter case. */
const hashOf = (row: SourceRow): string =>
  named(row.content_hash) ??
  sha256(
    String(row.content ?? '')
      .trim()
      .toLowerCase(),
  );

function observation(row: SourceRow): ObservationFact {
  const at = timeIn(row, 'created_at') ?? 0;
  const content = String(row.content ?? '');
  const isPlain = typeof row.tags === 'string' && !row.tags.startsWith('[');
  const tags = isPlain ? String(row.tags).split(',') : listOf(row.tags);
  const said = restOf({ ...row, metadata: filledIn(row.metadata) }, TAKEN);
  const rest = Object.entries(said).filter(([name, value]) => USUAL[name] !== value);
  return {
    ...BARE,
    key: hashOf(row),
    at,
    updatedAt: Math.max(at, timeIn(row, 'updated_at') ?? at),
    content,
    type: named(row.memory_type) ?? '',
    deletedAt: instantOf(row.deleted_at),
    rest: {
      ...Object.fromEntries(rest),
      ...(tags.length > 0 && { tags: tags.map((tag) => tag.trim()).filter(Boolean) }),
    },
  };
}

/** Seconds with a fraction, or a date that is written. */
const timeIn = (row: SourceRow, name: string): number | undefined =>
  instantOf(row[name]) ?? instantOf(row[`${name}_iso`]);

/** What replaced what is said in three places, and seldom in all. */
function supersessions(row: SourceRow): RelationFact[] {
  const hash = hashOf(row);
  const newer = [named(row.superseded_by), named(objectOf(row.metadata).superseded_by)];
  const pairs = [
    ...newer.flatMap((to) => (to === undefined ? [] : [[to, hash]])),
    ...(named(row.parent_id) === undefined ? [] : [[hash, String(row.parent_id)]]),
  ];
  const at = timeIn(row, 'updated_at') ?? 0;
  return pairs.map(([from = '', to = '']) => linkFact(from, 'supersedes', to, { at }));
}

/** An edge of its graph. One that has no direction is there twice, once from each end. */
function relation(row: SourceRow): RelationFact {
  const [from, to] = [String(row.source_hash), String(row.target_hash)];
  const { similarity, connection_types: types, metadata } = row;
  const rest = { similarity, connection_types: filledIn(types), metadata: filledIn(metadata) };
  const at = timeOf(row.created_at);
  return linkFact(from, named(row.relationship_type) ?? 'related', to, { at, rest });
}
