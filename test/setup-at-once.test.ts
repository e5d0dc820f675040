import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { alone } from '../src/cli/agents/alone.ts';
import { locked } from '../src/cli/locked.ts';
import { agentsHome } from './support/agents-home.ts';
import { settle } from './support/until.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const refusal = () => new Error('taken');

/** Takes a lock in a process that is killed while it has it. */
function takeAndDie(file: string): void {
  const take = `const { lock } = await import(${JSON.stringify(import.meta.resolve('../src/store/sqlite/lock.ts'))});
    lock(${JSON.stringify(file)});
    process.kill(process.pid, 'SIGKILL');`;
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', take]);
  assert.deepEqual([signal, existsSync(file)], ['SIGKILL', true]);
}

describe('setup and unsetup at once', POSIX, () => {
  it('[A-1] one begins when the other has ended, well or not', async (test) => {
    const { data } = agentsHome(test);
    const happened: string[] = [];
    let end = (_: Error) => {};
    const first = alone(data, true, () => new Promise((_, reject) => (end = reject)));
    const second = alone(data, false, async () => happened.push('second'));
    await settle();
    assert.deepEqual([happened, readdirSync(data)], [[], ['setup.lock']]);
    end(new Error('it fails'));
    await assert.rejects(first, /it fails/);
    await second;
    assert.deepEqual(happened, ['second']);
    assert.equal(existsSync(join(data, 'setup.lock')), false);
  });

  it('[A-1] what nobody can wait for is refused, and a process that was killed holds nobody up', async (test) => {
    const { data } = agentsHome(test);
    const file = join(data, 'any.lock');
    takeAndDie(file);
    const now = { patience: 0, refusal };
    const held = await locked(file, now, async () => {
      await assert.rejects(
        locked(file, now, () => assert.fail('twice')),
        /taken/,
      );
      return 'killed';
    });
    assert.equal(held, 'killed');
    assert.equal(existsSync(file), false);
  });

  it('[A-1] of several that find a lock left behind at once, one has it at a time', async (test) => {
    const { data } = agentsHome(test);
    const file = join(data, 'any.lock');
    takeAndDie(file);
    let inside = 0;
    const work = async () => {
      assert.equal(++inside, 1);
      await settle();
      inside--;
    };
    const waiting = { patience: 3_600_000, refusal };
    await Promise.all(Array.from({ length: 8 }, () => locked(file, waiting, work)));
    assert.deepEqual(readdirSync(data), []);
  });

  it('[A-1] both commands take the lock, and leave none', async (test) => {
    const { json: answer, data, run } = agentsHome(test);
    for (const command of ['setup', 'unsetup']) {
      const args = [command, 'gemini'];
      takeAndDie(join(data, 'setup.lock'));
      await run([...args, '--dry-run']);
      assert.equal(existsSync(join(data, 'setup.lock')), true, 'nothing is written');
      await answer(args);
      assert.equal(existsSync(join(data, 'setup.lock')), false, command);
    }
  });

  it('[A-1] several at once all do their part, and what is entered is there', async (test) => {
    const { json: answer, run, entered, snapshot } = agentsHome(test);
    const before = snapshot();
    await answer(['setup', 'gemini']);
    const ran = await Promise.all([
      run(['unsetup', 'gemini']),
      ...['claude', 'codex', 'opencode'].map((name) => run(['setup', name])),
    ]);
    for (const { code, stderr, stdout } of ran) assert.equal(code, 0, stderr + stdout);
    assert.equal(existsSync(entered), true);
    await answer(['unsetup']);
    assert.deepEqual(snapshot(), before);
    assert.equal(existsSync(entered), false);
  });

  for (const more of [[], ['--project']])
    it(`[A-1] setup ${more.join('')} where its list cannot be written does nothing, and says so`, async (test) => {
      const { run, put, snapshot } = agentsHome(test);
      // Root may write into any folder, but makes none below a file.
      put('.local', '');
      const before = snapshot();
      const { code, stdout, stderr } = await run(['setup', 'claude', 'gemini', ...more]);
      assert.equal(code, 5);
      assert.match(stderr, /precedent cannot be made \(ENOTDIR\)/);
      assert.doesNotMatch(stdout, /commit|anew/);
      assert.deepEqual(snapshot(), before);
    });

  it('[A-1] shared files that could not be written are not to be committed', async (test) => {
    const { run, put } = agentsHome(test);
    put('project/.mcp.json', '{');
    const { code, stdout } = await run(['setup', 'claude', '--project']);
    assert.equal(code, 4);
    assert.doesNotMatch(stdout, /commit|anew/);
  });
});
