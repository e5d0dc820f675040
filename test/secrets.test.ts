import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { noFacts } from '../src/domain/import/facts.ts';
import type { Memory } from '../src/index.ts';
import { engines, optionsOf, scratch } from './support/engines.ts';
import { filesOf, takeRecords } from './support/exported.ts';
import { workbench } from './support/program.ts';
import { exported, linesOfRows } from './support/stream.ts';

const TOKEN = `${'ghp_'}q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV`;
const MARK = '[masked: GitHub token]';
const masked = (field: string) => `Masked in "${field}", and not stored: 1 GitHub token.`;

/** Saves as a person does who means it. */
const keep = (memory: Memory, name: string, input: object) =>
  memory.call(name, input, undefined, undefined, { keepsSecrets: true });

for (const engine of engines) {
  describe(`secrets, on ${engine.name}`, optionsOf(engine), () => {
    it('[Z-9] the same text with the same secret is the same save', async () => {
      const memory = await engine.open();
      const input = { topic: 'auth:token', decision: `use ${TOKEN}`, evidence: [TOKEN] };
      const first = await memory.mama.save(input);
      assert.deepEqual(first.warnings, [masked('decision'), masked('evidence')]);
      const again = await memory.mama.save(input);
      assert.deepEqual([again.unchanged, again.id, again.evidence], [true, first.id, []]);
      assert.deepEqual(again.warnings, first.warnings);
      const { id } = await memory.mem.save({ title: 't', content: TOKEN, topic_key: 'k' });
      assert.equal((await memory.mem.save({ title: 't', content: TOKEN, topic_key: 'k' })).id, id);
      const found = await memory.mem.getObservation({ id });
      assert.equal(found.content, MARK);
    });

    it('[Z-9] what a person kept on purpose stays, travels byte for byte, and is what the same text means', async () => {
      const memory = await engine.open();
      const input = { topic: 'auth:token', decision: `use ${TOKEN}`, evidence: [`is ${TOKEN}`] };
      const { id, warnings } = (await keep(memory, 'mama_save', input)) as { id: string; warnings: string[] };
      assert.deepEqual(warnings, []);
      await keep(memory, 'mem_save', { title: 't', content: TOKEN });
      const again = await memory.mama.save(input);
      assert.deepEqual([again.unchanged, again.id, again.evidence], [true, id, []]);
      // A version that says nothing new of why keeps the reason of the one before.
      await keep(memory, 'mama_save', { topic: 'why', decision: 'a', reasoning: TOKEN });
      await memory.mama.save({ topic: 'why', decision: 'a', confidence: 0.9 });
      assert.equal((await memory.decision.get({ id: 'why' })).decision.reasoning, TOKEN);

      const lines = await exported(memory);
      assert(lines.join('\n').includes(TOKEN));
      const copy = await engine.open();
      await copy.import(lines);
      assert.deepEqual(linesOfRows(await exported(copy)), linesOfRows(lines));
    });

    it('[Z-9] decision records that were exported from here come back with what was kept on purpose', async () => {
      const memory = await engine.open();
      await keep(memory, 'mama_save', { topic: 'auth:token', decision: `use ${TOKEN}`, evidence: [TOKEN] });
      await memory.mama.save({ topic: 'auth:other', decision: `use ${TOKEN}` });
      const files = await filesOf(memory);
      const copy = await engine.open();
      const { warnings } = (await takeRecords(copy, files)).merged;
      assert.deepEqual(warnings, []);
      assert.deepEqual(await filesOf(copy), files);
      const { decisions } = (await takeRecords(memory, files)).merged;
      assert.deepEqual([decisions.new, decisions.changed], [0, 0]);
    });

    it('[Z-9] what comes from another tool is masked unless a person keeps it; the report says what', async () => {
      const at = Date.UTC(2026, 0, 1);
      const facts = {
        ...noFacts('tool'),
        observations: ['one', 'two'].map((key) => ({
          key,
          at,
          title: key,
          content: `postgres://kim:q8Zt3vLm@db.acme.dev ${TOKEN}`,
          type: 'note',
          project: null,
          scope: 'project',
          topicKey: null,
          rest: { [TOKEN]: [TOKEN] },
        })),
      };
      const memory = await engine.open();
      const { warnings } = await memory.merge(facts);
      assert.deepEqual(warnings, ['Masked, and not stored: 6 GitHub tokens, 2 passwords.']);
      assert(!(await exported(memory)).join('\n').includes('q8Zt3vLm'));
      assert.equal((await memory.merge(facts)).observations.same, 2);
      const other = await engine.open();
      assert.deepEqual((await other.merge(facts, () => {}, { keepsSecrets: true })).warnings, []);
      assert((await exported(other)).join('\n').includes(TOKEN));
    });
  });
}

describe('--keep-secret', () => {
  it('[Z-9] is an option of every command that stores texts, of revise and import, and of no tool', async (test) => {
    const { run, connect } = workbench(test, 'here');
    for (const command of ['tool mama_save', 'decide', 'note', 'memo', 'evidence', 'revise', 'import'])
      assert.match((await run([...command.split(' '), '--help'])).stdout, /--keep-secret/, command);
    for (const command of ['tool mama_search', 'list', 'show'])
      assert.doesNotMatch((await run([...command.split(' '), '--help'])).stdout, /--keep-secret/, command);
    const { client } = await connect({ args: ['--tools', 'all'] });
    assert.doesNotMatch(JSON.stringify(await client.listTools()), /keep.?secret/i);
  });

  it('[Z-9] keeps what a person types, in a batch, an import, a backup and a copy', async (test) => {
    const { run } = workbench(test, 'here');
    const folder = scratch();
    const db = join(folder, 'm.db');
    const saved = await run(['--db', db, 'tool', 'mama_save', 'a:b', TOKEN, '--keep-secret']);
    assert.doesNotMatch(saved.stdout, /Masked/);
    const line = JSON.stringify({ operation: 'mem_save', title: 't', content: `batch ${TOKEN}` });
    await run(['--db', db, 'import', '-', '--keep-secret'], { stdin: line });
    const notes = join(folder, 'notes.jsonl');
    writeFileSync(
      notes,
      JSON.stringify({ type: 'entity', name: 'n', entityType: 'note', observations: [`import ${TOKEN}`] }),
    );
    await run(['--db', db, 'import', '--from', 'server-memory', notes, '--keep-secret']);
    const [backup, other] = [join(folder, 'backup.db'), join(folder, 'other.db')];
    assert.equal((await run(['--db', db, 'backup', backup])).code, 0);
    assert.equal((await run(['--db', other, 'import', db])).code, 0);
    for (const file of [db, backup, other]) {
      const { stdout: text } = await run(['--db', file, 'export', '--format', 'jsonl']);
      for (const what of [TOKEN, `batch ${TOKEN}`, `import ${TOKEN}`])
        assert(text.includes(what), `${file} ${what}`);
    }
  });
});
