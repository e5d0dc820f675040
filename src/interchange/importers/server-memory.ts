import { globSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../domain/append.ts';
import { type Facts, noFacts, type ObservationFact, type RelationFact } from '../../domain/import/facts.ts';
import type { Importer, Machine, Reading } from './importer.ts';
import { jsonLines, leftOut, requireWhole } from './json-lines.ts';
import { readText } from './source-text.ts';
import { BARE, instantOf, linkFact, objectOf, restOf } from './values.ts';

const NAME = 'server-memory';

type Line = Record<string, unknown>;

/** The knowledge graph of @modelcontextprotocol/server-memory: a file of JSON lines without ids and times. */
export const serverMemory: Importer = {
  name: NAME,
  what: "the knowledge graph of MCP's own memory server (memory.jsonl)",
  places,
  read,
};

/** The server keeps its file inside its own package, unless its settings say otherwise: `npx` removes it one day. */
function places({ home, env, folder }: Machine): string[] {
  const caches = [join(home, '.npm', '_npx'), join(env.LOCALAPPDATA ?? home, 'npm-cache', '_npx')];
  const packages = caches.flatMap((cache) =>
    globSync(
      join(cache, '*', 'node_modules/@modelcontextprotocol/server-memory/dist/memory.json{l,}'),
    ).sort(),
  );
  const stated = env.MEMORY_FILE_PATH;
  return [...(stated === undefined ? [] : [stated]), join(folder, 'memory.jsonl'), ...packages];
}

function read(path: string, { skipDamaged = false }: Reading): Facts {
  const { text, changedAt, isDamaged } = readText(path);
  const facts = noFacts(NAME);
  if (isDamaged) facts.warnings.push('Bytes that are no UTF-8 became U+FFFD.');
  const lines = jsonLines(linesOfGraph(text) ?? text, problemOf);
  requireWhole(lines, 'an entity or a relation', path, skipDamaged);
  const { entity = [], relation = [] } = Object.groupBy(lines.rows, ({ type }) => String(type));
  for (const [name, rows] of Map.groupBy(entity, (row) => String(row.name))) {
    if (rows.length > 1) facts.warnings.push(`"${name}" is there ${rows.length} times: it came as one`);
    facts.observations.push(entityOf(rows, changedAt));
  }
  const relations = relation.map((row) => relationOf(row, changedAt));
  append(facts.relations, new Map(relations.map((fact) => [fact.key, fact])).values());
  append(facts.skipped, leftOut(lines.damaged));
  return facts;
}

/** The lines of one graph as JSON, which is what the server's `read_graph` answers; undefined for any other text. */
function linesOfGraph(text: string): string | undefined {
  const { entities, relations } = objectOf(text);
  if (!Array.isArray(entities) || !Array.isArray(relations)) return undefined;
  const typed = (type: string, all: unknown[]) => all.map((each) => ({ type, ...objectOf(each) }));
  return [...typed('entity', entities), ...typed('relation', relations)]
    .map((each) => JSON.stringify(each))
    .join('\n');
}

/** The reason why a line is neither an entity nor a relation. */
function problemOf(row: Line): string | undefined {
  if (row.type === 'entity') return typeof row.name === 'string' ? undefined : 'an entity without a name';
  if (row.type !== 'relation') return 'neither an entity nor a relation';
  const isLink = [row.from, row.to, row.relationType].every((each) => typeof each === 'string');
  return isLink ? undefined : 'a relation without from, to or relationType';
}

/**
 * The server itself writes two lines of one name, adds facts to the first and type and name to neither: what all of them say
 * is known of it.
 */
function entityOf(rows: Line[], changedAt: number): ObservationFact {
  const { name, entityType, createdAt, ...others }: Line = Object.assign({}, ...rows);
  const rest = restOf(others, ['type', 'observations']);
  const types = new Set(rows.map((row) => row.entityType));
  const title = String(name);
  const stated = rows.flatMap(({ observations }) => observations);
  const said = stated.filter((each) => each !== undefined && each !== null && each !== '').map(textOf);
  return {
    ...BARE,
    key: title,
    ...dated(createdAt, changedAt),
    title,
    content: [...new Set(said)].map((each) => `- ${each}`).join('\n') || title,
    type: typeof entityType === 'string' && entityType.trim() !== '' ? entityType : 'entity',
    topicKey: title,
    rest: types.size > 1 ? { ...rest, entityTypes: [...types] } : rest,
  };
}

/** Forks of the server write when something was created; it writes no times. */
function dated(createdAt: unknown, changedAt: number): { at: number; isUndated?: true } {
  const at = instantOf(createdAt);
  return at === undefined ? { at: changedAt, isUndated: true } : { at };
}

/** Other programs write facts that are not texts. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function relationOf({ from, to, relationType, createdAt, ...others }: Line, changedAt: number): RelationFact {
  const more = { ...dated(createdAt, changedAt), rest: restOf(others, ['type']) };
  return linkFact(String(from), String(relationType), String(to), more);
}
