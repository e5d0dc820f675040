import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openMemory } from '../src/index.ts';
import { importerNamed } from '../src/interchange/importers/importers.ts';
import { scratch } from './support/engines.ts';
import { rowsOf } from './support/facts.ts';
import { folderOf } from './support/sources.ts';

const T = 1_770_000_000_000;
/** Lets a test break an index; the types of Node do not know it yet. */
const UNGUARDED: object = { defensive: false };
const read = (name: string, path: string) => importerNamed(name).read(path, {});

/** A database of these statements, as a tool of some version made it. */
function made(sql: string): string {
  const path = join(scratch(), 'source.db');
  const database = new DatabaseSync(path, UNGUARDED);
  database.exec(sql);
  database.close();
  return path;
}

const HOOFY = `create table sessions (id text primary key, project text not null, directory text not null, started_at text,
    ended_at text, summary text);
  create table observations (id integer primary key autoincrement, session_id text not null, type text not null,
    title text not null, content text not null, tool_name text, project text, scope text not null default 'project',
    topic_key text, normalized_hash text, revision_count integer not null default 1,
    duplicate_count integer not null default 1, last_seen_at text, created_at text not null, updated_at text not null,
    deleted_at text);
  create virtual table observations_fts using fts5(title, content, content='observations', content_rowid='id');
  insert into observations (id, session_id, type, title, content, topic_key, created_at, updated_at)
    values (1, 's', 'decision', '토큰', '불투명', 'decision/토큰', '2026-03-01 09:00:00', '2026-03-01 09:00:00'),
      (2, 's', 'note', '둘', '다른 것', null, '2026-03-01 09:00:00', '2026-03-01 09:00:00');
  insert into observations_fts(observations_fts) values ('rebuild');`;

describe('sources as other versions of their tools left them', () => {
  it('[I-1] [I-4] what is read is whole: an index of words that broke, numbers beyond those of JSON, bytes for a text', () => {
    const path = made(
      `${HOOFY} alter table observations add column at_nanoseconds integer; alter table observations add column vector blob;
      update observations set at_nanoseconds = 1770000000123456789, vector = x'00ff00ff', content = cast(content as blob);
      delete from observations_fts_data where id > 10; delete from observations_fts_idx`,
    );
    const [one] = read('hoofy', path).observations;
    assert.equal(one?.content, '불투명');
    assert.deepEqual(one?.rest, { at_nanoseconds: '1770000000123456789' });
  });

  it('[R-19] [I-1] Hoofy before namespaces, and before relations, is identified by its columns', () => {
    const before = read('hoofy', made(HOOFY));
    assert.deepEqual(
      before.observations.map(({ title, scope, topicKey }) => [title, scope, topicKey]),
      [
        ['토큰', 'project', 'decision/토큰'],
        ['둘', 'project', null],
      ],
    );
    const related = made(
      `${HOOFY} create table relations (id integer primary key, from_id integer, to_id integer, type text, note text, created_at text);
      insert into relations values (1, 1, 2, 'Depends On ', '왜', '2026-03-01 09:00:00')`,
    );
    assert.deepEqual(
      read('hoofy', related).relations.map(({ type, note }) => [type, note]),
      [['Depends On ', '왜']],
    );
    assert.throws(() => read('engram', made(HOOFY)), /--from hoofy reads it/);
    const empty = folderOf({ 'export.json': '{"version":"0.1.0","sessions":null,"observations":null}' });
    assert.deepEqual(read('hoofy', join(empty, 'export.json')).observations, []);
  });

  it('[R-19] [I-2] Hoofy: a personal row of a sub-agent is kept with the note that it is personal', () => {
    const path = made(
      `${HOOFY} alter table observations add column namespace text;
      update observations set namespace = 'agent/1', scope = 'personal' where id = 1`,
    );
    const [one] = read('hoofy', path).observations;
    assert.deepEqual([one?.scope, one?.rest], ['project:agent/1', { scope: 'personal' }]);
  });

  it('[R-19] [I-2] engram: chunks in the order in which they were shared; deletions, links and rows that stand in no list', async () => {
    const row = (id: number, content: string, updated: string, more = {}) => ({
      ...{ id, sync_id: `obs-${id}`, session_id: 's', type: 'note', title: `제목 ${id}`, content },
      ...{ scope: 'project', created_at: '2026-03-01 09:00:00', updated_at: updated, ...more },
    });
    const first = {
      sessions: [{ id: 's', project: 'shop' }],
      observations: [
        row(1, '처음', '2026-03-01 09:00:00'),
        row(2, '둘', '2026-03-01 09:00:00'),
        row(3, '셋', '2026-03-01 09:00:00.123456789'),
        row(5, '다시', '2026-03-05 09:00:00'),
      ],
      prompts: null,
    };
    const change = (entity: string, key: string, op: string, payload: object) => ({
      ...{ entity, entity_key: key, op, payload: JSON.stringify(payload) },
      occurred_at: '2026-03-02 12:00:00',
    });
    const link = { source_id: 'obs-1', target_id: 'obs-2', judgment_status: 'judged' };
    const second = {
      sessions: [{ id: 's', project: 'shop', ended_at: '2026-03-03 08:00:00', summary: '끝' }],
      observations: [
        row(1, '나중', '2026-03-02 09:00:00', { revision_count: 2 }),
        row(2, '둘', '2026-03-02 10:00:00', { deleted_at: '2026-03-02 10:00:00' }),
      ],
      mutations: [
        change('relation', 'rel-1', 'upsert', { ...link, relation: 'supersedes', reason: '그래서' }),
        change('relation', 'rel-2', 'upsert', { ...link, relation: 'not_conflict' }),
        change('relation', 'rel-3', 'upsert', { ...link, relation: 'refines' }),
        change('observation', 'obs-3', 'delete', { deleted_at: '2026-03-02 11:00:00', hard_delete: true }),
        change('observation', 'obs-4', 'upsert', {
          session_id: 's',
          type: 'note',
          title: '넷',
          content: '4',
        }),
        change('observation', 'obs-5', 'delete', { deleted_at: '2026-03-02 11:00:00' }),
      ],
    };
    const files = {
      '.engram/chunks/ffff0001.jsonl.gz': gzipSync(JSON.stringify(first)),
      '.engram/chunks/00000002.jsonl.gz': gzipSync(JSON.stringify(second)),
      '.engram/manifest.json': JSON.stringify({
        version: 1,
        chunks: [{ id: 'ffff0001' }, { id: '00000002' }],
      }),
    };
    const facts = read('engram', folderOf(files));
    const told = new Map(facts.observations.map((fact) => [fact.key, fact]));
    const day = (date: number, hour: number) => Date.UTC(2026, 2, date, hour);
    assert.deepEqual(
      ['obs-1', 'obs-2', 'obs-3', 'obs-4', 'obs-5', 'session:s'].map((key) => [
        told.get(key)?.content,
        told.get(key)?.deletedAt,
      ]),
      [
        ['나중', undefined],
        ['둘', day(2, 10)],
        ['셋', day(2, 11)],
        ['4', undefined],
        ['다시', undefined],
        ['끝', undefined],
      ],
    );
    assert.deepEqual(told.get('obs-1')?.revisions, [
      { title: '제목 1', content: '처음', type: 'note', replacedAt: day(2, 9) },
    ]);
    assert.deepEqual(told.get('obs-2')?.revisions, []);
    assert.deepEqual(
      facts.relations.map(({ type, note }) => [type, note]),
      [
        ['supersedes', '그래서'],
        ['refines', null],
      ],
    );
    // Chunk by chunk it comes to the same.
    await using memory = await openMemory({ db: ':memory:' });
    const { '.engram/chunks/ffff0001.jsonl.gz': chunk } = files;
    await memory.merge(read('engram', folderOf({ '.engram/chunks/ffff0001.jsonl.gz': chunk })));
    const { observations, relations, conflicts } = await memory.merge(facts);
    assert.deepEqual([observations.new, observations.changed, relations.new, conflicts], [2, 3, 2, []]);
    assert.equal((await rowsOf(memory, 'observationRevisions'))[0]?.content, '처음');
    assert.deepEqual((await memory.inspect()).problems, []);
    const again = await memory.merge(facts);
    assert.deepEqual([again.observations.same, again.observations.changed], [6, 0]);
  });

  it('[R-19] [I-1] MAMA 1.0 to 1.2: its first tables, and the links that it made of what looks alike', () => {
    const path = made(`
      create table decisions (id text primary key, topic text not null, decision text not null, reasoning text, outcome text,
        failure_reason text, limitation text, duration_days integer, user_involvement text, session_id text, supersedes text,
        superseded_by text, refined_from text, confidence real default 0.5, created_at integer, updated_at integer);
      create table decision_edges (from_id text, to_id text, relationship text, reason text, weight real, created_at integer);
      insert into decisions (id, topic, decision, outcome, failure_reason, created_at, updated_at)
        values ('decision_a_1', 'a', '하나', 'FAILED', '느림', ${T / 1000}, null), ('decision_b_1', 'b', '둘', null, null, '2026-02-03T00:00:00', '2026-02-03 09:00:00+09:00');
      insert into decision_edges values ('decision_b_1', 'decision_a_1', 'refines', 'Refines previous approach (similarity: 0.91)', 1, 1),
        ('decision_b_1', 'decision_a_1', 'contradicts', '사람이 그렇게 봤다', 1, ${T / 1000})`);
    const { decisions, skipped } = read('mama', path);
    assert.deepEqual(
      decisions.map(({ at, updatedAt, outcome }) => [at, updatedAt, outcome?.at]),
      [
        [T, T, T],
        [Date.UTC(2026, 1, 3), Date.UTC(2026, 1, 3), undefined],
      ],
    );
    assert.deepEqual(decisions[1]?.links, [{ relationship: 'debates', to: 'decision_a_1', at: T }]);
    assert.deepEqual(skipped, [{ what: '1 link', why: 'made by a program between what looks alike' }]);
  });

  it('[I-1] claude-mem 3.x: memories and overviews, also next to those of a later version', () => {
    const first = `create table sessions (id integer primary key, session_id text, project text);
      create table memories (id integer primary key, session_id text, text text, document_id text, keywords text, created_at text,
        created_at_epoch integer, project text, archive_basename text, origin text, title text, subtitle text, facts text,
        concepts text, files_touched text);
      create table overviews (id integer primary key, session_id text, content text, created_at text,
        created_at_epoch integer, project text, origin text);
      insert into memories (id, session_id, text, created_at_epoch, project, title, facts, files_touched, keywords)
        values (1, 's1', '오래된 기억', ${T}, 'shop', '제목', '["사실"]', '["a.ts"]', 'a,b');
      insert into overviews values (1, 's1', '개요', null, ${T}, 'shop', 'claude');`;
    const later = `create table sdk_sessions (id integer primary key, sdk_session_id text, claude_session_id text, project text);
      create table observations (id integer primary key, sdk_session_id text, project text, text text, type text, created_at_epoch integer);
      insert into observations values (1, 'm1', 'shop', 'new', 'change', ${T});`;
    for (const [sql, count] of [
      [first, 1],
      [first + later, 2],
    ] as const) {
      const { observations, checkpoints } = read('claude-mem', made(sql));
      const [one] = observations;
      assert.equal(observations.length, count);
      assert.deepEqual(
        [one?.title, one?.content, one?.session, one?.project, one?.rest],
        ['제목', '오래된 기억\n\n- 사실\n\nFiles modified: a.ts', 's1', 'shop', { keywords: 'a,b' }],
      );
      assert.deepEqual(
        checkpoints.map(({ summary, session }) => [summary, session]),
        [['개요', 's1']],
      );
    }
  });

  it('[I-2] claude-mem: the same of two machines comes once, and what changed of a row or a summary is no other one', async () => {
    const tables = (
      origin: string,
    ) => `create table sdk_sessions (id integer primary key, memory_session_id text, project text);
      create table observations (id integer primary key, memory_session_id text, project text, type text, title text, narrative text,
        content_hash text, origin_device_id text, origin_local_id text, created_at_epoch integer);
      create table session_summaries (id integer primary key, memory_session_id text, project text, learned text,
        origin_device_id text, origin_local_id text, created_at_epoch integer);
      insert into observations values (1, 'm', 'shop', 'change', '제목', '글', 'h1', ${origin}, ${T}),
        (2, 'm', 'shop', 'change', '해시 없음', '글', null, null, null, ${T});
      insert into session_summaries values (1, 'm', 'shop', '배움', ${origin}, ${T});`;
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(read('claude-mem', made(tables('null, null'))));
    const there = await memory.merge(read('claude-mem', made(tables("'dev-1', '1'"))));
    assert.deepEqual([there.observations.same, there.checkpoints.same], [2, 1]);
    const changed = `${tables('null, null')} update observations set narrative = '새 글'; update session_summaries set learned = '더 배움'`;
    const { observations, checkpoints } = await memory.merge(read('claude-mem', made(changed)));
    assert.deepEqual([observations.changed, observations.new], [2, 0]);
    assert.deepEqual([checkpoints.changed, checkpoints.new], [1, 0]);
  });

  it('[R-19] [I-1] MAMA newer than this: what nobody here knows is kept, and reported', () => {
    const path = made(`
      create table decisions (id text primary key, topic text, decision text, reasoning text, outcome text, failure_reason text,
        confidence real, created_at integer, updated_at integer, kind text, later text);
      create table decision_edges (from_id text, to_id text, relationship text, reason text, created_at integer);
      create table later (x); insert into later values (1);
      insert into decisions (id, topic, decision, outcome, failure_reason, created_at, updated_at, kind, later)
        values ('decision_a_1', 'a', '하나', 'ABANDONED', '이유', null, ${T}, null, '{"x":1}'),
          ('decision_b_1', 'b', '둘', null, null, '어제', null, null, null), ('skill_1', 'c', '셋', null, null, ${T}, ${T}, 'skill', null);
      insert into decision_edges values ('decision_a_1', 'decision_b_1', 'invalidates', '왜', ${T})`);
    const { decisions, observations, skipped, warnings } = read('mama', path);
    const [undated, one] = decisions;
    assert.deepEqual([undated?.at, one?.at, one?.outcome], [0, T, undefined]);
    assert.deepEqual(one?.rest, {
      ...{ outcome: 'ABANDONED', failure_reason: '이유', later: '{"x":1}' },
      edges: [{ to: 'decision_b_1', relationship: 'invalidates', reason: '왜', created_at: T }],
    });
    assert.deepEqual(
      observations.map(({ type, title }) => [type, title]),
      [['skill', 'c']],
    );
    assert.deepEqual(
      skipped.map(({ what }) => what),
      ['1 link "invalidates"', '1 row of later'],
    );
    assert.deepEqual(warnings, ['1 record without a date that can be read: dated 1970-01-01']);
  });

  it('[R-19] [I-2] engram: what several actors judged alike is one relation with the reasons of all', () => {
    const path =
      made(`${HOOFY} create table sync_chunks (chunk_id text); alter table observations add column sync_id text;
      update observations set sync_id = 'obs-' || id;
      create table memory_relations (id integer primary key, sync_id text, source_id text, target_id text, relation text, reason text,
        confidence real, judgment_status text, marked_by_actor text, created_at text);
      insert into memory_relations (sync_id, source_id, target_id, relation, reason, confidence, judgment_status, marked_by_actor)
        values ('rel-1', 'obs-1', 'obs-2', 'related', '하나', 0.5, 'judged', 'kim'), ('rel-2', 'obs-1', 'obs-2', 'related', null, null, 'judged', 'lee'),
          ('rel-3', 'obs-1', 'obs-2', 'derived_from', null, null, 'judged', null), ('rel-4', 'obs-2', 'obs-1', 'not_conflict', null, null, 'judged', null)`);
    const { relations, skipped } = read('engram', path);
    assert.deepEqual(
      relations.map(({ key, type, note }) => [key, type, note]),
      [
        ['rel-1', 'related', '하나 (kim, confidence 0.5); (lee)'],
        ['rel-3', 'derived_from', null],
      ],
    );
    assert.deepEqual(skipped, [{ what: '1 relation', why: 'not judged, or judged to be none' }]);
  });
});
