import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import type { Memory } from '../src/index.ts';
import { adr } from '../src/interchange/importers/adr/adr.ts';
import { engines, fixed, optionsOf, scratch } from './support/engines.ts';
import { rowsOf } from './support/facts.ts';
import { commit, git } from './support/machine.ts';

const FILE = 'docs/adr/0002-database.md';

function write(folder: string, says: string, { file = FILE, day = '03' } = {}): void {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(
    join(folder, file),
    `# 2. Database\n\nDate: 2026-01-${day}\n\n## Status\n\nAccepted\n\n## Decision\n\n${says}\n`,
  );
}

function commitAll(folder: string): void {
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  commit(folder, folder);
}

/** A repository with one record. */
function repository(folder: string, says: string): string {
  write(folder, says);
  commitAll(folder);
  return folder;
}

const bring = async (memory: Memory, folder: string) => {
  const { decisions, conflicts, warnings } = await memory.merge(adr.read(folder, {}));
  // Both repositories may say the same, and one of them change it (CC-1).
  const others = warnings.filter((each) => !/may still say what was replaced/.test(each));
  assert.deepEqual([...conflicts, ...others], []);
  return decisions;
};

const NEW = { new: 1, changed: 0, same: 0 };
const CHANGED = { new: 0, changed: 1, same: 0 };
const SAME = { new: 0, changed: 0, same: 1 };

/** What is in force, by topic. */
async function inForce(memory: Memory): Promise<Record<string, string>> {
  const rows = (await rowsOf(memory, 'decisions')).filter(({ isActive }) => isActive === 1);
  return Object.fromEntries(
    rows.map(({ topic, text }): [string, string] => [String(topic), String(text).replace('Database: ', '')]),
  );
}

/** Facts as readers gave them before they knew which repository each is from. */
const asBefore = (facts: Facts): Facts => ({
  ...facts,
  decisions: facts.decisions.map(({ of: _, formerKeys: __, otherTopics: ___, ...fact }) => fact),
});

for (const engine of engines) {
  describe(`records of two repositories that are called alike, on ${engine.name}`, optionsOf(engine), () => {
    it('[SR-6] they are two decisions, at every import, also of what was moved, cloned or changed', async () => {
      const memory = await engine.openFast(fixed());
      const at = scratch();
      const [one, two, other] = ['one', 'two', 'other/two'].map((name) =>
        repository(join(at, name), `Engine of ${name}.`),
      ) as [string, string, string];
      for (const folder of [one, two, other]) assert.deepEqual(await bring(memory, folder), NEW);
      for (const folder of [two, other, one]) assert.deepEqual(await bring(memory, folder), SAME);
      renameSync(one, join(at, 'moved'));
      git(at, 'clone', '--quiet', two, 'cloned');
      assert.deepEqual(await bring(memory, join(at, 'moved')), SAME);
      assert.deepEqual(await bring(memory, join(at, 'cloned', 'docs', 'adr')), SAME);
      write(join(at, 'cloned'), 'Engine of tomorrow.');
      assert.deepEqual(await bring(memory, join(at, 'cloned')), CHANGED);
      const found = await inForce(memory);
      const [third = ''] = Object.keys(found).filter((topic) => /^adr:two-\w{8}\/0002-database$/.test(topic));
      assert.deepEqual(found, {
        'adr:0002-database': 'Engine of one.',
        'adr:two/0002-database': 'Engine of tomorrow.',
        [third]: 'Engine of other/two.',
      });
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.close();
    });

    it('[SR-6] a folder without git is known by its name, and goes on when git comes', async () => {
      const memory = await engine.openFast(fixed());
      const at = scratch();
      const [one, two] = [join(at, 'one'), join(at, 'two')];
      write(one, 'Engine of one.');
      write(two, 'Engine of two.');
      assert.deepEqual(await bring(memory, join(one, 'docs', 'adr')), NEW);
      assert.deepEqual(await bring(memory, join(two, 'docs', 'adr')), NEW);
      assert.deepEqual(await bring(memory, one), SAME);
      for (const folder of [one, two]) {
        commitAll(folder);
        assert.deepEqual(await bring(memory, folder), SAME);
      }
      write(two, 'Engine of tomorrow.');
      assert.deepEqual(await bring(memory, two), CHANGED);
      assert.deepEqual(await inForce(memory), {
        'adr:0002-database': 'Engine of one.',
        'adr:two/0002-database': 'Engine of tomorrow.',
      });
      await memory.close();
    });

    it('[SR-6] what came when sources were not told apart goes on in its chain, and another repository is apart', async () => {
      const memory = await engine.openFast(fixed());
      const at = scratch();
      const [one, two] = [repository(join(at, 'one'), 'Engine of one.'), join(at, 'two')];
      cpSync(one, two, { recursive: true, filter: (path) => !path.endsWith('.git') });
      repository(two, 'Engine of two.');
      assert.deepEqual((await memory.merge(asBefore(adr.read(one, {})))).decisions, NEW);
      assert.deepEqual(await bring(memory, two), NEW);
      assert.deepEqual(await bring(memory, one), SAME);
      write(one, 'Engine of tomorrow.');
      assert.deepEqual(await bring(memory, one), CHANGED);
      assert.deepEqual(await bring(memory, two), SAME);
      assert.deepEqual(await inForce(memory), {
        'adr:0002-database': 'Engine of tomorrow.',
        'adr:two/0002-database': 'Engine of two.',
      });
      await memory.close();
    });

    it('[SR-6] a record that moved in its repository stays in its chain', async () => {
      const memory = await engine.openFast(fixed());
      const at = scratch();
      const one = repository(join(at, 'one'), 'Engine of one.');
      const two = repository(join(at, 'two'), 'Engine of two.');
      for (const folder of [one, two]) await bring(memory, folder);
      renameSync(join(two, 'docs'), join(two, 'doc'));
      write(two, 'Engine of tomorrow.', { file: FILE.replace('docs', 'doc'), day: '04' });
      await bring(memory, two);
      assert.deepEqual(await inForce(memory), {
        'adr:0002-database': 'Engine of one.',
        'adr:two/0002-database': 'Engine of tomorrow.',
      });
      await memory.close();
    });
  });
}
