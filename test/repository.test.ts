import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { first } from './support/clock.ts';
import { isTriedOn, optionsOf, postgres, sqlite } from './support/engines.ts';
import { commit, git, gitWith, machine } from './support/machine.ts';
import { SERVER } from './support/postgres.ts';
import { until } from './support/until.ts';

/** A git that has no patience left at once: none of its answers is waited for. */
const IMPATIENT = first(`
  import cp from 'node:child_process';
  import { syncBuiltinESMExports } from 'node:module';
  const { execFile } = cp;
  cp.execFile = (file, args, options, answer) => execFile(file, args, { ...options, timeout: 1 }, answer);
  syncBuiltinESMExports();`);

for (const { engine, db } of [
  { engine: sqlite, db: undefined },
  { engine: postgres, db: SERVER },
]) {
  const here = (test: TestContext) => machine(test, db, undefined, 'here');

  describe(`a repository and its memory, ${engine.name}`, { ...optionsOf(engine), concurrency: 2 }, () => {
    let index = 0;
    /** What decides which memory it is, and not the engine; processes at once, below, meet on each. */
    const alike = (name: string, asserted: (test: TestContext) => Promise<void>) =>
      isTriedOn(engine, index++) && it(name, asserted);

    alike(
      '[TR-5] a folder without git uses the memory of the nearest one above, and says which',
      async (test) => {
        const { folder, save, known, note, workspace, run } = here(test);
        const top = folder('plans');
        const [mid, deep, other] = ['mid', 'mid/deep', 'other'].map((name) => {
          mkdirSync(join(top, name), { recursive: true });
          return join(top, name);
        }) as [string, string, string];
        assert.equal(await note(deep), undefined, 'nothing is there yet');
        await save(top, 'saved above');
        const lent = await workspace(top);
        assert.deepEqual(await known(deep), ['saved above']);
        assert.match(
          (await note(deep)) ?? '',
          new RegExp(`no memory of its own; it uses "${lent}", that of ${top}\\. `),
        );
        await save(deep, 'saved below');
        assert.deepEqual(await known(top), ['saved above', 'saved below']);
        assert.equal(await note(deep), undefined, 'it is said until a save');
        // Neither across a repository, nor where others may write, nor what only has the name of the folder before it.
        git(mid, 'init', '--quiet');
        assert.notEqual(await workspace(mid), lent);
        chmodSync(other, 0o777);
        assert.notEqual(await workspace(other), lent);
        chmodSync(other, 0o755);
        assert.equal(await workspace(other), lent);
        assert.equal((await run(other, ['recall', 'saved'])).code, 0);
        renameSync(top, `${top}-before`);
        mkdirSync(join(top, 'other'), { recursive: true });
        assert.notEqual(await workspace(other), lent);
      },
    );

    alike(
      '[K-1] goes on through git init, first commit, remotes that come, change and go, and a new name of its folder',
      async (test) => {
        const { folder, repository, clone, save, known, note, url } = here(test);
        const app = repository('app');
        await save(app, 'saved before the first commit');
        commit(app, 'first');
        await save(app, 'saved without a remote');
        assert.equal(await note(app), undefined);
        git(app, 'remote', 'add', 'origin', url('app'));
        assert.deepEqual(await known(app), ['saved before the first commit', 'saved without a remote']);
        const changed = /remote of this repository changed; it keeps its memory "app\S*~\w+"/;
        assert.match((await note(app)) ?? '', changed);
        assert.match(await save(app, 'saved with a remote'), changed);
        assert.equal(await save(app, 'saved once more'), '', 'it is said once');
        assert.equal(await note(app), undefined, 'it is learnt');
        git(app, 'remote', 'set-url', 'origin', url('renamed').replace('github', 'gitlab'));
        await save(app, 'saved after it moved to another host');
        git(app, 'remote', 'remove', 'origin');
        const all = await known(app);
        assert.equal(all.length, 5);

        const moved = `${app}-renamed`;
        renameSync(app, moved);
        assert.deepEqual(await known(moved), all);
        const said = /folder was moved here; it keeps its memory "app\S*~\w+"/;
        assert.match((await note(moved)) ?? '', said);
        assert.match(await save(moved, 'saved in the moved folder'), said);
        assert.equal(await note(moved), undefined, 'it is learnt');
        const further = join(folder('elsewhere'), 'app');
        renameSync(moved, further);
        assert.equal((await known(further)).length, 6);

        // Whoever clones from a remote that it had joins it.
        const cloned = clone(further, 'clone', `https://gitlab.com/${url('renamed').split(':')[1]}`);
        assert.equal((await known(cloned)).length, 6);
      },
    );

    alike(
      '[K-1] a change is said with the next answer over MCP too, once in a process, and not in a memo',
      async (test) => {
        const { repository, save, connect, url } = here(test);
        const app = repository('app', 'first');
        await save(app, 'saved');
        git(app, 'remote', 'add', 'origin', url('app'));
        const server = await connect(app);
        const warningsOf = async (...call: Parameters<typeof server.call>) =>
          ((await server.call(...call)) as { warnings?: string[] }).warnings;
        assert.equal(await warningsOf('memo_save', { fullText: 'x', keywords: ['x'] }), undefined, '[M-7]');
        assert.match((await warningsOf('mem_search', { query: 'saved' }))?.join() ?? '', /keeps its memory/);
        assert.equal(await warningsOf('mem_search', { query: 'saved' }), undefined);
        assert.deepEqual(await warningsOf('mama_save', { topic: 'x', decision: 'y' }), []);
      },
    );

    alike(
      '[K-1] is another when another project takes the folder, with a remote and without',
      async (test) => {
        const { repository, save, known, url } = here(test);
        const app = repository('app', 'first of one');
        await save(app, 'saved in one');
        rmSync(join(app, '.git'), { recursive: true });
        repository('app', 'first of two');
        await save(app, 'saved in two');
        assert.deepEqual(await known(app), ['saved in two']);
        // The second goes somewhere else, and a third comes.
        const moved = `${app}-moved`;
        renameSync(app, moved);
        repository('app', 'first of three');
        await save(app, 'saved in three');
        assert.deepEqual([await known(moved), await known(app)], [['saved in two'], ['saved in three']]);
        rmSync(join(app, '.git'), { recursive: true });
        repository('app', 'first of four');
        git(app, 'remote', 'add', 'origin', url('four'));
        assert.deepEqual(await known(app), []);
      },
    );

    alike(
      '[K-1] [Z-2] keeps its memory when it was made before its first commit, moved away, and another one takes its path',
      async (test) => {
        const { repository, save, known } = here(test);
        const app = repository('app');
        await save(app, 'saved in one');
        const moved = `${app}-moved`;
        renameSync(app, moved);
        repository('app');
        assert.deepEqual(await known(app), [], 'it has another memory before anything is saved');
        await save(app, 'saved in two');
        assert.deepEqual([await known(moved), await known(app)], [['saved in one'], ['saved in two']]);
        commit(moved, 'first of one');
        commit(app, 'first of two');
        assert.deepEqual([await known(moved), await known(app)], [['saved in one'], ['saved in two']]);
      },
    );

    alike(
      '[K-1] a starter that is cloned twice makes two memories, and the second is told how to join the first',
      async (test) => {
        const { folder, repository, save, known, run, note, team } = here(test);
        const starter = repository('starter', 'first');
        const [one, two] = [join(folder('1'), `shop-${team}`), join(folder('2'), `blog-${team}`)];
        for (const clone of [one, two]) {
          git(starter, 'clone', '--quiet', '.', clone);
          git(clone, 'remote', 'remove', 'origin');
        }
        await save(one, 'saved in the shop');
        const told =
          /has the same first commit as the one with workspace "(shop\S+)"\. .*: (precedent workspaces join shop[^\s;]+)/;
        const [, , command = ''] = (await note(two))?.match(told) ?? [];
        assert.match(await save(two, 'saved in the blog'), told);
        for (const clone of [one, two]) {
          const { note: kept } = JSON.parse((await run(clone, ['doctor', '--json'])).stdout);
          assert.match(kept, /has the same first commit .*only if their remotes have the same address/);
        }
        assert.equal(
          (await run(two, ['list'])).stderr,
          '',
          'doctor alone says it of a memory that is settled',
        );
        assert.deepEqual(
          [await known(one), await known(two)],
          [['saved in the shop'], ['saved in the blog']],
        );
        const { code, stderr } = await run(two, command.split(' ').slice(1));
        assert.equal(code, 0, stderr);
        assert.deepEqual(await known(two), ['saved in the shop']);
        await save(two, 'saved in the blog, for the shop');
        assert.equal((await known(one)).length, 2);
      },
    );

    alike('[K-1] a fork with another remote has a memory of its own', async (test) => {
      const on = here(test);
      const { folder, repository, save, known, url } = on;
      const app = repository('app', 'first');
      git(app, 'remote', 'add', 'origin', url('app'));
      await save(app, 'saved upstream');
      const fork = join(folder('forks'), 'app');
      git(app, 'clone', '--quiet', '.', fork);
      git(fork, 'remote', 'set-url', 'origin', url('fork'));
      assert.deepEqual(await known(fork), []);
      await save(fork, 'saved in the fork');
      // Even when the fork's remote becomes that of upstream, nobody else's memory changes.
      git(fork, 'remote', 'set-url', 'origin', url('app'));
      await save(fork, 'saved again');
      const moved = `${app}-moved`;
      renameSync(app, moved);
      await save(moved, 'saved upstream again');
      // Not even on a machine that knows nothing but what the server says.
      for (const { clone, known } of db === undefined ? [on] : [on, machine(test, db, on.team, 'here')]) {
        const cloned = clone(moved, 'clone', url('app'));
        assert.deepEqual(await known(cloned), ['saved upstream', 'saved upstream again']);
      }
    });

    alike(
      '[K-1] is one in worktrees and subfolders; a submodule, a copy and a bare repository have their own',
      async (test) => {
        const { folder, repository, save, known } = here(test);
        const app = repository('app', 'first');
        await save(app, 'saved in app');
        const worktree = join(folder('trees'), 'feature');
        git(app, 'worktree', 'add', '--quiet', worktree);
        const deep = join(worktree, 'a', 'b');
        mkdirSync(deep, { recursive: true });
        assert.deepEqual(await known(deep), ['saved in app']);
        await save(deep, 'saved in a worktree');
        assert.equal((await known(app)).length, 2);

        const bare = join(folder('bare'), 'app.git');
        git(app, 'clone', '--quiet', '--bare', '.', bare);
        git(bare, 'remote', 'remove', 'origin');
        const copy = `${app}-copy`;
        cpSync(app, copy, { recursive: true });
        git(app, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bare, 'part');
        for (const other of [bare, copy, join(app, 'part')]) assert.deepEqual(await known(other), [], other);
      },
    );

    alike('[K-1] never runs a git that lies in the repository', async (test) => {
      const { repository, save, known } = here(test);
      const app = repository('app');
      writeFileSync(join(app, 'git'), `#!/bin/sh\ntouch '${join(app, 'it ran')}'\n`, { mode: 0o755 });
      await save(app, 'saved', { PATH: `:.:${process.env.PATH}` });
      assert.equal(existsSync(join(app, 'it ran')), false);
      assert.deepEqual(await known(app), ['saved']);
    });

    alike(
      '[K-1] a read learns nothing, and a registry that cannot be read loses no memory of a remote',
      async (test) => {
        const { repository, save, known, data, registry, url, nameOf } = here(test);
        const app = repository('app', 'first');
        git(app, 'remote', 'add', 'origin', url('app'));
        await known(app);
        assert(!existsSync(join(data, 'repositories.json')));
        await save(app, 'saved in app');
        const before = registry();
        assert.equal(before.repositories[0].workspace, nameOf('app'));
        await known(app);
        assert.deepEqual(registry(), before);
        writeFileSync(join(data, 'repositories.json'), '{ "repositories": [ 1,');
        assert.deepEqual(await known(app), ['saved in app']);
        await save(app, 'saved again');
        assert.equal(registry().repositories.length, 1);
        assert.deepEqual(
          readdirSync(data).filter((name) => /lock|partial/.test(name)),
          [],
        );
      },
    );

    alike(
      '[K-1] git that is missing, slow, or refuses the owner changes nothing for a repository that was saved in',
      async (test) => {
        const { folder, repository, save, known, workspace, url, nameOf } = here(test);
        const [app, other] = [repository('app', 'first'), repository('other', 'first')];
        git(app, 'remote', 'add', 'origin', url('app'));
        await save(app, 'saved with git');
        const missing = { PATH: folder('empty') };
        assert.deepEqual(await known(app, missing), ['saved with git']);
        await save(app, 'saved without git', missing);
        assert.equal((await known(app)).length, 2);

        // Git's own word for a repository that belongs to another user.
        const foreign = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
        assert.throws(() => gitWith(foreign, app, 'rev-parse', 'HEAD'), /dubious ownership/);
        await save(app, 'saved as another user', foreign);
        assert.equal((await known(app, foreign)).length, 3);

        // One that answers late is waited for; one that never does is not.
        const slow = slowGit(folder('slow'));
        const saving = save(app, 'saved with a slow git', slow.env);
        await until(() => existsSync(slow.isAsked));
        slow.answer();
        await saving;
        slow.stop();
        await save(app, 'saved with a git that never answers', { ...slow.env, NODE_OPTIONS: IMPATIENT });
        assert.equal((await known(app)).length, 5);
        assert.equal(await workspace(app), nameOf('app'));

        // The first save in a repository is made without git: it is found again with git, and with a remote.
        await save(other, 'saved in the other', missing);
        assert.notEqual(await workspace(other, missing), 'default');
        git(other, 'remote', 'add', 'origin', url('other'));
        assert.deepEqual(await known(other), ['saved in the other']);
      },
    );

    it('[K-1] processes that save at the moment of a change save into one memory', async (test) => {
      const { repository, save, known, registry, url, nameOf } = here(test);
      const app = repository('app', 'first');
      await save(app, 'saved 0');
      const saving = [1, 2, 3, 4].map((n) => save(app, `saved ${n}`));
      git(app, 'remote', 'add', 'origin', url('app'));
      await Promise.all([...saving, ...[5, 6, 7, 8].map((n) => save(app, `saved ${n}`))]);
      assert.equal((await known(app)).length, 9);
      const { repositories } = registry();
      assert.deepEqual([repositories.length, repositories[0].names], [1, [nameOf('app')]]);
    });

    it('[K-1] processes that save first at once, of a clone each, save into one memory', async (test) => {
      const { repository, clone, save, known, registry, url } = here(test);
      const app = repository('app', 'first');
      const clones = ['one', 'two', 'three'].map((name) => clone(app, name, url('app')));
      await Promise.all(clones.map((clone) => save(clone, `saved in ${clone}`)));
      for (const clone of clones) assert.equal((await known(clone)).length, 3);
      assert.equal(registry().repositories.length, 3);
    });
  });
}

/** A git that answers once it is told to. */
function slowGit(folder: string) {
  const [isAsked, mayAnswer, program] = ['asked', 'answer', 'git'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const path = process.env.PATH ?? '';
  writeFileSync(
    program,
    `#!/bin/sh\nPATH='${path}'\ntouch '${isAsked}'\nwhile [ ! -e '${mayAnswer}' ]; do sleep 0.01; done\nexec git "$@"\n`,
  );
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${path}` },
    isAsked,
    answer: () => writeFileSync(mayAnswer, ''),
    stop: () => rmSync(mayAnswer),
  };
}
