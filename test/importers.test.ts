import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { serverMemory } from '../src/interchange/importers/server-memory.ts';
import { bytesOf, rowsOf } from './support/facts.ts';

const SAMPLES = join('test', 'fixtures', 'imports');

/** Observations by title, and their relations as titles. */
async function graphOf(memory: Memory) {
  const observations = await rowsOf(memory, 'observations');
  const title = new Map(observations.map((row) => [row.id, String(row.title)]));
  const relations = (await rowsOf(memory, 'relations')).map((row) => [
    title.get(row.fromId),
    row.type,
    title.get(row.toId),
  ]);
  return { observations: new Map(observations.map((row) => [String(row.title), row])), relations };
}

describe('readers of other tools', () => {
  it('[I-1] server-memory: what its sample must hold, twice as once', async () => {
    const folder = join(SAMPLES, 'server-memory');
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
    const { counts, records, links } = expected.files['memory.jsonl'];
    await using memory = await openMemory({ db: ':memory:' });
    const facts = serverMemory.read(join(folder, 'memory.jsonl'), {});
    const merged = await memory.merge(facts);
    const { observations, relations } = await graphOf(memory);
    assert.equal(observations.size, counts.observations);
    assert.equal(merged.unresolved.length + merged.skipped.length, counts.skipped_relations);
    for (const { title, type, topic_key, content, content_characters } of records) {
      const row = observations.get(title);
      assert.ok(row, title);
      if (type !== undefined) assert.equal(row.type, type);
      if (topic_key !== undefined) assert.equal(row.topicKey, topic_key);
      if (content !== undefined && title !== 'Redis') assert.equal(row.content, content);
      if (content_characters !== undefined) assert.equal(String(row.content).length, content_characters);
    }
    assert.equal(observations.get('Redis')?.content, 'Redis');
    assert.deepEqual(relations.map(String).sort(), links.map(String).sort());
    const before = await bytesOf(memory);
    // The file may be touched: it has no times of its own.
    for (const fact of facts.observations) fact.at += 1000;
    await memory.merge(facts);
    assert.equal(await bytesOf(memory), before);
  });

  it('[I-1] server-memory: a damaged sample without its lines', async () => {
    const facts = serverMemory.read(join(SAMPLES, 'server-memory', 'memory-damaged.jsonl'), {
      skipDamaged: true,
    });
    assert.deepEqual(
      facts.observations.map(({ title, content }) => [title, content]),
      [
        ['A', '- one\n- two'],
        ['E', '- not a list'],
      ],
    );
  });
});
