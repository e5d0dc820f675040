import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { mcpMemoryService } from '../src/interchange/importers/mcp-memory-service.ts';
import { mem0 } from '../src/interchange/importers/mem0/mem0.ts';
import { readSource } from '../src/memory/importing.ts';
import { bytesOf, rowsOf } from './support/facts.ts';
import { databaseOf, folderOf, type Rows } from './support/sources.ts';

const SCHEMA = 'mcp-memory-service/sqlite_vec-10.59';
const T = 1_770_000_000.25;
const memory = (hash: string, content: string, more = {}): Rows[number] => [
  'memories',
  {
    content_hash: hash,
    content,
    tags: 'untagged',
    memory_type: 'decision',
    metadata: '{}',
    created_at: T,
    updated_at: T,
    ...more,
  },
];
const edge = (from: string, to: string, more = {}): Rows[number] => [
  'memory_graph',
  {
    source_hash: from,
    target_hash: to,
    similarity: 0.5,
    connection_types: '["semantic"]',
    created_at: T,
    ...more,
  },
];
const machine = { home: '/none', folder: '/none', platform: process.platform, env: {} };

describe('import from mcp-memory-service', () => {
  it('[I-1] [I-2] memories with tags and metadata, seconds with a fraction, the graph, three places of supersession, what was deleted; twice as once', async () => {
    const path = databaseOf(SCHEMA, [
      memory('a', 'JWT\n15 minutes', { tags: 'auth,외벽', metadata: '{"superseded_by":"b","team":"x"}' }),
      memory('b', 'Tokens', { memory_type: null, parent_id: 'a', confidence: 0.8, version: 2 }),
      memory('c', 'Old', { superseded_by: 'b', metadata: 'no JSON' }),
      memory('d', 'Gone', { deleted_at: T + 10 }),
      edge('a', 'b'),
      edge('b', 'a'),
      edge('c', 'missing', { relationship_type: 'causes' }),
      edge('c', 'c', { relationship_type: 'related' }),
      ['metadata', { key: 'schema', value: '1' }],
    ]);
    const facts = mcpMemoryService.read(path, {});
    assert.deepEqual(
      facts.observations.map(({ key, at, type, deletedAt, rest }) => [key, at, type, deletedAt, rest]),
      [
        [
          'a',
          1_770_000_000_250,
          'decision',
          undefined,
          { tags: ['auth', '외벽'], metadata: { superseded_by: 'b', team: 'x' } },
        ],
        [
          'b',
          1_770_000_000_250,
          '',
          undefined,
          { parent_id: 'a', confidence: 0.8, version: 2, tags: ['untagged'] },
        ],
        [
          'c',
          1_770_000_000_250,
          'decision',
          undefined,
          { superseded_by: 'b', tags: ['untagged'], metadata: 'no JSON' },
        ],
        ['d', 1_770_000_000_250, 'decision', 1_770_000_010_250, { tags: ['untagged'] }],
      ],
    );
    await using here = await openMemory({ db: ':memory:' });
    const merged = await here.merge(facts);
    const observations = await rowsOf(here, 'observations');
    const title = new Map(observations.map(({ id, title: name }) => [id, name]));
    assert.deepEqual([...title.values()], ['JWT', 'Tokens', 'Old', 'Gone']);
    assert.equal(observations.find(({ title: name }) => name === 'Tokens')?.type, 'manual');
    const relations = (await rowsOf(here, 'relations')).map((row) =>
      [title.get(row.fromId), row.type, title.get(row.toId)].join(' '),
    );
    assert.deepEqual(relations.sort(), [
      'JWT related Tokens',
      'Tokens related JWT',
      'Tokens supersedes JWT',
      'Tokens supersedes Old',
    ]);
    assert.deepEqual([merged.unresolved.length, merged.skipped.length], [1, 1]);
    const before = await bytesOf(here);
    await here.merge(mcpMemoryService.read(path, {}));
    assert.equal(await bytesOf(here), before);
    assert.deepEqual((await here.inspect()).problems, []);
  });

  it('[I-1] --decisions makes a chain of what replaced what', () => {
    const path = databaseOf(SCHEMA, [
      memory('b', 'Tokens', { parent_id: 'a', created_at: T - 5 }),
      memory('a', 'JWT'),
      memory('n', 'note', { memory_type: 'note' }),
    ]);
    const { decisions, observations, relations } = readSource('mcp-memory-service', path, machine, {
      decisions: true,
    });
    assert.deepEqual(
      decisions.map(({ topic, text }) => [topic, text]),
      [
        ['JWT', 'JWT'],
        ['JWT', 'Tokens'],
      ],
    );
    assert.deepEqual([observations.length, relations.length], [1, 0]);
  });

  it('[I-1] its export, and a database of before the graph and the versions', () => {
    const entry = {
      content: ' Same ',
      tags: ['a', 'b'],
      created_at: T,
      updated_at: T,
      memory_type: 'note',
      metadata: { x: 1 },
    };
    const folder = folderOf({
      'export.json': JSON.stringify({
        export_metadata: {},
        memories: [entry, { ...entry, content: 'same' }],
      }),
      'other.json': '{"memories":[{"memory":"x"}]}',
    });
    const facts = mcpMemoryService.read(join(folder, 'export.json'), {});
    assert.deepEqual(
      facts.observations.map(({ rest }) => rest),
      [{ tags: ['a', 'b'], metadata: { x: 1 } }],
    );
    assert.throws(() => mcpMemoryService.read(join(folder, 'other.json'), {}), /found another file/);
    const old = databaseOf('mcp-memory-service/sqlite_vec-6', [
      ['memories', { content_hash: 'a', content: 'x', created_at_iso: '2025-08-21T12:00:00Z' }],
    ]);
    assert.equal(mcpMemoryService.read(old, {}).observations[0]?.at, Date.parse('2025-08-21T12:00:00Z'));
  });
});

describe('import from mem0', () => {
  const VECTOR = new Uint8Array(4);
  const at = (minute: number) => `2026-03-01T00:0${minute}:00.000Z`;
  const vector = (id: string, payload: Record<string, unknown>): Rows[number] => [
    'vectors',
    { id, vector: VECTOR, payload: JSON.stringify(payload) },
  ];
  const step = (
    id: string,
    action: string,
    before: string | null,
    after: string | null,
    more = {},
  ): Rows[number] => [
    'memory_history',
    { memory_id: id, previous_value: before, new_value: after, action, created_at: at(1), ...more },
  ];

  it('[I-1] [I-2] TypeScript: memories with their earlier texts, what was deleted with its last one, from two files; twice as once', async () => {
    const folder = folderOf({});
    const file = (name: string) => join(folder, name);
    databaseOf(
      'mem0/vector_store',
      [
        vector('u1', {
          data: 'Likes tea',
          hash: 'h',
          textLemmatized: 'like tea',
          createdAt: at(1),
          updatedAt: at(3),
          user_id: 'kim',
          runId: 'r1',
          agent_id: 'a1',
          mood: 'calm',
        }),
        vector('u2', { data: 'Lives in 서울', createdAt: at(2) }),
      ],
      file('vector_store.db'),
    );
    databaseOf(
      'mem0/memory',
      [
        step('u1', 'ADD', null, 'Likes coffee'),
        step('u1', 'UPDATE', 'Likes coffee', 'Likes water', { updated_at: at(2) }),
        step('u1', 'UPDATE', 'Likes water', 'Likes tea', { updated_at: at(3) }),
        step('gone', 'ADD', null, 'Has a dog'),
        step('gone', 'DELETE', 'Has a dog', null, { created_at: null, is_deleted: 1 }),
        ['messages', { id: 'm', role: 'user', content: 'hi' }],
      ],
      file('memory.db'),
    );
    const facts = mem0.read(folder, {});
    const [tea, seoul, dog] = facts.observations;
    assert.deepEqual(
      [tea?.content, tea?.scope, tea?.session, tea?.updatedAt, tea?.rest],
      ['Likes tea', 'user:kim', 'r1', Date.parse(at(3)), { agent_id: 'a1', mood: 'calm' }],
    );
    assert.deepEqual(
      tea?.revisions?.map(({ content, replacedAt }) => [content, replacedAt]),
      [
        ['Likes coffee', Date.parse(at(2))],
        ['Likes water', Date.parse(at(3))],
      ],
    );
    assert.deepEqual([seoul?.scope, seoul?.revisions], ['project', []]);
    assert.deepEqual([dog?.content, dog?.deletedAt], ['Has a dog', Date.parse(at(1))]);
    assert.deepEqual(
      facts.skipped.map(({ what }) => what),
      ['1 row of messages'],
    );
    assert.match(facts.warnings.join(), /may be noise/);
    for (const name of ['vector_store.db', 'memory.db'])
      assert.equal(mem0.read(file(name), {}).observations.length, 3, name);
    await using here = await openMemory({ db: ':memory:' });
    await here.merge(facts);
    const revisions = (await rowsOf(here, 'observationRevisions')).map(({ content, title }) => [
      content,
      title,
    ]);
    assert.deepEqual(revisions, [
      ['Likes coffee', 'Likes coffee'],
      ['Likes water', 'Likes water'],
    ]);
    const before = await bytesOf(here);
    await here.merge(mem0.read(folder, {}));
    assert.equal(await bytesOf(here), before);
    assert.deepEqual((await here.inspect()).problems, []);
  });

  it('[I-1] Python: the history alone, and what its service answers', () => {
    const row = (
      id: string,
      event: string,
      before: string | null,
      after: string | null,
      more = {},
    ): Rows[number] => [
      'history',
      {
        id: `${id}${event}`,
        memory_id: id,
        old_memory: before,
        new_memory: after,
        event,
        created_at: '2026-03-01 00:01:00',
        is_deleted: 0,
        actor_id: 'kim',
        ...more,
      },
    ];
    const path = databaseOf('mem0/history', [
      row('p1', 'ADD', null, 'one'),
      row('p1', 'UPDATE', 'one', 'two', { updated_at: '2026-03-01T00:02:00+00:00' }),
      row('p2', 'ADD', null, 'three'),
      row('p2', 'DELETE', 'three', null, { updated_at: '2026-03-01T00:05:00+00:00' }),
      row('p3', 'ADD', null, null),
    ]);
    const facts = mem0.read(path, {});
    assert.deepEqual(
      facts.observations.map(({ content, at: made, deletedAt, revisions, rest }) => [
        content,
        made,
        deletedAt,
        revisions?.length,
        rest,
      ]),
      [
        ['two', Date.parse(at(1)), undefined, 1, { actor_id: 'kim' }],
        ['three', Date.parse(at(1)), Date.parse(at(5)), 0, { actor_id: 'kim' }],
      ],
    );
    assert.deepEqual(facts.skipped, [{ what: 'p3', why: 'it has no text' }]);
    const answer = {
      id: 'x',
      memory: 'Likes tea',
      hash: 'h',
      created_at: at(1),
      updated_at: at(2),
      user_id: 'kim',
      metadata: { a: 1 },
      categories: ['food'],
    };
    const folder = folderOf({
      'a.json': JSON.stringify({ results: [answer] }),
      'b.json': JSON.stringify([answer]),
      'c.json': '{"results":[{"title":"x"}]}',
    });
    for (const name of ['a.json', 'b.json']) {
      const [fact] = mem0.read(join(folder, name), {}).observations;
      assert.deepEqual(
        [fact?.key, fact?.scope, fact?.rest],
        ['x', 'user:kim', { metadata: { a: 1 }, categories: ['food'] }],
      );
    }
    assert.throws(() => mem0.read(join(folder, 'c.json'), {}), /found another file/);
    assert.throws(() => mem0.read(folder, {}), /Expected a folder with vector_store.db/);
  });
});
