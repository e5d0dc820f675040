import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { filesOf, numberOf } from '../src/interchange/exporters/madr/files.ts';
import { workbench } from './support/program.ts';

/** Two people with a memory and a clone each, who share one record: "db", decided by the first. */
async function together(test: TestContext) {
  const bench = workbench(test, 'here');
  const git = (folder: string, ...args: string[]) => {
    const as = ['-c', 'user.name=n', '-c', 'user.email=n@example.com', '-c', 'init.defaultBranch=main'];
    const env = { ...process.env, HOME: bench.folder, GIT_CONFIG_NOSYSTEM: '1' };
    const { status, stdout, stderr } = spawnSync('git', [...as, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `git ${args.join(' ')}: ${stdout}${stderr}`);
  };
  git(bench.folder, 'init', '--quiet', '--bare', 'shared.git');
  const person = (name: string) => {
    git(bench.folder, 'clone', '--quiet', 'shared.git', name);
    const clone = join(bench.folder, name);
    const records = join(clone, 'docs', 'decisions');
    const call = (...args: string[]) =>
      bench.succeed(['--db', join(bench.folder, `${name}.db`), ...args], { cwd: clone });
    return {
      push: () => git(clone, 'push', '--quiet', 'origin', 'HEAD:main'),
      /** Merges what the other one pushed; a conflict fails the test. */
      pull: () => git(clone, 'pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main'),
      decide: (topic: string, text: string) => call('decide', topic, text),
      read: () => call('import', '--from', 'adr', records),
      /** Writes the records out, and commits them. */
      share: async () => {
        await call('export', '--format', 'madr', records);
        git(clone, 'add', '--all');
        git(clone, 'commit', '--quiet', '--allow-empty', '--message', name);
      },
      files: () =>
        Object.fromEntries(
          (existsSync(records) ? readdirSync(records) : [])
            .sort()
            .map((file) => [file, readFileSync(join(records, file), 'utf8')]),
        ),
    };
  };
  const kim = person('kim');
  await kim.decide('db', 'PostgreSQL');
  await kim.share();
  kim.push();
  const lee = person('lee');
  await lee.read();
  return { kim, lee };
}

describe('two people who export decision records into one repository', () => {
  it('[Y-10] both replace one decision and merge without a conflict; the numbers are settled by rule', async (test) => {
    const { kim, lee } = await together(test);
    await kim.decide('db', 'SQLite for one person');
    await lee.decide('db', 'Rows on one server');
    await lee.decide('queue', 'A table');
    for (const each of [kim, lee]) await each.share();
    kim.push();
    lee.pull();
    assert.deepEqual(Object.keys(lee.files()), [
      '0001-postgresql.md',
      '0002-rows-on-one-server.md',
      '0002-sqlite-for-one-person.md',
      '0003-a-table.md',
    ]);
    // Both settle it apart from each other, and once more: the later one of the number takes the next free one.
    lee.push();
    kim.pull();
    for (const each of [kim, lee]) {
      await each.read();
      await each.share();
    }
    const settled = lee.files();
    assert.deepEqual(Object.keys(settled), [
      '0001-postgresql.md',
      '0002-sqlite-for-one-person.md',
      '0003-a-table.md',
      '0004-rows-on-one-server.md',
    ]);
    assert.deepEqual(kim.files(), settled);
    assert.match(settled['0004-rows-on-one-server.md'] ?? '', /^supersedes:\n {2}- 0002-sqlite/m);
    lee.push();
    kim.pull();
    assert.deepEqual(kim.files(), settled);
    await kim.read();
    await kim.decide('cache', 'None');
    await kim.share();
    assert.deepEqual(Object.keys(kim.files()), [...Object.keys(settled), '0005-none.md']);
    for (const [file, text] of Object.entries(settled)) assert.equal(kim.files()[file], text);
  });

  it('[Y-10] names do not depend on the order in which records came, and what is saved later changes none', () => {
    const record = fc.record({ id: fc.uuid(), number: fc.integer({ min: 1, max: 6 }), at: fc.nat(3) });
    const records = fc.uniqueArray(record, { selector: ({ id }) => id, minLength: 1, maxLength: 9 });
    const order = fc.array(fc.nat(), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(records, order, fc.nat(4), (all, weights, later) => {
        const named = (list: typeof all, more = 0) => {
          const own = Array.from({ length: more }, (_, index) => ({ id: `own ${index}`, number: 0, at: 0 }));
          const versions = [...list, ...own].map(({ id, at }, index) =>
            told({ seq: index, id, createdAt: at }),
          );
          const kept = new Map(list.map(({ number, id }, index) => [index, `000${number}-${id}.md`]));
          return filesOf(versions, kept);
        };
        const files = named(all);
        assert.equal(new Set([...files.values()].map(numberOf)).size, all.length);
        const weightOf = new Map(all.map(({ id }, index) => [id, weights[index] ?? 0]));
        const moved = all.toSorted((a, b) => (weightOf.get(a.id) ?? 0) - (weightOf.get(b.id) ?? 0));
        const [other, grown] = [named(moved), named(all, later)];
        for (const [id, file] of files) assert.deepEqual([other.get(id), grown.get(id)], [file, file]);
        assert.equal(new Set([...grown.values()].map(numberOf)).size, all.length + later);
      }),
    );
  });
});

/** A version that nothing else is known of. */
const told = (version: { seq: number; id: string; createdAt: number }) => ({
  rootId: version.id,
  version: 1,
  topic: null,
  basedOn: null,
  beginning: 'x',
  isActive: 1 as const,
  withdrawn: 0 as const,
  isMistake: 0 as const,
  isChosen: 1 as const,
  ...version,
});
