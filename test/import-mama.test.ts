import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { mama, sevenDivision } from '../src/interchange/importers/mama/mama.ts';
import { scratch } from './support/engines.ts';
import { bytesOf, rowsOf } from './support/facts.ts';

const SAMPLES = join('test', 'fixtures', 'imports', 'mama');
const SAMPLE = join(SAMPLES, 'mama-1.5.11.db');
const T = 1_770_000_000_000;

/** A file of a schema of the sample folder, with rows. */
function madeOf(
  schema: string,
  rows: [table: string, row: Record<string, string | number | null>][],
): string {
  const path = join(scratch(), 'mama.db');
  const database = new DatabaseSync(path);
  database.exec('pragma foreign_keys = off');
  database.exec(
    readFileSync(join(SAMPLES, schema), 'utf8').replaceAll(/CREATE TABLE sqlite_sequence[^;]*;/g, ''),
  );
  for (const [table, row] of rows) insert(database, table, row);
  database.close();
  return path;
}

function insert(database: DatabaseSync, table: string, row: Record<string, string | number | null>): void {
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  database.prepare(`insert into ${table} (${names.join(', ')}) values (${marks})`).run(...Object.values(row));
}

const decision = (
  id: string,
  topic: string,
  at: number,
  more = {},
): ['decisions', Record<string, string | number | null>] => [
  'decisions',
  { id: `decision_${id}`, topic, decision: `decided ${id}`, created_at: at, updated_at: at, ...more },
];
const edge = (
  from: string,
  to: string,
  relationship: string,
  more = {},
): ['decision_edges', Record<string, string | number | null>] => [
  'decision_edges',
  { from_id: `decision_${from}`, to_id: `decision_${to}`, relationship, ...more },
];

const hashesIn = (folder: string) =>
  readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return [name, createHash('sha256').update(readFileSync(path)).digest('hex'), statSync(path).mtimeMs];
  });

describe('import from MAMA and 7-division', { concurrency: 2 }, () => {
  it('[G-11] [I-1] [I-2] all that the sample must hold, twice as once', async () => {
    const { counts, records, links } = JSON.parse(readFileSync(join(SAMPLES, 'expected.json'), 'utf8')).files[
      'mama-1.5.11.db'
    ];
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(mama.read(SAMPLE, {}));
    const decisions = await rowsOf(memory, 'decisions');
    const edges = await rowsOf(memory, 'decisionEdges');
    assert.equal(decisions.length, counts.decision_versions);
    assert.equal(new Set(decisions.map(({ rootId }) => rootId)).size, counts.chains);
    assert.equal(decisions.filter(({ isActive }) => isActive === 1).length, counts.active);
    assert.equal((await rowsOf(memory, 'outcomes')).length, counts.outcomes);
    assert.equal((await rowsOf(memory, 'checkpoints')).length, counts.checkpoints);
    const byKind = Map.groupBy(edges, ({ relationship }) => String(relationship));
    assert.deepEqual(Object.fromEntries([...byKind].map(([kind, of]) => [kind, of.length])), counts.edges);
    for (const expected of records) {
      const row = decisions.find(({ id }) => id === expected.id);
      for (const [name, value] of Object.entries(expected)) {
        const column = name
          .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
          .replace('active', 'isActive');
        if (column === 'why') continue;
        assert.deepEqual(
          row?.[column],
          typeof value === 'boolean' ? Number(value) : value,
          `${expected.id} ${name}`,
        );
      }
    }
    for (const [from, kind, to] of links) {
      const found = edges.some((row) => row.fromId === from && row.relationship === kind && row.toId === to);
      assert.ok(found, `${from} ${kind} ${to}`);
    }
    assert.match(merged.warnings.join('\n'), /2 topics became one after trimming: ' auth_strategy '/);
    assert.match(merged.warnings.join('\n'), /decision_missing_1700000000000_zzzz/);
    assert.deepEqual((await memory.inspect()).problems, []);
    const before = await bytesOf(memory);
    await memory.merge(mama.read(SAMPLE, {}));
    assert.equal(await bytesOf(memory), before);
  });

  it('[I-2] one row that changed there gives one outcome, one version, and nothing else', async () => {
    const path = join(scratch(), 'mama.db');
    copyFileSync(SAMPLE, path);
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(mama.read(path, {}));
    const counts = async () => [
      (await rowsOf(memory, 'decisions')).length,
      (await rowsOf(memory, 'outcomes')).length,
    ];
    const change = (statement: string) => {
      const database = new DatabaseSync(path);
      database.exec(statement);
      database.close();
    };
    change(`update decisions set outcome = 'FAILED', failure_reason = 'slow', updated_at = updated_at + 5000,
      usage_count = 4 where topic = 'cache_layer'`);
    assert.equal((await memory.merge(mama.read(path, {}))).decisions.changed, 1);
    assert.deepEqual(await counts(), [12, 6]);
    change(
      `update decisions set decision = 'A cache', updated_at = updated_at + 5000 where topic = 'cache_layer'`,
    );
    assert.equal((await memory.merge(mama.read(path, {}))).decisions.changed, 1);
    assert.deepEqual(await counts(), [13, 6]);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-2] 2.x: links between preferences, facts and tasks are relations, those to decisions are kept with them, and a decision that one replaced ends', async () => {
    const path = madeOf('mama-2.2.0.schema.sql', [
      decision('p1', 'diet', T, { kind: 'preference', superseded_by: 'decision_p2' }),
      decision('p2', 'diet', T + 1, { kind: 'preference', supersedes: 'decision_p1' }),
      decision('t', 'check', T + 2, { kind: 'task' }),
      decision('d', 'deploy', T + 3),
      decision('e', 'editor', T + 4, { superseded_by: 'decision_f' }),
      decision('f', 'editor', T + 5, { kind: 'fact' }),
      edge('p2', 'p1', 'supersedes', { reason: 'Updated fact (60% overlap)' }),
      edge('p2', 't', 'builds_on'),
      edge('t', 'd', 'debates'),
      edge('d', 't', 'builds_on'),
      edge('t', 'gone', 'builds_on'),
    ]);
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(mama.read(path, {}));
    assert.deepEqual(merged.warnings, []);
    assert.equal(merged.unresolved.length, 1);
    assert.deepEqual(
      (await rowsOf(memory, 'relations')).map(({ type, note }) => [type, note]),
      [
        ['supersedes', 'Updated fact (60% overlap)'],
        ['builds_on', null],
      ],
    );
    const rest = (await rowsOf(memory, 'origins')).map((row) => String(row.rest)).join();
    assert.match(rest, /"relationship":"debates","to":"decision_d"/);
    assert.match(rest, /"relationship":"builds_on","to":"decision_t"/);
    const last = (await rowsOf(memory, 'decisions')).find((row) => row.withdrawn === 1);
    assert.equal(last?.reasoning, 'Superseded by the fact decision_f.');
    assert.equal((await memory.merge(mama.read(path, {}))).relations.same, 2);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-2] an older copy changes nothing and is named; what its source says again later is one outcome, one version, one revision', async () => {
    const copyOf = (at: number, said: string, outcome: string) =>
      madeOf('mama-2.2.0.schema.sql', [
        decision('d', 'deploy', T, { outcome, updated_at: at }),
        decision('e', 'editor', T + 1, { decision: said, updated_at: at }),
        decision('p', 'diet', T + 2, { kind: 'preference', decision: said, updated_at: at }),
      ]);
    const [older, newer] = [copyOf(T + 10, 'one', 'PARTIAL'), copyOf(T + 1000, 'two', 'FAILED')];
    await using memory = await openMemory({ db: ':memory:' });
    const take = async (path: string) => {
      const { decisions, observations, conflicts } = await memory.merge(mama.read(path, {}));
      return [decisions.changed, observations.changed, conflicts.map(({ why }) => why.slice(0, 26))];
    };
    const counts = async () => [
      (await rowsOf(memory, 'decisions')).length,
      (await rowsOf(memory, 'outcomes')).length,
      (await rowsOf(memory, 'observationRevisions')).length,
    ];
    await take(older);
    assert.deepEqual(await take(newer), [2, 1, []]);
    const bytes = await bytesOf(memory);
    const isOlder = 'this copy is older than th';
    for (const copy of [older, copyOf(T + 500, 'between', 'SUCCESS'), newer]) {
      const isNamed = copy === newer ? [] : [isOlder, isOlder, isOlder];
      assert.deepEqual(await take(copy), [0, 0, isNamed]);
      assert.equal(await bytesOf(memory), bytes);
    }
    assert.deepEqual(await take(copyOf(T + 2000, 'one', 'PARTIAL')), [2, 1, []]);
    assert.deepEqual(await counts(), [4, 3, 2]);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-1] [I-2] 2.x: Korean that it does not supersede, seconds, cycles, dangling ends, links of machines, three places of supersession', async () => {
    const path = madeOf('mama-2.2.0.schema.sql', [
      decision('k1', '외벽_두께', T),
      decision('k2', '외벽_두께', T + 1),
      edge('k2', 'k1', 'builds_on', { reason: 'Related but distinct (0% overlap)', created_by: 'user' }),
      decision('old', 'jwt', 1_600_000_000, { superseded_by: 'decision_new', confidence: null }),
      decision('new', 'tokens', T + 2, {
        evidence: '["a", {"b": 1}]',
        alternatives: 'cookies',
        limitation: 'ignored',
      }),
      decision('x', 'cycle:x', T + 3, { supersedes: 'decision_y' }),
      decision('y', 'cycle:y', T + 4, { supersedes: 'decision_x' }),
      decision('z', 'z', T + 5, {
        outcome: 'PARTIAL',
        failure_reason: 'half',
        limitation: 'only here',
        refined_from: '["decision_k2"]',
      }),
      edge('z', 'k1', 'refines', { approved_by_user: 1 }),
      edge('z', 'new', 'contradicts', { approved_by_user: 1 }),
      edge('z', 'k2', 'debates', { approved_by_user: 0 }),
      edge('gone', 'z', 'builds_on'),
      edge('z', 'gone', 'builds_on'),
      decision('p', 'editor', T + 6, { kind: 'preference', reasoning: 'habit' }),
      [
        'checkpoints',
        {
          timestamp: 1_700_000_000,
          summary: 'half',
          open_files: '["broken',
          next_steps: '',
          status: 'active',
        },
      ],
    ]);
    await using memory = await openMemory({ db: ':memory:' });
    const facts = mama.read(path, {});
    const merged = await memory.merge(facts);
    const decisions = await rowsOf(memory, 'decisions');
    const shown = (topic: string) =>
      decisions.filter((row) => row.topic === topic).map((row) => [row.version, row.isActive, row.withdrawn]);
    assert.deepEqual(shown('외벽_두께'), [
      [1, 0, 0],
      [2, 1, 0],
    ]);
    assert.deepEqual(shown('jwt'), [
      [1, 0, 0],
      [2, 0, 1],
    ]);
    const old = decisions.find(({ id }) => id === 'decision_old');
    assert.deepEqual([old?.createdAt, old?.confidence], [1_600_000_000_000, 0.5]);
    assert.deepEqual(shown('cycle:x'), [
      [1, 0, 0],
      [2, 0, 1],
    ]);
    assert.match(
      merged.warnings.join('\n'),
      /decision_x supersedes decision_y, which is newer: the dates decide/,
    );
    assert.match(
      merged.warnings.join('\n'),
      /decision_gone builds_on decision_z: no decision decision_gone came/,
    );
    assert.match(merged.unresolved.join('\n'), /decision_z builds_on decision_gone/);
    assert.deepEqual(
      merged.skipped.map(({ what }) => what),
      ['1 link', '1 link'],
    );
    const edges = (await rowsOf(memory, 'decisionEdges'))
      .filter(({ relationship }) => relationship !== 'supersedes')
      .map((row) => `${row.fromId} ${row.relationship} ${row.toId}`.replaceAll('decision_', ''));
    assert.deepEqual(edges.sort(), [
      'new synthesizes old',
      'y synthesizes x',
      'z builds_on k1',
      'z debates new',
      'z synthesizes k2',
    ]);
    const [outcome] = await rowsOf(memory, 'outcomes');
    assert.equal(outcome?.reason, 'half\nLimitation: only here');
    assert.deepEqual(
      (await rowsOf(memory, 'evidence')).map(({ content }) => content),
      ['a', '{"b":1}', 'Alternative: cookies'],
    );
    const [observation] = await rowsOf(memory, 'observations');
    assert.deepEqual(
      [observation?.title, observation?.type, observation?.content],
      ['editor', 'preference', 'decided p\n\nhabit'],
    );
    const [checkpoint] = await rowsOf(memory, 'checkpoints');
    assert.deepEqual([checkpoint?.createdAt, checkpoint?.openFiles], [1_700_000_000_000, '["[\\"broken"]']);
    assert.deepEqual((await memory.inspect()).problems, []);
    const before = await bytesOf(memory);
    await memory.merge(mama.read(path, {}));
    assert.equal(await bytesOf(memory), before);
  });

  it('[I-1] 2.x: one file is for all projects, and --scope takes one of them', async () => {
    const path = madeOf('mama-2.2.0.schema.sql', [
      decision('a', 'a', T),
      decision('b', 'b', T),
      ['memory_scopes', { id: 's1', kind: 'project', external_id: '/home/kim/shop' }],
      ['memory_scope_bindings', { memory_id: 'decision_a', scope_id: 's1', is_primary: 1 }],
    ]);
    const facts = mama.read(path, { scope: 'project=/home/kim/shop' });
    assert.deepEqual(
      facts.decisions.map(({ key }) => key),
      ['decision_a'],
    );
    assert.deepEqual(facts.skipped, [{ what: '1 decision', why: 'filed under another scope' }]);
    assert.throws(
      () => mama.read(path, { scope: 'project=/other' }),
      /out of project=\/home\/kim\/shop, found/,
    );
  });

  it('[G-11] [I-1] 7-division: its reason of outcomes, and what a person learnt', async () => {
    const path = madeOf('7-division-mama.schema.sql', [
      decision('a', 'voxel:color', T, { outcome: 'SUCCESS', outcome_reason: 'warm' }),
      decision('b', 'voxel:color', T + 1, { supersedes: 'decision_a' }),
      [
        'learnings',
        { id: 'l1', user_id: 'u', concept: '60-30-10', user_explanation: 'three colors', created_at: T },
      ],
      ['hints', { tool_name: 'edit', hint_text: 'center', created_at: T }],
    ]);
    const facts = sevenDivision.read(path, {});
    assert.deepEqual(facts.decisions[0]?.outcome, { outcome: 'success', reason: 'warm', at: T });
    assert.deepEqual(
      facts.observations.map(({ title, type, content }) => [title, type, content]),
      [['60-30-10', 'learning', 'three colors']],
    );
    assert.deepEqual(facts.skipped, [{ what: '1 row of hints', why: 'neither decisions nor checkpoints' }]);
    assert.throws(() => mama.read(path, {}), /--from 7-division reads it/);
    assert.throws(() => sevenDivision.read(SAMPLE, {}), /--from mama reads it/);
  });

  it('[I-4] a source in use is read with its log, is left as it was, and locks nobody out', () => {
    const folder = join(scratch(), 'theirs');
    mkdirSync(folder);
    const path = join(folder, 'mama.db');
    copyFileSync(SAMPLE, path);
    const owner = new DatabaseSync(path);
    owner.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
    insert(owner, ...decision('late', 'late', T));
    owner.exec('begin immediate');
    const before = hashesIn(folder);
    chmodSync(folder, 0o555);
    const facts = mama.read(path, {});
    chmodSync(folder, 0o755);
    assert.equal(facts.decisions.length, 13, 'what is only in the log comes too');
    assert.deepEqual(hashesIn(folder), before);
    insert(owner, ...decision('later', 'later', T));
    owner.exec('commit');
    owner.close();
  });

  it('[I-4] a file without its log, one that was cut short, and one of another kind are refused by what is wrong', () => {
    const folder = scratch();
    const whole = readFileSync(SAMPLE);
    const refused = (name: string, bytes: Buffer | string, message: RegExp) => {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      assert.throws(() => mama.read(path, {}), message);
    };
    refused('cut.db', whole.subarray(0, whole.length / 2), /cannot be read|other program/);
    refused('text.db', 'no database', /cannot be read/);
    refused('empty.db', '', /Its log .* keep both together/);
    assert.throws(() => mama.read(join(folder, 'none.db'), {}), /found none/);
  });

  it('[I-2] what a row says that we have no place for is kept with it, and a row against a rule of its table comes', () => {
    const path = madeOf('7-division-mama.schema.sql', [
      decision('odd', 'odd', T, { outcome_reason: 'nobody knows' }),
    ]);
    const database = new DatabaseSync(path);
    database.exec('pragma ignore_check_constraints = on');
    insert(database, ...decision('wild', 'wild', T + 1, { confidence: 1.7, outcome: 'ABANDONED' }));
    database.close();
    const [odd, wild] = sevenDivision.read(path, {}).decisions;
    assert.equal(odd?.outcome, undefined);
    assert.equal(odd?.rest?.outcome_reason, 'nobody knows');
    assert.equal(wild?.rest?.outcome, 'ABANDONED');
    assert.equal(wild?.rest?.confidence, 1.7);
  });

  it('[I-2] what a decision that is gone replaced there stands here no more, unless its topic went on', () => {
    const path = madeOf('mama-2.2.0.schema.sql', [
      decision('lost', 'auth', T, { superseded_by: 'decision_gone' }),
      decision('early', 'db', T, { superseded_by: 'decision_gone' }),
      decision('late', 'db', T + 1),
    ]);
    const { decisions } = mama.read(path, {});
    assert.deepEqual(
      decisions.map(({ key, withdrawn }) => [key, withdrawn?.reason]),
      [
        ['decision_early', undefined],
        ['decision_lost', 'Superseded by decision_gone, which is not there.'],
        ['decision_late', undefined],
      ],
    );
  });

  it('[I-2] a link from a decision to itself is left out, and counted', async () => {
    const path = madeOf('mama-2.2.0.schema.sql', [
      decision('a', 'a', T, {
        supersedes: 'decision_a',
        superseded_by: 'decision_a',
        refined_from: '["decision_a"]',
      }),
      edge('a', 'a', 'builds_on'),
    ]);
    const facts = mama.read(path, {});
    assert.deepEqual(facts.skipped, [{ what: '4 links', why: 'from a decision to itself' }]);
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(facts);
    assert.deepEqual(await rowsOf(memory, 'decisionEdges'), []);
    assert.deepEqual((await memory.inspect()).problems, []);
  });
});
