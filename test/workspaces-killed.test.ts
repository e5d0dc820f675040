import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { machine, refused } from './support/machine.ts';
import { isTried } from './support/part.ts';

/** Machines on which rounds are played at the same time: one that waits for a process does nothing else. */
const AT_ONCE = 4;

/** A memory that a repository has, and whose process is killed while it gets another name and gets its own again. */
async function table(test: TestContext) {
  const { data, run, json, repository } = machine(test, undefined, undefined, 'here');
  const app = repository('app', 'first');
  await json(app, ['tool', 'mem_save', 'saved 0', 'saved', '--workspace', 'one']);
  await json(app, ['workspaces', 'join', 'one']);
  const saved = ['saved 0'];
  const report = join(data, '..', 'calls.json');

  /**
   * @param at the number of the call before which whoever renames it is killed; 0 for none
   * @returns the calls until then, and what is wrong with what is there afterwards
   */
  return async (at: number): Promise<{ calls: string[]; wrong: string[] }> => {
    const from = existsSync(join(data, 'one.db')) ? 'one' : 'two';
    const to = from === 'one' ? 'two' : 'one';
    const { code } = await run(app, ['workspaces', 'rename', from, to], {
      NODE_OPTIONS: `--import=${import.meta.resolve('./support/at-call.js')}`,
      PRECEDENT_TEST_AT_CALL: JSON.stringify({ folder: data, at, report }),
    });
    const calls: string[] = at === 0 ? JSON.parse(readFileSync(report, 'utf8')).calls : [];
    const wrong: string[] = [];
    if ((code === 0) !== (at === 0)) wrong.push(`it ended with ${code}`);
    for (const how of [[], ['--workspace', from]]) {
      const { results } = await json(app, ['tool', 'mem_search', 'saved', '--limit', '50', ...how]);
      const found = results.map(({ title }: { title: string }) => title);
      if (found.sort().join() !== saved.toSorted().join()) wrong.push(`found ${found}`);
    }
    // By its old name first, or by its repository: whoever comes first sets it right.
    for (const how of at % 2 ? [[], ['--workspace', from]] : [['--workspace', from], []]) {
      const text = `saved ${saved.length}`;
      const { stderr } = await json(app, ['tool', 'mem_save', text, 'saved', ...how]);
      saved.push(text);
      if (stderr !== '') wrong.push(stderr);
    }
    const files = readdirSync(data).filter((name) => /\.db$/.test(name));
    if (files.length !== 1) wrong.push(`there are ${files}`);
    const { problems } = await json(app, ['doctor']);
    wrong.push(...problems);
    return { calls, wrong: wrong.map((each) => `before call ${at}: ${each}`) };
  };
}

describe('a memory whose process is killed while it is renamed', () => {
  it('[K-3] [D-9] is found by its repository and by its old name, before whichever call that was', async (test) => {
    const tables = await Promise.all(Array.from({ length: AT_ONCE }, () => table(test)));
    const [first] = tables;
    assert(first);
    const { calls, wrong } = await first(0);
    // Until the lock of the registry is taken, it only reads.
    const begun = calls.findIndex((call) => /^openSync .*\.lock$/.test(call));
    assert(begun > 0, calls.join('\n'));
    const left = calls
      .flatMap((call, index) => (index >= begun && !call.startsWith('prepare') ? [index + 1] : []))
      .filter((_, index) => isTried(index));
    await Promise.all(
      tables.map(async (play) => {
        for (let at = left.shift(); at; at = left.shift()) wrong.push(...(await play(at)).wrong);
      }),
    );
    assert.deepEqual(wrong, []);
  });

  it('[K-3] a name that a refused rename wanted leads nowhere, whatever becomes of both memories', async (test) => {
    const { run, json, folder } = machine(test, undefined, undefined, 'here');
    const here = folder('nowhere');
    for (const name of ['one', 'two'])
      await json(here, ['tool', 'mem_save', name, name, '--workspace', name]);
    refused(await run(here, ['workspaces', 'rename', 'one', 'two']), 4);
    await json(here, ['workspaces', 'remove', 'one', '--yes']);
    const told = refused(await run(here, ['tool', 'mem_search', '--workspace', 'one']), 3);
    assert.match(told, /found none/);
  });
});
