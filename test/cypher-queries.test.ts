import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { Memory } from '../src/index.ts';
import { Graph } from './support/cypher.ts';
import { fixed, sqlite } from './support/engines.ts';
import { isTried } from './support/part.ts';

const require = createRequire(import.meta.url);
const parser: {
  lintCypherQuery(query: string, schema: object, options: object): { diagnostics: { severity: number }[] };
} = require('@neo4j-cypher/language-support');

/** The queries that were published with the schema of the graph, word for word. */
const QUERIES = {
  newest: 'MATCH (i:_Info) RETURN i.id, i.summary, i.searchDepth ORDER BY i.createdAt DESC LIMIT 10',
  about: "MATCH (i:_Info)-[:ABOUT]->(k) WHERE 'unity' IN labels(k) RETURN i.summary, i.createdAt",
  byDepth: 'MATCH (i:_Info)-[r:RELATED_TO]->(k) RETURN i.id, r.depth, labels(k)[0] ORDER BY r.depth',
  graph: 'MATCH (i:_Info {id: $infoId})-[r:ABOUT|RELATED_TO]->(k) RETURN i, r, k',
  create: `CREATE (i:_Info {
      id: $infoId,
      summary: $summary,
      fullText: $fullText,
      createdAt: timestamp(),
      source: 'Memo',
      searchDepth: 0
    })
    RETURN i.id AS id`,
  link: `MATCH (i:_Info {id: $infoId})
    MATCH (k) WHERE $keyword IN labels(k)
    MERGE (i)-[r:ABOUT]->(k)
    ON CREATE SET r.createdAt = timestamp()
    RETURN labels(k)[0] AS linked`,
  explore: `MATCH (i:_Info {id: $infoId})-[:ABOUT]->(k)
    MATCH (k)-[:FOLLOWED_BY|CO_OCCURS|BELONGS_TO]-(neighbor)
    WHERE NOT (i)-[:ABOUT]->(neighbor)
      AND NOT (i)-[:RELATED_TO]->(neighbor)
    WITH DISTINCT i, neighbor, labels(k)[0] AS viaKeyword
    LIMIT 5
    MERGE (i)-[r:RELATED_TO]->(neighbor)
    ON CREATE SET
      r.discoveredAt = timestamp(),
      r.depth = 1,
      r.viaKeyword = viaKeyword
    RETURN labels(neighbor)[0] AS found`,
  deepen: `MATCH (i:_Info {id: $infoId})
    SET i.searchDepth = $newDepth
    RETURN i.searchDepth AS depth`,
  expand: `MATCH (i:_Info {id: $infoId})-[:ABOUT|RELATED_TO]->(k)
    MATCH (k)-[:FOLLOWED_BY|CO_OCCURS|BELONGS_TO]-(neighbor)
    WHERE NOT (i)-[:ABOUT]->(neighbor)
      AND NOT (i)-[:RELATED_TO]->(neighbor)
    WITH DISTINCT i, neighbor, labels(k)[0] AS viaKeyword
    LIMIT 5
    MERGE (i)-[r:RELATED_TO]->(neighbor)
    ON CREATE SET
      r.discoveredAt = timestamp(),
      r.depth = $nextDepth,
      r.viaKeyword = viaKeyword
    RETURN labels(neighbor)[0] AS found`,
};

/** Names of keywords that try to be more than a label. Control characters stay in a name, blanks become one. */
const NAMES = [
  'a`) detach delete n //',
  '`',
  '``',
  '\\u0060) detach delete n //',
  '\\\\u0060) //',
  '\\U00000060',
  '\\',
  'ends in `\\',
  "it's",
  '"quoted"',
  'with:colon',
  '{name} $param ; [x]',
  'two\nlines',
  'bell\u0007 next\u0085',
  '한글 토큰',
  '🙂 é',
  'Keyword',
  '_Info',
  '1st',
];

async function exported(memory: Memory): Promise<string[]> {
  const lines: string[] = [];
  await memory.export('cypher', (line) => lines.push(line));
  return lines;
}

/** A memory with a chain of keywords, and a memo about its first two. */
async function chain() {
  const memory = await sqlite.openFast(fixed());
  const record = (keywords: string[], belongsTo?: string) =>
    memory.keywords.record({ keywords, sessionId: keywords.join(), ...(belongsTo && { belongsTo }) });
  await record(['unity', '셰이더']);
  await record(['mirror', 'multiplayer']);
  await record(['multiplayer', 'netcode'], 'network');
  await memory.memo.save({ fullText: 'an older one', keywords: ['redis'] });
  const memo = await memory.memo.save({ fullText: '설정 방법', keywords: ['unity', 'mirror'] });
  return { memory, infoId: memo.infoId, related: memo.relatedFound.nodes };
}

/** What Neo4j's own parser says against it. */
function errorsIn(script: string) {
  const parameters = { infoId: '', summary: '', fullText: '', keyword: '', newDepth: 1, nextDepth: 1 };
  const { diagnostics } = parser.lintCypherQuery(script, { parameters }, {});
  return diagnostics.filter(({ severity }) => severity === 1);
}

const sorted = (rows: Record<string, unknown>[], column: string) => rows.map((row) => row[column]).sort();

describe('the published queries on the export as Cypher', () => {
  it('[M-13] the newest memos, those about a keyword, links by depth with their names, the graph of one', async () => {
    const { memory, infoId } = await chain();
    const graph = new Graph();
    graph.run((await exported(memory)).join('\n'));
    const { memos } = await memory.memo.list();
    assert.deepEqual(
      graph.run(QUERIES.newest).map((row) => [row['i.id'], row['i.summary'], row['i.searchDepth']]),
      memos.map(({ infoId, summary, searchDepth }) => [infoId, summary, searchDepth]),
    );
    assert.deepEqual(sorted(graph.run(QUERIES.about), 'i.summary'), ['설정 방법']);
    assert.deepEqual(graph.run(QUERIES.about.replace('unity', 'keyword')), []);
    const { links } = await memory.memo.list({ view: 'links' });
    const byDepth = graph.run(QUERIES.byDepth);
    assert.deepEqual(
      byDepth.map((row) => [row['i.id'], row['r.depth'], row['labels(k)[0]']]).sort(),
      links.map(({ infoId, depth, keyword }) => [infoId, depth, keyword]).sort(),
    );
    assert.equal(byDepth.length, 2);
    assert.equal(graph.run(QUERIES.graph, { infoId }).length, 4);
  });

  it('[M-13] exploring goes on in the graph as it does here, over the same keywords', async () => {
    const { memory, infoId } = await chain();
    const graph = new Graph();
    graph.run((await exported(memory)).join('\n'));
    for (const nextDepth of [2, 3]) {
      const { newlyFound } = await memory.memo.expand({ infoId });
      const found = graph.run(QUERIES.expand, { infoId, nextDepth }, 7);
      assert.deepEqual(sorted(found, 'found'), newlyFound.toSorted());
      assert.equal(graph.run(QUERIES.deepen, { infoId, newDepth: nextDepth })[0]?.depth, nextDepth);
    }
    const { links } = await memory.memo.list({ infoId });
    const related = graph.relations.filter(
      ({ type, from }) => type === 'RELATED_TO' && from.properties.id === infoId,
    );
    assert.deepEqual(
      related
        .map(({ to, properties }) => [properties.depth, to.properties.name, properties.viaKeyword])
        .sort(),
      links
        .filter(({ depth }) => depth > 0)
        .map(({ depth, keyword, viaKeyword }) => [depth, keyword, viaKeyword])
        .sort(),
    );
  });

  it('[M-13] a memo made in the graph is linked to a keyword by its name, and explored from there', async () => {
    const { memory } = await chain();
    const graph = new Graph();
    graph.run((await exported(memory)).join('\n'));
    const infoId = 'made there';
    graph.run(QUERIES.create, { infoId, summary: 's', fullText: 'f' }, 5);
    for (const keyword of ['셰이더', 'multiplayer']) {
      assert.deepEqual(graph.run(QUERIES.link, { infoId, keyword }), [{ linked: keyword }]);
      graph.run(QUERIES.link, { infoId, keyword });
    }
    assert.deepEqual(graph.run(QUERIES.link, { infoId, keyword: 'Keyword' }).length, 7, 'the label of all');
    const other = 'another';
    graph.run(QUERIES.create, { infoId: other, summary: 's', fullText: 'f' }, 6);
    graph.run(QUERIES.link, { infoId: other, keyword: 'multiplayer' });
    const found = graph.run(QUERIES.explore, { infoId: other });
    assert.deepEqual(sorted(found, 'found'), ['mirror', 'netcode', 'network']);
  });

  it('[M-13] whatever a keyword is called, that is its first label, and it is the only node of it', async () => {
    const memory = await sqlite.openFast(fixed());
    const names: string[] = [];
    for (const [index, name] of NAMES.entries()) {
      const { keywords } = await memory.keywords.record({ keywords: [name], sessionId: `s${index}` });
      names.push(...keywords.map(({ name }) => name));
    }
    assert.equal(new Set(names).size, NAMES.length);
    const { infoId } = await memory.memo.save({ fullText: 'x', keywords: ['apart'] });
    const lines = await exported(memory);
    const labelled = lines.filter((line) => line.startsWith('MERGE (n:`') && !line.includes(' SET '));
    assert.equal(labelled.length, names.length + 1);
    for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029]/u);
    const graph = new Graph();
    graph.run(lines.join('\n'));
    for (const keyword of names) {
      const linked = graph.run(QUERIES.link, { infoId, keyword });
      assert.deepEqual(linked, [{ linked: keyword }]);
    }
    const keywordNodes = graph.nodes.filter(({ labels }) => labels.has('Keyword'));
    assert.deepEqual(
      keywordNodes.map((node) => [node.properties.name, graph.labelsOf(node)]),
      [...names, 'apart'].map((name) => [name, [name, 'Keyword']]),
    );
    assert.deepEqual(errorsIn(labelled.join('\n')), []);
  });

  it('[M-13] [M-10] running the export again changes nothing', async () => {
    const { memory } = await chain();
    const script = (await exported(memory)).join('\n');
    const graph = new Graph();
    graph.run(script);
    const once = structuredClone({ nodes: graph.nodes, relations: graph.relations });
    graph.run(script);
    assert.deepEqual({ nodes: graph.nodes, relations: graph.relations }, once);
  });

  it('the published queries are correct Cypher', () => {
    const tried = Object.entries(QUERIES).filter((_, index) => isTried(index));
    for (const [name, query] of tried) assert.deepEqual(errorsIn(query), [], name);
    assert.notDeepEqual(errorsIn('MATCH (n:`a\\u0060) b`) RETURN n'), [], 'a label that is not quoted well');
  });
});
