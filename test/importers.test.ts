import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import { type Memory, openMemory } from '../src/index.ts';
import { agents } from '../src/interchange/importers/agents/agents.ts';
import { basicMemory, obsidian } from '../src/interchange/importers/notes/notes.ts';
import { serverMemory } from '../src/interchange/importers/server-memory.ts';
import { scratch } from './support/engines.ts';
import { bytesOf, rowsOf } from './support/facts.ts';

const SAMPLES = join('test', 'fixtures', 'imports');

/** Whether an object says all that another one says. */
function contains(whole: Record<string, unknown>, part: Record<string, unknown>): boolean {
  return Object.entries(part).every(([name, value]) => whole[name] === value);
}

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

  it('[I-1] agents: what their files must hold, twice as once', async () => {
    const folder = join(SAMPLES, 'agent-files');
    const { counts, records, links, warnings } = JSON.parse(
      readFileSync(join(folder, 'expected.json'), 'utf8'),
    ).files['home + repo'];
    const read = () => agents.readAll?.([join(folder, 'home'), join(folder, 'repo')], {}) as Facts;
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(read());
    const { observations, relations } = await graphOf(memory);
    assert.equal((await rowsOf(memory, 'observations')).length, counts.observations);
    assert.equal(relations.length, counts.relations);
    assert.deepEqual(relations, links);
    const kept = (await rowsOf(memory, 'origins')).map((row) => JSON.parse(String(row.rest)));
    const writers = new Map((await rowsOf(memory, 'writers')).map(({ id, session }) => [id, session]));
    for (const { title, type, scope, session, topic_key, updated_at, rest } of records) {
      const row = observations.get(title);
      assert.ok(row, title);
      if (type !== undefined) assert.equal(row.type, type);
      if (scope !== undefined) assert.equal(row.scope, scope);
      if (session !== undefined) assert.equal(writers.get(row.writer), session);
      if (topic_key !== undefined) assert.equal(row.topicKey, topic_key);
      if (updated_at !== undefined) assert.equal(row.updatedAt, Date.parse(updated_at));
      if (rest !== undefined)
        assert.ok(
          kept.some((each) => each !== null && contains(each, rest)),
          title,
        );
    }
    for (const warning of warnings)
      assert.ok(
        merged.warnings.some((each) => each.startsWith(warning)),
        warning,
      );
    assert.deepEqual(merged.skipped.map(({ what }) => what.split('/').at(-1)).sort(), [
      'CLAUDE.md',
      'GEMINI.md',
      'MEMORY.md',
      'copilot-instructions.md',
      'memory_summary.md',
    ]);
    const before = await bytesOf(memory);
    await memory.merge(read());
    assert.equal(await bytesOf(memory), before);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-1] [I-2] basic-memory: what its sample must hold, twice as once', async () => {
    const folder = join(SAMPLES, 'basic-memory', 'main');
    const { counts, records, links } = JSON.parse(
      readFileSync(join(SAMPLES, 'basic-memory', 'expected.json'), 'utf8'),
    ).files['main/'];
    const facts = basicMemory.read(folder, {});
    await using memory = await openMemory({ db: ':memory:' });
    const merged = await memory.merge(facts);
    const { observations, relations } = await graphOf(memory);
    assert.deepEqual(
      [observations.size, relations.length, merged.unresolved.length],
      [counts.observations, counts.relations, counts.unresolved],
    );
    for (const { title, type, topic_key, created_at, content, rest, warning } of records) {
      const row = observations.get(title);
      assert.ok(row, title);
      if (type !== undefined) assert.equal(row.type, type);
      if (topic_key !== undefined) assert.equal(row.topicKey, topic_key, title);
      if (created_at !== undefined) assert.equal(row.createdAt, created_at);
      if (content !== undefined) assert.equal(row.content, content);
      const fact = facts.observations.find((each) => each.title === title);
      if (rest !== undefined) assert.deepEqual(fact?.rest, rest);
      if (warning)
        assert.ok(
          merged.warnings.some((each) => each.includes(title)),
          title,
        );
    }
    for (const link of links)
      assert.ok(
        relations.some((each) => String(each) === String(link)),
        String(link),
      );
    assert.doesNotMatch(String(observations.get('Redis')?.content), /\r|\ufeff/);
    assert.deepEqual((await memory.inspect()).problems, []);
    const before = await bytesOf(memory);
    await memory.merge(basicMemory.read(folder, {}));
    assert.equal(await bytesOf(memory), before);
  });

  it('[I-1] [I-2] obsidian: names lead to the nearest note, properties are links, a missing one waits for its note', async () => {
    const vault = scratch();
    for (const folder of ['.obsidian', '.trash', 'a', 'b', 'Templates']) mkdirSync(join(vault, folder));
    const put = (file: string, text: string) => writeFileSync(join(vault, file), text);
    put(
      'a/note.md',
      '---\nsupersedes: "[[gone]]"\n---\nSee [[same|that]] and ![[picture.png]].\n```\n[[in code]]\n```\n',
    );
    put('a/same.md', 'in a');
    put('b/same.md', 'in b');
    put('.trash/old.md', 'thrown away');
    put('Templates/day.md', '{{date}}');
    await using memory = await openMemory({ db: ':memory:' });
    const first = await memory.merge(obsidian.read(vault, {}));
    assert.deepEqual([first.observations.new, first.relations.new, first.unresolved.length], [3, 1, 1]);
    const [relation] = await rowsOf(memory, 'relations');
    const near = (await rowsOf(memory, 'observations')).find(({ id }) => id === relation?.toId);
    assert.equal(near?.content, 'in a');
    put('b/gone.md', 'here now');
    const second = await memory.merge(obsidian.read(vault, {}));
    assert.deepEqual([second.observations.new, second.relations.new, second.unresolved], [1, 1, []]);
    assert.deepEqual((await memory.inspect()).problems, []);
  });

  it('[I-2] agents: a section that changed is one revision, and the others stay', async () => {
    const folder = scratch();
    const file = join(folder, 'AGENTS.md');
    writeFileSync(file, '\ufeff# Guide\r\n\r\n## One\r\nfirst\r\n\r\n## Two\r\nsecond\r\n');
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(agents.read(folder, {}));
    writeFileSync(file, '# Guide\n\n## One\nfirst\n\n## Two\nsecond, and more\n');
    const merged = await memory.merge(agents.read(folder, {}));
    assert.deepEqual(merged.observations, { new: 0, changed: 1, same: 1 });
    assert.deepEqual(
      (await rowsOf(memory, 'observationRevisions')).map(({ content }) => content),
      ['second'],
    );
  });

  it('[I-2] agents: front matter that is no YAML stays in the text, and is reported', () => {
    const folder = scratch();
    for (const each of ['.cursor/rules', '.claude/projects/-shop/memory'])
      mkdirSync(join(folder, each), { recursive: true });
    const text = '---\ndescription: [for the API\n---\nUse zod.\n';
    writeFileSync(join(folder, '.cursor', 'rules', 'api.mdc'), text);
    const rules = agents.read(folder, { home: '/none' });
    assert.deepEqual(rules.observations, []);
    const repository = scratch();
    cpSync(join(folder, '.cursor'), join(repository, '.cursor'), { recursive: true });
    const told = agents.read(repository, {});
    assert.deepEqual(
      told.observations.map(({ content }) => content),
      [text.trim()],
    );
    assert.deepEqual(told.warnings, [
      '.cursor/rules/api.mdc: its front matter is no YAML; it is taken as a plain text',
    ]);
    writeFileSync(join(folder, '.claude', 'projects', '-shop', 'memory', 'note.md'), text);
    const notes = agents.read(folder, {});
    assert.deepEqual(
      [notes.observations.map(({ content }) => content), notes.warnings.length],
      [[text.trim()], 1],
    );
  });

  it('[I-1] agents: rules of other editors are instructions, and those of a worktree are not read twice', () => {
    const folder = scratch();
    const files = {
      '.windsurf/rules/style.md': 'Tabs.',
      '.clinerules/tests.md': 'Test first.',
      '.kiro/steering/product.md': 'A shop.',
      '.junie/guidelines.md': 'Small files.',
      '.claude/worktrees/other/CLAUDE.md': 'Another branch.',
      'CLAUDE.md': 'This branch.',
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const { observations } = agents.read(folder, {});
    assert.deepEqual(observations.map(({ title, content }) => [title, content]).sort(), [
      ['CLAUDE.md', 'This branch.'],
      ['guidelines.md', 'Small files.'],
      ['product.md', 'A shop.'],
      ['style.md', 'Tabs.'],
      ['tests.md', 'Test first.'],
    ]);
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
