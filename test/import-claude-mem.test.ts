import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { claudeMem } from '../src/interchange/importers/claude-mem/claude-mem.ts';
import { engram } from '../src/interchange/importers/engram/engram.ts';
import { bytesOf, rowsOf } from './support/facts.ts';
import { databaseOf, folderOf, type Rows } from './support/sources.ts';

const SCHEMA = 'claude-mem/claude-mem-13.25';
const T = 1_770_000_000_000;
const ISO = new Date(T).toISOString();
const SESSIONS: Rows = [
  [
    'sdk_sessions',
    {
      content_session_id: 'c-1',
      memory_session_id: 'm-1',
      project: 'shop',
      custom_title: '결제',
      started_at: ISO,
      started_at_epoch: T,
    },
  ],
];
const row = (hash: string, more = {}): Rows[number] => [
  'observations',
  {
    memory_session_id: 'm-1',
    project: 'shop',
    type: 'discovery',
    created_at: ISO,
    created_at_epoch: T,
    content_hash: hash,
    ...more,
  },
];
const DECIDED = {
  type: 'decision',
  title: 'Opaque tokens',
  subtitle: 'Not JWT',
  narrative: 'Revocation lagged.',
  facts: '["15 minutes","외벽"]',
  files_read: '["auth.ts"]',
  files_modified: '["token.ts","db.ts"]',
};
const machine = { home: '/none', folder: '/none', platform: process.platform, env: {} };

describe('import from claude-mem', () => {
  it('[I-1] [I-2] observations with all that they say, summaries as checkpoints, prompts and tables of its server counted; twice as once', async () => {
    const path = databaseOf(SCHEMA, [
      ...SESSIONS,
      row('h1', {
        ...DECIDED,
        concepts: '["trade-off"]',
        discovery_tokens: 90,
        prompt_number: 2,
        merged_into_project: 'shop-2',
        metadata: '{"a":1}',
        sync_rev: '7',
      }),
      row('h2', { text: 'only a text\nof the first days', title: null }),
      row('h3', { title: 'no list', facts: 'not JSON', origin_device_id: 'dev-2', origin_local_id: '5' }),
      [
        'session_summaries',
        {
          memory_session_id: 'm-1',
          project: 'shop',
          request: 'Fix login',
          learned: 'It loops.',
          completed: '',
          next_steps: 'Test it.',
          files_read: '["a.ts","b.ts"]',
          files_edited: '["b.ts","c.ts"]',
          created_at: ISO,
          created_at_epoch: T + 5,
        },
      ],
      [
        'user_prompts',
        {
          content_session_id: 'c-1',
          prompt_number: 1,
          prompt_text: 'hello',
          created_at: ISO,
          created_at_epoch: T,
        },
      ],
      ['sync_state', { k: 'a', v: 'b' }],
    ]);
    const facts = claudeMem.read(path, {});
    const [first, second, third] = facts.observations;
    assert.equal(
      first?.content,
      'Not JWT\n\nRevocation lagged.\n\n- 15 minutes\n- 외벽\n\nFiles read: auth.ts\nFiles modified: token.ts, db.ts',
    );
    assert.deepEqual(
      [first?.project, first?.session, first?.type, first?.at],
      ['shop-2', 'c-1', 'decision', T],
    );
    assert.deepEqual(first?.rest, {
      concepts: ['trade-off'],
      discovery_tokens: 90,
      prompt_number: 2,
      metadata: { a: 1 },
      merged_from_project: 'shop',
    });
    assert.equal(second?.content, 'only a text\nof the first days');
    assert.equal(third?.content, '- not JSON');
    assert.deepEqual([first?.key, third?.key], ['m-1:h1', 'm-1:h3']);
    assert.deepEqual(facts.checkpoints[0]?.openFiles, ['a.ts', 'b.ts', 'c.ts']);
    assert.equal(facts.checkpoints[0]?.summary, 'Request: Fix login\n\nLearned: It loops.');
    assert.deepEqual(
      facts.skipped.map(({ what }) => what),
      ['1 prompt', '1 title', '1 row of sync_state'],
    );
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(facts);
    const titles = (await rowsOf(memory, 'observations')).map(({ title }) => title);
    assert.deepEqual(titles, ['Opaque tokens', 'only a text', 'no list']);
    const before = await bytesOf(memory);
    const again = await memory.merge(claudeMem.read(path, {}));
    assert.deepEqual([again.observations.same, again.checkpoints.same], [3, 1]);
    assert.equal(await bytesOf(memory), before);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-1] an early schema without hashes, projects that were joined and numbers of machines', () => {
    const path = join(folderOf({}), 'claude-mem.db');
    databaseOf(
      'claude-mem/claude-mem-4',
      [
        [
          'sdk_sessions',
          {
            claude_session_id: 'c-1',
            sdk_session_id: 's-1',
            project: 'shop',
          },
        ],
        [
          'observations',
          {
            sdk_session_id: 's-1',
            project: 'shop',
            text: 'one',
            type: 'change',
            created_at: ISO,
            created_at_epoch: T,
          },
        ],
        [
          'observations',
          {
            sdk_session_id: 's-1',
            project: 'shop',
            text: 'one',
            type: 'change',
            created_at: ISO,
            created_at_epoch: T,
          },
        ],
      ],
      path,
    );
    const { observations } = claudeMem.read(join(path, '..'), {});
    assert.deepEqual(
      observations.map(({ session }) => session),
      ['c-1', 'c-1'],
    );
    assert.equal(new Set(observations.map(({ key }) => key)).size, 2, 'equal rows are two rows');
  });

  it('[I-1] its export is read and said to be a part, and distinguished from those of engram', () => {
    const [, observation] = row('h1', DECIDED);
    const sessions = [{ memory_session_id: 'm-1', content_session_id: 'c-1' }];
    const folder = folderOf({
      'export.json': JSON.stringify({
        query: 'auth',
        observations: [observation],
        sessions,
        summaries: [],
        prompts: [],
      }),
    });
    const facts = claudeMem.read(join(folder, 'export.json'), {});
    assert.deepEqual(
      facts.observations.map(({ session, key }) => [session, key]),
      [['c-1', 'm-1:h1']],
    );
    assert.match(facts.warnings.join(), /holds what a search found/);
    assert.throws(() => engram.read(join(folder, 'export.json'), {}), /--from claude-mem reads them/);
  });

  it('[I-1] its folder is where its variable or its settings say', () => {
    const home = folderOf({ '.claude-mem/settings.json': '\ufeff{"env":{"CLAUDE_MEM_DATA_DIR":"~/mem"}}' });
    assert.deepEqual(claudeMem.places({ ...machine, home }), [join(home, 'mem', 'claude-mem.db')]);
    assert.deepEqual(claudeMem.places({ ...machine, home, env: { CLAUDE_MEM_DATA_DIR: '/data' } }), [
      '/data/claude-mem.db',
    ]);
    assert.throws(
      () => claudeMem.read(join('test', 'fixtures', 'imports', 'hoofy', 'memory.db'), {}),
      /found that of Hoofy; --from hoofy reads it/,
    );
  });
});
