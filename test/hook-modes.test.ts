import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { gitSettings } from '../src/cli/agents/hook-mode.ts';
import { workbench } from './support/program.ts';

type Bench = ReturnType<typeof workbench>;
const SILENT = { code: 0, stdout: '', stderr: '' };
const PROMPT = 'Which pagination do the listings of bookings use?';

/** A repository with a memory that knows something about {@link PROMPT}, and its hooks. */
async function repository(bench: Bench) {
  const folder = join(bench.folder, 'repository');
  const env = {
    XDG_DATA_HOME: bench.folder,
    PRECEDENT_DB: undefined,
    PRECEDENT_WORKSPACE: undefined,
  };
  git(bench, bench.folder, 'init', '-q', folder);
  await bench.succeed(['tool', 'mama_save', 'api:pagination', 'Listings of bookings use cursor pagination'], {
    cwd: folder,
    env,
  });
  let events = 0;
  const run = (fields: object, more: Record<string, string> = {}, cwd = folder) =>
    bench.run(['hook', 'claude'], {
      stdin: JSON.stringify({ session_id: `${++events}`, cwd, ...fields }),
      env: { ...env, ...more },
      // Of an agent that was started elsewhere.
      cwd: bench.folder,
    });
  return {
    folder,
    start: (env?: Record<string, string>) => run({ hook_event_name: 'SessionStart', source: 'startup' }, env),
    ask: (env?: Record<string, string>, cwd?: string) =>
      run({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT }, env, cwd),
    set: (...args: string[]) => git(bench, folder, 'config', ...args),
    keywords: () => {
      const [{ workspace } = { workspace: '' }] = JSON.parse(
        readFileSync(join(bench.folder, 'precedent', 'repositories.json'), 'utf8'),
      ).repositories as { workspace: string }[];
      const memory = new DatabaseSync(join(bench.folder, 'precedent', `${workspace}.db`), { readOnly: true });
      try {
        return memory.prepare('select name from keywords').all().length;
      } finally {
        memory.close();
      }
    },
    wordsKept: () => {
      const folder = join(bench.folder, 'precedent', 'hooks');
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => Object.keys(JSON.parse(readFileSync(join(folder, name), 'utf8')).words));
    },
    log: () =>
      readFileSync(join(bench.folder, 'precedent', 'hooks.log'), 'utf8')
        .trim()
        .split('\n'),
  };
}

function git(bench: Bench, cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOME: bench.folder, XDG_CONFIG_HOME: '', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

describe('what hooks do', { concurrency: 2 }, () => {
  it('[A-2] recall: they tell, and keep no word of a prompt', async (test) => {
    const { set, ask, keywords, wordsKept } = await repository(workbench(test, 'here'));
    for (const quiet of [{ PRECEDENT_HOOKS: 'recall' }, undefined]) {
      if (!quiet) set('precedent.hooks', 'recall');
      assert.match((await ask(quiet)).stdout, /api:pagination/);
      assert.equal(keywords(), 0);
    }
    assert.deepEqual(wordsKept(), []);
    set('--unset', 'precedent.hooks');
    assert.match((await ask()).stdout, /api:pagination/);
    assert(keywords() > 0 && wordsKept().length > 0);
  });

  it('[A-2] off in one repository, its worktrees and folders, or for the account', async (test) => {
    const bench = workbench(test, 'here');
    const { folder, set, ask, start, wordsKept } = await repository(bench);
    set('precedent.hooks', 'off');
    assert.deepEqual([await ask(), await start()], [SILENT, SILENT]);
    git(
      bench,
      folder,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'a',
    );
    const worktree = join(bench.folder, 'worktree');
    git(bench, folder, 'worktree', 'add', '-q', worktree);
    mkdirSync(join(folder, 'src'));
    for (const cwd of [worktree, join(folder, 'src')]) assert.deepEqual(await ask({}, cwd), SILENT, cwd);
    // The quietest one counts: an archive has settings of its own, and turns nothing on.
    assert.deepEqual(await ask({ PRECEDENT_HOOKS: 'on' }), SILENT);
    git(bench, folder, 'config', '--global', 'precedent.hooks', 'off');
    set('precedent.hooks', 'on');
    assert.deepEqual(await ask(), SILENT);
    set('--unset', 'precedent.hooks');
    assert.deepEqual(await ask(), SILENT);
    git(bench, folder, 'config', '--global', 'precedent.hooks', 'recall');
    set('precedent.hooks', 'on');
    assert.match((await ask()).stdout, /api:pagination/);
    assert.deepEqual(wordsKept(), []);
  });

  it('[A-2] a value that nobody knows counts as on, and is said once a session: to the person, and in the log', async (test) => {
    const { set, ask, start, log } = await repository(workbench(test, 'here'));
    set('precedent.hooks', 'sometimes');
    const { systemMessage, hookSpecificOutput } = JSON.parse(
      (await start({ PRECEDENT_HOOKS: 'perhaps' })).stdout,
    );
    assert.equal(
      systemMessage,
      'Precedent: PRECEDENT_HOOKS is not one of on, recall and off: it counts as on. Precedent: precedent.hooks is not one of on, recall and off: it counts as on.',
    );
    assert.match(hookSpecificOutput.additionalContext, /mama_save/);
    const prompted = (await ask()).stdout;
    assert.match(prompted, /api:pagination/);
    assert.doesNotMatch(prompted, /systemMessage/);
    const [first, second, ...others] = log();
    assert.match(first ?? '', /claude PRECEDENT_HOOKS is not one of on, recall and off/);
    assert.match(second ?? '', /claude precedent\.hooks is not one of/);
    assert.deepEqual(others, []);
  });

  it('[A-2] a setting of git is read as git reads it', (test) => {
    const bench = workbench(test);
    const file = join(bench.folder, '.gitconfig');
    for (const [text, value] of [
      ['[precedent]\n\thooks = off\n', 'off'],
      ['[Precedent]\r\n\tHooks=off ; a comment\r\n', 'off'],
      ['[precedent] hooks = "off"\n', 'off'],
      ['[precedent]\nhooks\n', 'true'],
      ['[precedent]\nhooks =\n', ''],
      ['[precedent]\nhooks = on\n[user]\nname = a\n[precedent]\nhooks = off\n', 'off'],
      ['[precedent "x"]\nhooks = off\n', undefined],
      ['[other]\nhooks = off\n# [precedent]\n', undefined],
      ['[precedent]\n# hooks = off\nhooksy = off\n', undefined],
      ['[precedent', undefined],
    ] as const) {
      writeFileSync(file, text);
      const [found] = gitSettings('precedent.hooks', bench.folder, { HOME: bench.folder });
      assert.equal(found?.value, value, JSON.stringify(text));
      if (text === '[precedent') continue;
      const type = value === 'true' ? ['--type=bool'] : [];
      const args = ['config', '--file', file, '--default', 'none', ...type, '--get', 'precedent.hooks'];
      if (type.length > 0 || value !== undefined)
        assert.equal(git(bench, bench.folder, ...args).trim(), value);
    }
  });
});
