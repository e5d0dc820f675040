import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { beads } from '../src/interchange/importers/beads/beads.ts';
import { sourcesHere } from '../src/memory/importing.ts';
import { bytesOf, rowsOf } from './support/facts.ts';
import { folderOf, linesOf } from './support/sources.ts';

const DESCRIPTION =
  '## Decision\nUse **PostgreSQL** for orders.\n\n## Rationale\nJoins.\n\n## Alternatives Considered\n- MongoDB\n';
const issue = (id: string, day: number, more = {}) => ({
  _type: 'issue',
  id: `bd-${id}`,
  title: `Issue ${id}`,
  status: 'open',
  priority: 2,
  issue_type: 'decision',
  created_at: `2026-01-${String(day).padStart(2, '0')}T10:00:00.123456+09:00`,
  created_by: 'kim',
  updated_at: `2026-01-${String(day).padStart(2, '0')}T11:00:00+09:00`,
  ...more,
});
const replaces = (from: string, to: string) => ({
  dependencies: [
    {
      issue_id: `bd-${from}`,
      depends_on_id: `bd-${to}`,
      type: 'supersedes',
      created_at: '2026-01-09T00:00:00Z',
      metadata: '{}',
    },
  ],
});
const fileOf = (rows: unknown[], name = 'issues.jsonl') => join(folderOf({ [name]: linesOf(rows) }), name);

describe('import from beads', () => {
  it('[I-1] [I-2] decisions with their grounds, comments and chains, memories as observations, work counted; twice as once', async () => {
    const path = fileOf([
      issue('a1', 1, {
        description: DESCRIPTION,
        metadata: '{"team":"db"}',
        labels: ['db'],
        design: 'one table',
        comments: [{ id: 7, author: 'lee', text: 'Agreed.', created_at: '2026-01-02T00:00:00Z' }],
      }),
      // As "bd supersede a1 --with b2" draws it: from the older one, which it closes.
      { ...issue('c3', 3, { status: 'closed', close_reason: 'Superseded' }), ...replaces('c3', 'd4') },
      { ...issue('d4', 4), ...replaces('d4', 'c3') },
      { ...issue('e5', 5), ...replaces('e5', 'gone') },
      { ...issue('f6', 6, { _type: undefined }), ...replaces('f6', 'a1') },
      issue('g7', 7, { status: 'tombstone', delete_reason: 'a mistake' }),
      issue('t1', 1, { issue_type: 'task' }),
      issue('t2', 2, { issue_type: 'bug' }),
      { _type: 'memory', key: 'auth-jwt', value: '토큰은 15분' },
    ]);
    const facts = beads.read(path, {});
    assert.deepEqual(
      facts.decisions.map(({ key, topic, text, withdrawn }) => [key, topic, text, withdrawn?.reason]),
      [
        ['bd-a1', 'beads:bd-a1', 'Use **PostgreSQL** for orders.', undefined],
        ['bd-f6', 'beads:bd-a1', 'Issue f6', undefined],
        ['bd-c3', 'beads:bd-c3', 'Issue c3', undefined],
        ['bd-d4', 'beads:bd-c3', 'Issue d4', undefined],
        ['bd-e5', 'beads:bd-e5', 'Issue e5', undefined],
        ['bd-g7', 'beads:bd-g7', 'Issue g7', 'a mistake'],
      ],
    );
    const [first] = facts.decisions;
    assert.equal(first?.reasoning, 'Rationale\nJoins.\n\nAlternatives Considered\n- MongoDB');
    assert.deepEqual(
      first?.evidence?.map(({ text }) => text),
      [DESCRIPTION, 'lee: Agreed.'],
    );
    assert.deepEqual([first?.at, first?.author], [Date.parse('2026-01-01T10:00:00.123+09:00'), 'kim']);
    assert.deepEqual(
      [first?.rest?.title, first?.rest?.metadata, first?.rest?.labels, first?.rest?.design],
      ['Issue a1', { team: 'db' }, ['db'], 'one table'],
    );
    assert.deepEqual(facts.warnings, ['bd-e5 supersedes bd-gone: no such decision; kept with it']);
    assert.deepEqual(
      facts.skipped.map(({ what }) => what),
      ['1 issue of type task', '1 issue of type bug'],
    );
    assert.deepEqual(
      facts.observations.map(({ title, topicKey, content }) => [title, topicKey, content]),
      [['auth-jwt', 'auth-jwt', '토큰은 15분']],
    );
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(facts);
    const decisions = await rowsOf(memory, 'decisions');
    assert.deepEqual(
      decisions
        .filter(({ isActive }) => isActive === 1)
        .map(({ text }) => text)
        .sort(),
      ['Issue d4', 'Issue e5', 'Issue f6'],
    );
    assert.deepEqual((await memory.inspect()).problems, []);
    const before = await bytesOf(memory);
    await memory.merge(beads.read(path, {}));
    assert.equal(await bytesOf(memory), before);
  });

  it('[I-2] a line that changed is a version, and a missing one deletes nothing; an older one that comes later takes its place', async () => {
    await using memory = await openMemory({ db: ':memory:' });
    const [old, next] = [issue('a', 1), { ...issue('b', 2), ...replaces('b', 'a') }];
    await memory.merge(beads.read(fileOf([next]), {}));
    await memory.merge(beads.read(fileOf([old, next]), {}));
    assert.deepEqual((await memory.inspect()).problems, []);
    await memory.merge(
      beads.read(
        fileOf([{ ...next, title: 'Issue b, said better', updated_at: '2026-02-01T00:00:00Z' }]),
        {},
      ),
    );
    const decisions = await rowsOf(memory, 'decisions');
    assert.deepEqual(decisions.map(({ text }) => text).sort(), [
      'Issue a',
      'Issue b',
      'Issue b, said better',
    ]);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-1] marks of a merge and damaged lines are refused by number; --skip-damaged reads both sides, and the later one counts', () => {
    const [old, next] = [issue('a', 1), issue('a', 2, { title: 'Issue a, changed' })];
    const text = `<<<<<<< HEAD\n${linesOf([old])}=======\n${linesOf([next])}>>>>>>> branch\n{"_type":"issue"}\n`;
    const path = join(folderOf({ 'issues.jsonl': text }), 'issues.jsonl');
    assert.throws(
      () => beads.read(path, {}),
      /line 1 \(left by a merge.*line 3.*line 5.*line 6 \(an issue without an id/s,
    );
    const facts = beads.read(path, { skipDamaged: true });
    assert.deepEqual(
      facts.decisions.map((fact) => fact.text),
      ['Issue a, changed'],
    );
    assert.equal(facts.skipped.length, 4);
    assert.match(facts.warnings.join(), /bd-a is there twice/);
  });

  it('[I-1] a repository or its folder is enough; without the file it is said how to make it', () => {
    const folder = folderOf({ '.beads/issues.jsonl': linesOf([issue('a', 1)]), '.beads/beads.db': '' });
    for (const path of [folder, join(folder, '.beads')])
      assert.equal(beads.read(path, {}).decisions.length, 1);
    assert.throws(() => beads.read(folderOf({ 'README.md': '' }), {}), /"bd export --all -o/);
    const bare = folderOf({ '.beads/metadata.json': '{}' });
    const here = (at: string) => ({ home: at, folder: at, platform: process.platform, env: {} });
    assert.match(
      sourcesHere(here(bare))
        .map(({ problem }) => problem)
        .join(),
      /"bd export --all -o/,
    );
    assert.deepEqual(
      sourcesHere(here(folder)).map(({ holds }) => holds?.decisions),
      [1],
    );
    assert.throws(() => beads.read(fileOf([{ type: 'entity', name: 'x' }]), {}), /found another file/);
  });

  it('[I-1] of two that supersede each other the closed one was replaced, also when it is the younger one', async () => {
    const rows = [
      issue('old', 1, { status: 'in_progress' }),
      { ...issue('young', 2, { status: 'closed' }), ...replaces('young', 'old') },
    ];
    const facts = beads.read(fileOf(rows), {});
    assert.deepEqual(
      facts.decisions.map(({ key, topic }) => [key, topic]),
      [
        ['bd-young', 'beads:bd-young'],
        ['bd-old', 'beads:bd-young'],
      ],
    );
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(facts);
    const current = (await rowsOf(memory, 'decisions')).filter(({ isActive }) => isActive === 1);
    assert.deepEqual(
      current.map(({ text }) => text),
      ['Issue old'],
    );
    assert.deepEqual((await memory.inspect()).problems, []);
  });
});
