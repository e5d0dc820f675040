import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { optionsOf, postgres } from './support/engines.ts';
import { newWorkspace, query, SERVER } from './support/postgres.ts';
import { workbench } from './support/program.ts';

const GIT = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
const ME = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];

function git(cwd: string, ...args: string[]): string {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(environment), ...GIT };
  return execFileSync('git', [...ME, ...args], { cwd, env, stdio: 'pipe', encoding: 'utf8' }).trim();
}

/** A machine with a home of its own, on which the command line is used in some folder. */
function machine(test: TestContext, db: string | undefined = undefined) {
  const bench = workbench(test);
  const env = { PRECEDENT_DB: db, PRECEDENT_WORKSPACE: undefined, XDG_DATA_HOME: undefined, ...GIT };
  const folder = (name: string) => {
    const path = join(bench.folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const run = (cwd: string, args: string[], more: Record<string, string> = {}) =>
    bench.run([...args, '--json'], { cwd, env: { ...env, ...more } });
  return {
    folder,
    data: join(bench.folder, '.local', 'share', 'precedent'),
    /** Saves in a folder. @returns what was said on standard error */
    async save(cwd: string, text: string, more?: Record<string, string>): Promise<string> {
      const { code, stderr } = await run(cwd, ['mem', 'save', text, text], more);
      assert.equal(code, 0, stderr);
      return stderr;
    },
    /** What is known in a folder, by title, oldest first. */
    async known(cwd: string, more?: Record<string, string>): Promise<string[]> {
      const { stdout, stderr, code } = await run(cwd, ['mem', 'search', 'saved'], more);
      assert.equal(code, 0, stderr);
      const { results } = JSON.parse(stdout) as { results: { id: number; title: string }[] };
      return results.sort((a, b) => a.id - b.id).map(({ title }) => title);
    },
    async workspace(cwd: string, more?: Record<string, string>): Promise<string> {
      const { stdout } = await run(cwd, ['doctor'], more);
      const { workspace, location } = JSON.parse(stdout) as { workspace?: string; location: string };
      return workspace ?? location;
    },
  };
}

function commit(folder: string, message: string): void {
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
}

describe('a repository and its memory', { concurrency: 2 }, () => {
  it('[K-1] goes on through git init, first commit, remotes that come, change and go, and a new name of its folder', async (test) => {
    const { folder, save, known } = machine(test);
    const app = folder('app');
    git(app, 'init', '--quiet');
    await save(app, 'saved before the first commit');
    commit(app, 'first');
    await save(app, 'saved without a remote');
    git(app, 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    assert.deepEqual(await known(app), ['saved before the first commit', 'saved without a remote']);
    assert.match(
      await save(app, 'saved with a remote'),
      /remote of this repository changed; its memory "app~\w+" goes on/,
    );
    assert.equal(await save(app, 'saved once more'), '', 'it is said once');
    git(app, 'remote', 'set-url', 'origin', 'git@gitlab.com:acme/renamed.git');
    await save(app, 'saved after it moved to another host');
    git(app, 'remote', 'remove', 'origin');
    const all = await known(app);
    assert.equal(all.length, 5);

    const moved = `${app}-renamed`;
    renameSync(app, moved);
    assert.deepEqual(await known(moved), all);
    await save(moved, 'saved in the moved folder');
    const further = join(folder('elsewhere'), 'app');
    renameSync(moved, further);
    assert.equal((await known(further)).length, 6);

    // Whoever clones from a remote that it had joins it.
    const clone = folder('clone');
    git(clone, 'init', '--quiet');
    git(clone, 'remote', 'add', 'origin', 'https://gitlab.com/acme/renamed');
    assert.equal((await known(clone)).length, 6);
  });

  it('[K-1] is another when another project takes the folder, with a remote and without', async (test) => {
    const { folder, save, known } = machine(test);
    const app = folder('app');
    for (const turn of ['one', 'two']) {
      git(app, 'init', '--quiet');
      commit(app, `first of ${turn}`);
      await save(app, `saved in ${turn}`);
      assert.deepEqual(await known(app), [`saved in ${turn}`]);
      rmSync(join(app, '.git'), { recursive: true });
    }
    git(app, 'init', '--quiet');
    commit(app, 'first of three');
    git(app, 'remote', 'add', 'origin', 'git@github.com:acme/three.git');
    assert.deepEqual(await known(app), []);
  });

  it('[K-1] a starter that is cloned twice makes two memories, and the second is told of the first', async (test) => {
    const { folder, save, known } = machine(test);
    const starter = folder('starter');
    git(starter, 'init', '--quiet');
    commit(starter, 'first');
    const [one, two] = [join(folder('1'), 'shop'), join(folder('2'), 'blog')];
    for (const clone of [one, two]) {
      git(starter, 'clone', '--quiet', '.', clone);
      git(clone, 'remote', 'remove', 'origin');
    }
    await save(one, 'saved in the shop');
    assert.match(
      await save(two, 'saved in the blog'),
      /began with the same commit as that of workspace "shop~\w+"/,
    );
    assert.deepEqual([await known(one), await known(two)], [['saved in the shop'], ['saved in the blog']]);
  });

  it('[K-1] is one in worktrees and subfolders; a submodule, a copy and a bare repository have their own', async (test) => {
    const { folder, save, known } = machine(test);
    const app = folder('app');
    git(app, 'init', '--quiet');
    commit(app, 'first');
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
  });

  it('[K-1] a read learns nothing, and a registry that cannot be read loses no memory of a remote', async (test) => {
    const { folder, save, known, data } = machine(test);
    const app = folder('app');
    git(app, 'init', '--quiet');
    git(app, 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    await known(app);
    assert(!existsSync(join(data, 'repositories.json')));
    await save(app, 'saved in app');
    const registry = join(data, 'repositories.json');
    const before = readFileSync(registry, 'utf8');
    assert.equal(JSON.parse(before).repositories[0].workspace, 'github.com~acme~app');
    await known(app);
    assert.equal(readFileSync(registry, 'utf8'), before);
    writeFileSync(registry, '{ "repositories": [ 1,');
    assert.deepEqual(await known(app), ['saved in app']);
    await save(app, 'saved again');
    assert.equal(JSON.parse(readFileSync(registry, 'utf8')).repositories.length, 1);
    assert.deepEqual(
      readdirSync(data).filter((name) => /lock|partial/.test(name)),
      [],
    );
  });

  it('[K-1] never runs a git that lies in the repository', async (test) => {
    const { folder, save, known } = machine(test);
    const app = folder('app');
    git(app, 'init', '--quiet');
    writeFileSync(join(app, 'git'), `#!/bin/sh\ntouch '${join(app, 'it ran')}'\n`, { mode: 0o755 });
    const PATH = `:.:${process.env.PATH}`;
    await save(app, 'saved', { PATH });
    assert.equal(existsSync(join(app, 'it ran')), false);
    assert.deepEqual(await known(app), ['saved']);
  });

  it('[K-1] git that is missing, or refuses, changes nothing for a repository that was saved in', async (test) => {
    const { folder, save, known, workspace } = machine(test);
    const [app, other] = [folder('app'), folder('other')];
    for (const each of [app, other]) {
      git(each, 'init', '--quiet');
      commit(each, 'first');
    }
    git(app, 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    await save(app, 'saved with git');
    const without = { PATH: folder('empty') };
    assert.deepEqual(await known(app, without), ['saved with git']);
    await save(app, 'saved without git', without);
    assert.equal((await known(app)).length, 2);
    // The first save in a repository is made without git: it is found again with git, and with a remote.
    await save(other, 'saved in the other', without);
    assert.notEqual(await workspace(other, without), 'default');
    git(other, 'remote', 'add', 'origin', 'git@github.com:acme/other.git');
    assert.deepEqual(await known(other), ['saved in the other']);
  });

  it('[K-1] processes that save at the moment of a change save into one memory', async (test) => {
    const { folder, save, known, data } = machine(test);
    const app = folder('app');
    git(app, 'init', '--quiet');
    commit(app, 'first');
    await save(app, 'saved 0');
    const saving = [1, 2, 3, 4].map((n) => save(app, `saved ${n}`));
    git(app, 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    await Promise.all([...saving, ...[5, 6, 7, 8].map((n) => save(app, `saved ${n}`))]);
    assert.equal((await known(app)).length, 9);
    const { repositories } = JSON.parse(readFileSync(join(data, 'repositories.json'), 'utf8'));
    assert.deepEqual([repositories.length, repositories[0].names], [1, ['github.com~acme~app']]);
  });

  it('[K-1] goes on in a PostgreSQL too', optionsOf(postgres), async (test) => {
    const { folder, save, known, workspace } = machine(test, SERVER);
    const app = folder(newWorkspace());
    git(app, 'init', '--quiet');
    commit(app, 'first');
    await save(app, 'saved without a remote');
    git(app, 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    await save(app, 'saved with a remote');
    assert.equal((await known(app)).length, 2);
    const name = await workspace(app);
    await query(`drop schema "${name}" cascade`);
  });
});
