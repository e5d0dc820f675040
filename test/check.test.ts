import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { workbench } from './support/program.ts';

describe('precedent check', () => {
  const bench = workbench({ after });
  const top = join(bench.folder, '저장소 1');
  mkdirSync(join(top, 'src'), { recursive: true });
  const dates = { GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' };
  const git = (words: string[], env: Record<string, string> = {}) =>
    execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com', ...words], {
      cwd: top,
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  const commit = (message: string, env = {}) => {
    git(['add', '--all']);
    git(['commit', '--quiet', '--message', message], env);
  };
  /** After all that the memory says, whatever the clock. */
  const later = { GIT_AUTHOR_DATE: '2090-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2090-01-01T00:00:00Z' };
  const run = (...words: string[]) => bench.run(words, { cwd: top });
  for (const file of ['src/세션 a.ts', 'src/other.ts', 'free.md'])
    writeFileSync(join(top, file), `${file}\n`);
  git(['init', '--quiet', '--initial-branch=main']);
  commit('one', later);

  it('[F-5] tells what a branch, a rename and a squash touch; strictly, a lock without a word is an error', async () => {
    for (const words of [
      ['auth:session', 'Sessions end <b>@all</b>', '--strength', 'lock', '--file', 'src/세션*'],
      ['docs:free', 'Free text', '--file', '*.md'],
    ])
      assert.equal((await run('decide', ...words)).code, 0);
    git(['checkout', '--quiet', '-b', 'work']);
    renameSync(join(top, 'src/세션 a.ts'), join(top, 'src/moved.ts'));
    writeFileSync(join(top, 'free.md'), 'changed');
    git(['add', '--all']);
    const staged = await run('check', '--staged', '--strict');
    assert.equal(staged.code, 1, staged.stderr);
    assert.match(
      staged.stdout,
      /auth:session[\s\S]*touched: src\/세션 a\.ts[\s\S]*without a word[\s\S]*docs:free/,
    );
    commit('two', later);
    for (const range of ['main', 'main..work', 'main...HEAD']) {
      assert.equal((await run('check', range)).code, 0, range);
      assert.equal((await run('check', range, '--strict', '--format', 'json')).code, 1, range);
    }
    const { stdout } = await run('check', 'main', '--format', 'markdown');
    assert.match(stdout, /2 decisions for 3 changed files/);
    assert.doesNotMatch(stdout, /<b>|@all/);
    // What main gets meanwhile is not of the change.
    git(['checkout', '--quiet', 'main']);
    writeFileSync(join(top, 'src/other.ts'), 'changed');
    commit('meanwhile', later);
    assert.match((await run('check', 'main..work')).stdout, /2 decisions for 3 changed files/);
    git(['merge', '--quiet', '--squash', 'work']);
    commit('squashed\n\nDecision: auth:session', later);
    assert.match((await run('check', 'work~1..work')).stdout, /2 decisions for 3 changed files/);
    const squashed = await run('check', 'HEAD~1', '--strict');
    assert.equal(squashed.code, 0);
    assert.match(squashed.stdout, /spoken of/);
    assert.match((await run('check')).stdout, /0 decisions for 0 changed files/);
  });

  it('[F-5] a version since the commit that the change starts from is a word', async () => {
    git(['checkout', '--quiet', '--orphan', 'old']);
    writeFileSync(join(top, 'src/세션 b.ts'), 'one');
    commit('one', dates);
    writeFileSync(join(top, 'src/세션 b.ts'), 'two');
    commit('two', dates);
    const { code, stdout } = await run('check', 'HEAD~1', '--strict');
    assert.equal(code, 0);
    assert.match(stdout, /auth:session[\s\S]*spoken of/);
  });

  it('[F-5] refuses what is no range, and an option in its place', async () => {
    for (const wrong of ['nowhere', 'main..--output=x', '한글', '..--octopus']) {
      const { code, stderr } = await run('check', wrong);
      assert.equal(code, 2, wrong);
      assert.match(stderr, /Expected a change that git can tell: .* no common commit/);
    }
  });
});
