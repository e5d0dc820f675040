import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { askGit, askGitAtOnce } from './ask.ts';

/** A git that never answers, and whose time is up at once. @returns what it was asked so far */
function neverAnswering(test: TestContext): string[] {
  const asked: string[] = [];
  const processes = process.getBuiltinModule('node:child_process');
  const questionIn = (words: string[]) => String(words.find((word) => /^(config|rev-list|log)$/.test(word)));
  test.mock.method(
    processes,
    'execFile',
    (_: string, words: string[], __: object, answer: (error: Error) => void) => {
      asked.push(questionIn(words));
      answer(Object.assign(new Error('ended'), { killed: true }));
      return {};
    },
  );
  test.mock.method(processes, 'spawnSync', (_: string, words: string[]) => {
    asked.push(questionIn(words));
    return { error: new Error('ended'), status: null, stdout: Buffer.alloc(0) };
  });
  return asked;
}

describe('git that was too slow in a folder [Z-3]', () => {
  it('is not asked about its history again, and about its settings it is', async (test) => {
    const [folder, asked] = [`${tmpdir()}/history`, neverAnswering(test)];
    const slow = { failure: 'slow' };
    assert.deepEqual(await askGit(folder, 'rev-list', ['--all']), slow);
    assert.deepEqual(askGitAtOnce(folder, 'log', []), slow);
    assert.deepEqual(asked, ['rev-list']);
    assert.deepEqual(await askGit(folder, 'config', ['--list']), slow);
    assert.deepEqual(asked, ['rev-list', 'config']);
    await askGit(`${folder}-2`, 'rev-list', ['--all']);
    assert.equal(asked.length, 3, 'another folder is asked');
  });

  it('is asked nothing any more where it was its settings', async (test) => {
    const [folder, asked] = [`${tmpdir()}/settings`, neverAnswering(test)];
    for (const question of ['config', 'config', 'rev-list'] as const)
      assert.deepEqual(await askGit(folder, question, []), { failure: 'slow' });
    assert.deepEqual(askGitAtOnce(folder, 'log', []), { failure: 'slow' });
    assert.deepEqual(asked, ['config']);
  });
});
