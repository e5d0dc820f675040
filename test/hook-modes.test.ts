import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
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
  const run = (fields: object, cwd = folder) =>
    bench.run(['hook', 'claude'], {
      stdin: JSON.stringify({ session_id: `${++events}`, cwd, ...fields }),
      env,
      // Of an agent that was started elsewhere.
      cwd: bench.folder,
    });
  return {
    folder,
    start: () => run({ hook_event_name: 'SessionStart', source: 'startup' }),
    ask: (cwd?: string) => run({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT }, cwd),
    turn: (...args: string[]) => bench.succeed(args, { cwd: folder, env }),
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
  it('[A-2] off recording: they show, and keep no word of a prompt', async (test) => {
    const { turn, ask, keywords, wordsKept } = await repository(workbench(test, 'here'));
    await turn('off', 'recording');
    assert.match((await ask()).stdout, /api:pagination/);
    assert.equal(keywords(), 0);
    assert.deepEqual(wordsKept(), []);
    await turn('on');
    assert.match((await ask()).stdout, /api:pagination/);
    assert(keywords() > 0 && wordsKept().length > 0);
  });

  it('[A-2] off hooks: silent in one repository, its worktrees and folders, or everywhere', async (test) => {
    const bench = workbench(test, 'here');
    const { folder, turn, ask, start } = await repository(bench);
    assert.match(await turn('off', 'hooks'), /hooks are off here/);
    assert.match(await turn('off', 'hooks'), /was off already/);
    assert.deepEqual([await ask(), await start()], [SILENT, SILENT]);
    const user = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    git(bench, folder, ...user, 'commit', '-q', '--allow-empty', '-m', 'a');
    const worktree = join(bench.folder, 'worktree');
    git(bench, folder, 'worktree', 'add', '-q', worktree);
    mkdirSync(join(folder, 'src'));
    for (const cwd of [worktree, join(folder, 'src')]) assert.deepEqual(await ask(cwd), SILENT, cwd);
    // Commands go on.
    assert.match(await turn('list'), /api:pagination/);
    await turn('on');
    assert.match((await ask()).stdout, /api:pagination/);
    const elsewhere = join(bench.folder, 'elsewhere');
    mkdirSync(elsewhere);
    await turn('off', 'hooks', '--everywhere');
    assert.deepEqual([await ask(), await ask(elsewhere)], [SILENT, SILENT]);
    assert.match(await turn('on'), /! off everywhere; "precedent on --everywhere" turns it on/);
    assert.deepEqual(await ask(), SILENT);
    await turn('on', '--everywhere');
    assert.match((await ask()).stdout, /api:pagination/);
  });

  it('[A-2] [V-6] nothing in a repository turns them on or off', async (test) => {
    const bench = workbench(test, 'here');
    const { folder, turn, ask } = await repository(bench);
    git(bench, folder, 'config', 'precedent.hooks', 'off');
    assert.match((await ask()).stdout, /api:pagination/);
    await turn('off', 'hooks');
    git(bench, folder, 'config', 'precedent.hooks', 'on');
    assert.deepEqual(await ask(), SILENT);
  });
});
