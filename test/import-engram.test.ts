import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openMemory } from '../src/index.ts';
import { engram, hoofy } from '../src/interchange/importers/engram/engram.ts';
import { scratch } from './support/engines.ts';
import { bytesOf, rowsOf } from './support/facts.ts';

const SAMPLES = join('test', 'fixtures', 'imports', 'hoofy');
const { 'memory.db': expected } = JSON.parse(readFileSync(join(SAMPLES, 'expected.json'), 'utf8')).files;

describe('import from Hoofy and engram', () => {
  it('[R-19] [I-1] [I-2] Hoofy: all that its sample must hold, twice as once, and its export changes nothing', async () => {
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(hoofy.read(join(SAMPLES, 'memory.db'), {}));
    const observations = await rowsOf(memory, 'observations');
    const { counts, records, links } = expected;
    assert.equal(observations.length, counts.observations);
    assert.equal(observations.filter(({ deletedAt }) => deletedAt !== null).length, counts.deleted);
    assert.equal(
      observations.filter(({ type }) => type === 'session_summary').length,
      counts.of_them_session_summaries,
    );
    assert.equal((await rowsOf(memory, 'relations')).length, counts.relations);
    assert.deepEqual(
      merged.skipped.map(({ what }) => what),
      [`${counts.prompts_skipped} prompts`],
    );
    const facts = hoofy.read(join(SAMPLES, 'memory.db'), {});
    const titleOf = (id: number) => facts.observations.find(({ key }) => key.endsWith(`:${id}`))?.title;
    for (const {
      source_id,
      title,
      topic_key,
      scope,
      duplicate_count,
      ends_with,
      deleted,
      content,
      rest,
    } of records) {
      const named = title ?? titleOf(source_id);
      const row = observations.find(
        (each) => each.title === named && (scope === undefined || each.scope === scope),
      );
      assert.ok(row, `${source_id} ${named}`);
      if (topic_key !== undefined) assert.equal(row.topicKey, topic_key, named);
      if (duplicate_count !== undefined) assert.equal(row.duplicateCount, duplicate_count);
      if (ends_with !== undefined) assert.ok(String(row.content).endsWith(ends_with));
      if (deleted !== undefined) assert.notEqual(row.deletedAt, null);
      if (content !== undefined) assert.equal(row.content, content);
      if (rest !== undefined)
        assert.deepEqual(facts.observations.find((each) => each.title === named)?.rest, rest);
    }
    const title = new Map(observations.map((row) => [row.id, row.title]));
    const found = (await rowsOf(memory, 'relations')).map((row) => [
      title.get(row.fromId),
      row.type,
      title.get(row.toId),
    ]);
    for (const link of links)
      assert.ok(
        found.some((each) => String(each) === String(link)),
        String(link),
      );
    assert.match(merged.warnings.join('\n'), /"긴 글": bytes that are no UTF-8/);
    assert.match(merged.warnings.join('\n'), /"Repository pattern" comes in without its topic key/);
    assert.deepEqual((await memory.inspect()).problems, []);
    const before = await bytesOf(memory);
    await memory.merge(hoofy.read(join(SAMPLES, 'memory.db'), {}));
    assert.equal(await bytesOf(memory), before);
    const again = await memory.merge(hoofy.read(join(SAMPLES, 'export.json'), {}));
    assert.equal(again.observations.same, counts.observations);
    assert.equal(await bytesOf(memory), before);
  });

  it('[R-19] [I-1] [I-2] engram 2.x: versions are revisions, judged relations links, a dangling one waits', async () => {
    const path = join(scratch(), 'engram.db');
    const database = new DatabaseSync(path);
    const schema = readFileSync(join(SAMPLES, 'engram-engram-2.schema.sql'), 'utf8');
    database.exec(schema.replace(/CREATE TABLE sqlite_sequence[^;]*;/, ''));
    database.exec(`insert into sessions (id, project, directory) values ('s', 'shop', '/shop');
      insert into observations (sync_id, session_id, type, title, content, project, created_at, updated_at, revision_count, pinned)
        values ('obs-1', 's', 'decision', 'Tokens', 'opaque', 'shop', '2026-03-01 10:00:00', '2026-03-02 10:00:00', 2, 1),
          ('obs-2', 's', 'note', 'JWT', 'no', 'shop', '2026-03-01 10:00:00', '2026-03-01 10:00:00', 1, 0);
      insert into observation_versions (version_id, observation_sync_id, type, title, content, captured_at)
        values ('v1', 'obs-1', 'decision', 'Tokens', 'jwt', '2026-03-01 10:00:00'),
          ('v2', 'obs-1', 'decision', 'Tokens', 'opaque', '2026-03-02 10:00:00');
      insert into memory_relations (sync_id, source_id, target_id, relation, reason, confidence, judgment_status, marked_by_actor)
        values ('rel-1', 'obs-1', 'obs-2', 'supersedes', 'lag', 0.9, 'judged', 'kim'),
          ('rel-2', 'obs-1', 'obs-9', 'related', null, null, 'judged', null),
          ('rel-3', 'obs-1', 'obs-2', 'pending', null, null, 'pending', null);`);
    database.close();
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(engram.read(path, {}));
    const [revision] = await rowsOf(memory, 'observationRevisions');
    assert.deepEqual([revision?.content, revision?.replacedAt], ['jwt', Date.UTC(2026, 2, 2, 10)]);
    const [link, ...more] = await rowsOf(memory, 'relations');
    assert.deepEqual([link?.type, link?.note, more.length], ['supersedes', 'lag (kim, confidence 0.9)', 0]);
    assert.equal(merged.unresolved.length, 1);
    assert.deepEqual(merged.skipped, [{ what: '1 relation', why: 'not judged, or judged to be none' }]);
    assert.deepEqual((await memory.inspect()).problems, []);
    assert.throws(() => hoofy.read(path, {}), /--from engram reads it/);
    assert.throws(() => engram.read(join(SAMPLES, 'memory.db'), {}), /--from hoofy reads it/);
  });

  it('[R-19] [I-1] engram 1.x: the chunks that machines share, each one object, and what is not one', async () => {
    const folder = join(scratch(), '.engram');
    mkdirSync(join(folder, 'chunks'), { recursive: true });
    const row = {
      id: 1,
      session_id: 's',
      type: 'note',
      title: 'A',
      content: 'a',
      created_at: '2026-03-01 10:00:00',
    };
    const chunk = (observations: object[]) =>
      gzipSync(JSON.stringify({ sessions: [], observations, prompts: [] }));
    writeFileSync(join(folder, 'chunks', '0000000a.jsonl.gz'), chunk([row]));
    writeFileSync(join(folder, 'chunks', '0000000b.jsonl.gz'), chunk([row, { ...row, id: 2, title: 'B' }]));
    assert.deepEqual(
      engram.read(folder, {}).observations.map(({ title }) => title),
      ['A', 'B'],
    );
    writeFileSync(join(folder, 'chunks', '0000000c.jsonl.gz'), 'cut');
    assert.throws(() => engram.read(folder, {}), /Expected a whole chunk/);
    assert.throws(() => engram.read(scratch(), {}), /found none in/);
  });
});
