import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { learnRepository } from '../src/cli/repository/learn.ts';
import { changeRegistry, withEntry } from '../src/cli/repository/registry.ts';
import { findRepositoryMemory } from '../src/cli/repository/repository.ts';
import { unusualIn } from '../src/git/ordinary.ts';
import * as questions from '../src/git/questions.ts';
import { commit, git } from './support/machine.ts';

const URL = 'git@github.com:acme/secret.git';
const NAME = 'github.com~acme~secret';

/** A machine without memories: folders to work in, and what each memory keeps. */
function machine(test: TestContext) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-claims-')));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const kept = new Map<string, Set<string>>();
  const home = { where: data, db: undefined, dataFolder: data };
  const inside = (...names: string[]) => join(folder, ...names);
  const look = async (cwd: string) => {
    const found = await findRepositoryMemory(cwd, home, {
      ...questions,
      keptBy: async ({ workspace }) => [...(kept.get(workspace) ?? [])],
      remember: (dataFolder, found) => changeRegistry(dataFolder, withEntry(found, found)),
    });
    assert(found);
    return found;
  };
  const memoryOf = (workspace: string) => ({
    workspace,
    async firstCommits(add: string[] = []) {
      kept.set(workspace, new Set([...(kept.get(workspace) ?? []), ...add]));
      mkdirSync(data, { recursive: true });
      writeFileSync(join(data, `${workspace}.db`), '');
      return [...(kept.get(workspace) ?? [])];
    },
  });
  return {
    inside,
    kept,
    look,
    /** Saves in a folder. @returns the name of its memory */
    async save(cwd: string): Promise<string> {
      const found = await look(cwd);
      const memory = memoryOf(found.workspace);
      await memory.firstCommits();
      await learnRepository(memory, found);
      return found.workspace;
    },
    /** Says that a folder has a memory, as `workspaces join` does. */
    join: async (cwd: string, workspace: string) =>
      learnRepository(memoryOf(workspace), await look(cwd), true),
    /** What a hook is led to, which asks neither git nor a memory. */
    hurried: async (cwd: string) => (await findRepositoryMemory(cwd, home))?.workspace,
    repository(name: string, message: string | undefined, url?: string, ...options: string[]): string {
      const path = inside(name);
      mkdirSync(path);
      git(path, 'init', '--quiet', '--initial-branch=master', ...options);
      if (message !== undefined) commit(path, message);
      if (url !== undefined) git(path, 'remote', 'add', 'origin', url);
      return path;
    },
    clone(from: string, name: string, url: string, ...options: string[]): string {
      const path = inside(name);
      git(from, 'clone', '--quiet', ...options, options.includes('--shared') ? from : `file://${from}`, path);
      git(path, 'remote', 'set-url', 'origin', url);
      return path;
    },
    registry: () => readFileSync(join(data, 'repositories.json'), 'utf8'),
  };
}

describe("a remote's name is a claim, which first commits bear out [Z-2]", () => {
  it('a clone is led to the memory by any form of its URL, is told so once, and hooks know it then', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    assert.equal(await on.save(app), NAME);
    for (const [name, url] of [
      ['over-https', 'https://github.com/acme/secret'],
      ['over-ssh', 'ssh://git@github.com:22/acme/secret.git'],
    ] as const) {
      const clone = on.clone(app, name, url);
      assert.notEqual(await on.hurried(clone), NAME, 'a hook looks nothing up');
      const { workspace, note } = await on.look(clone);
      assert.deepEqual(
        [workspace, note],
        [NAME, `This repository uses the memory "${NAME}", which its remote names.`],
      );
      assert.deepEqual(
        [await on.hurried(clone), (await on.look(clone)).note],
        [NAME, undefined],
        'remembered by a read',
      );
    }
  });

  it('another project that only says so is not led there: neither in its first look nor after a save', async (test) => {
    const on = machine(test);
    await on.save(on.repository('app', 'first', URL));
    const strangers = on.repository('strangers', 'another first', URL);
    const { workspace, note } = await on.look(strangers);
    assert.match(workspace, /^strangers~/);
    assert.match(
      note ?? '',
      /names the memory "github\.com~acme~secret", which was not opened: .* has none of the first commits of this repository.*precedent workspaces join github\.com~acme~secret; in CI: PRECEDENT_WORKSPACE=github\.com~acme~secret/,
    );
    assert.notEqual(await on.hurried(strangers), NAME);
    assert.match(await on.save(strangers), /^strangers~/);
    assert.equal((await on.look(strangers)).note?.includes('not opened'), undefined, 'it is settled');
    assert.equal(on.kept.get(NAME)?.size, 1, 'and adds nothing to that memory');
  });

  it('what cannot be checked is not led there, and says why', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    commit(app, 'second');
    await on.save(app);
    const foreign = on.clone(app, 'foreign', URL);
    const cases: [string, RegExp][] = [
      [on.clone(app, 'shallow', URL, '--depth=1'), /it is a shallow clone/],
      [on.clone(app, 'shared', URL, '--shared'), /keeps its objects in another folder/],
      [on.repository('unborn', undefined, URL), /it has no commit yet/],
    ];
    if (process.getuid?.() === 0) {
      execFileSync('chown', ['-R', '12345', foreign]);
      const { workspace, note } = await on.look(foreign);
      assert.match(workspace, /^foreign~/);
      assert.equal(note, undefined, 'git does not even say what its remote is');
    }
    for (const [folder, why] of cases) {
      const { workspace, note } = await on.look(folder);
      assert.notEqual(workspace, NAME, folder);
      assert.match(note ?? '', why);
      await on.save(folder);
      assert.notEqual((await on.look(folder)).workspace, NAME);
    }
    const learnt = JSON.parse(on.registry()).repositories as { workspace: string; names: string[] }[];
    for (const { workspace, names } of learnt)
      assert.deepEqual(names, workspace === NAME ? [NAME] : [], workspace);
    // What a person says holds for good, in a hook too.
    const shallow = cases[0]?.[0] ?? '';
    await on.join(shallow, NAME);
    assert.deepEqual([(await on.look(shallow)).workspace, await on.hurried(shallow)], [NAME, NAME]);
  });

  it('all first commits count, over all branches: orphans, merged histories, and those of SHA-256', async (test) => {
    for (const options of [[], ['--object-format=sha256']]) {
      const on = machine(test);
      const app = on.repository('app', 'first', URL, ...options);
      git(app, 'checkout', '--quiet', '--orphan', 'pages');
      commit(app, 'first of the pages');
      git(app, 'checkout', '--quiet', 'master');
      const orphan = on.clone(app, 'pages', URL, '--single-branch', '--branch', 'pages');
      await on.save(app);
      assert.equal(on.kept.get(NAME)?.size, 2);
      assert.equal((await on.look(orphan)).workspace, NAME);
      git(app, 'merge', '--quiet', '--allow-unrelated-histories', '--no-edit', 'pages');
      assert.equal((await on.look(on.clone(app, 'merged', URL))).workspace, NAME);
    }
  });

  it('a starter with one first commit and two remotes makes two memories; a fork has its own', async (test) => {
    const on = machine(test);
    const starter = on.repository('starter', 'first');
    const shop = on.clone(starter, 'shop', 'https://github.com/acme/shop');
    const blog = on.clone(starter, 'blog', 'https://github.com/acme/blog');
    assert.equal(await on.save(shop), 'github.com~acme~shop');
    const { workspace, note } = await on.look(blog);
    assert.equal(workspace, 'github.com~acme~blog');
    assert.match(note ?? '', /has the same first commit as the one with workspace "github\.com~acme~shop"/);
  });

  it('a clone in which history was replaced or grafted for reading is still a clone', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    await on.save(app);
    const [first = ''] = on.kept.get(NAME) ?? [];
    const replaced = on.clone(app, 'replaced', URL);
    const grafted = on.clone(app, 'grafted', URL);
    for (const folder of [replaced, grafted]) {
      git(folder, 'checkout', '--quiet', '--orphan', 'older');
      commit(folder, 'history from before');
      const older = git(folder, 'rev-parse', 'HEAD');
      git(folder, 'checkout', '--quiet', 'master');
      git(folder, 'branch', '--quiet', '--delete', '--force', 'older');
      if (folder === replaced) git(folder, 'replace', '--graft', first, older);
      else writeFileSync(join(folder, '.git', 'info', 'grafts'), `${first} ${older}\n`);
      assert.equal((await on.look(folder)).workspace, NAME, folder);
    }
  });

  it('replacements, grafts and a forged object lend nobody the first commit of another', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    await on.save(app);
    const [first = ''] = on.kept.get(NAME) ?? [];
    const path = (folder: string, id: string) => join(folder, '.git', 'objects', id.slice(0, 2), id.slice(2));
    for (const forge of [
      (folder: string, own: string) => git(folder, 'replace', '--graft', own, first),
      (folder: string, own: string) => {
        mkdirSync(join(folder, '.git', 'info'), { recursive: true });
        writeFileSync(join(folder, '.git', 'info', 'grafts'), `${own} ${first}\n`);
      },
      (folder: string, own: string) => {
        mkdirSync(join(path(folder, first), '..'), { recursive: true });
        cpSync(path(folder, own), path(folder, first));
        writeFileSync(join(folder, '.git', 'refs', 'heads', 'forged'), `${first}\n`);
      },
    ]) {
      const folder = on.repository(
        `forged-${readdirSync(on.inside('.')).length}`,
        `of a stranger ${forge}`,
        URL,
      );
      try {
        forge(folder, git(folder, 'rev-parse', 'HEAD'));
      } catch {
        // Git refuses to name what is not there.
      }
      assert.notEqual((await on.look(folder)).workspace, NAME, String(forge));
    }
  });

  it('a link to the objects, the references or the folder of another repository proves nothing', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    await on.save(app);
    const outwards: Record<string, (folder: string) => void> = {
      objects: (folder) => {
        rmSync(join(folder, '.git', 'objects'), { recursive: true });
        symlinkSync('../../app/.git/objects', join(folder, '.git', 'objects'));
      },
      'one folder of objects': (folder) => {
        for (const name of readdirSync(join(app, '.git', 'objects')).filter((each) => each.length === 2))
          if (!existsSync(join(folder, '.git', 'objects', name)))
            symlinkSync(`../../../app/.git/objects/${name}`, join(folder, '.git', 'objects', name));
      },
      alternates: (folder) =>
        writeFileSync(join(folder, '.git', 'objects', 'info', 'alternates'), '../../../app/.git/objects\n'),
    };
    for (const [what, link] of Object.entries(outwards)) {
      const folder = on.repository(what.replaceAll(' ', '-'), 'of a stranger', URL);
      link(folder);
      rmSync(join(folder, '.git', 'refs'), { recursive: true });
      symlinkSync('../../app/.git/refs', join(folder, '.git', 'refs'));
      assert.notEqual((await on.look(folder)).workspace, NAME, what);
    }
    const pointing: Record<string, (folder: string) => void> = {
      'a file': (folder) => writeFileSync(join(folder, '.git'), 'gitdir: ../app/.git\n'),
      'a link': (folder) => symlinkSync('../app/.git', join(folder, '.git')),
      'a worktree': (folder) => {
        git(app, 'worktree', 'add', '--quiet', on.inside('tree'));
        writeFileSync(join(folder, '.git'), 'gitdir: ../app/.git/worktrees/tree\n');
      },
      'a folder that shares': (folder) => {
        mkdirSync(join(folder, '.git'));
        writeFileSync(join(folder, '.git', 'commondir'), '../../app/.git\n');
      },
    };
    for (const [what, point] of Object.entries(pointing)) {
      const folder = on.inside(`pointing-${what.replaceAll(' ', '-')}`);
      mkdirSync(folder);
      point(folder);
      const { workspace, note } = await on.look(folder);
      assert.match(workspace, /^pointing-/, what);
      assert.match(note ?? '', /points to a repository that does not point back/, what);
      assert.match((await on.hurried(folder)) ?? '', /^pointing-/);
    }
    assert.equal((await on.look(on.inside('tree'))).workspace, NAME, 'a real worktree is part of it');
  });

  it('a folder in a work tree that looks like a bare repository is none', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    const docs = join(app, 'docs');
    for (const name of ['objects', 'refs']) mkdirSync(join(docs, name), { recursive: true });
    writeFileSync(join(docs, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(docs, 'config'), '[remote "origin"]\n url = https://github.com/acme/other\n');
    assert.equal((await on.look(docs)).workspace, (await on.look(app)).workspace);
  });

  it('a folder around a repository is no part of it, and git finds none above a path with a colon', async (test) => {
    const on = machine(test);
    const source = on.repository('source', 'first', URL);
    await on.save(source);
    const around = on.inside('around');
    mkdirSync(join(around, 'tools'), { recursive: true });
    on.clone(source, join('around', 'bank'), URL);
    assert.equal((await on.look(join(around, 'bank'))).workspace, NAME);
    for (const point of [
      () => writeFileSync(join(around, '.git'), 'gitdir: bank/.git\n'),
      () => symlinkSync('bank/.git', join(around, '.git')),
    ]) {
      rmSync(join(around, '.git'), { force: true });
      point();
      assert.match((await on.look(join(around, 'tools'))).workspace, /^around~/);
      assert.match((await on.hurried(join(around, 'tools'))) ?? '', /^around~/);
    }
    const vendored = join(source, 'vend:or', 'h');
    for (const name of ['objects', 'refs']) mkdirSync(join(vendored, '.git', name), { recursive: true });
    assert.notEqual((await on.look(vendored)).workspace, NAME);
  });

  it('no remote names a memory that belongs to no repository', async (test) => {
    const on = machine(test);
    for (const url of ['https://default/', 'ssh://default', 'git@default:', 'file:///default']) {
      const name = `of-${url.replaceAll(/\W/g, '')}`;
      assert.match(await on.save(on.repository(name, url, url)), /^of-\w+~[0-9a-f]{8}$/, url);
    }
  });

  it('[Z-3] git is not asked where it would wait for a pipe or read without an end', (test) => {
    const on = machine(test);
    const ordinary = join(on.repository('ordinary', 'first'), '.git');
    git(join(ordinary, '..'), 'worktree', 'add', '--quiet', on.inside('other'));
    const gitFolder = (name: string) => {
      cpSync(ordinary, on.inside(name), { recursive: true });
      return on.inside(name);
    };
    assert.equal(unusualIn(ordinary), undefined);
    const [root = ''] = git(join(ordinary, '..'), 'rev-list', '--all').split('\n');
    for (const name of [
      'config',
      'HEAD',
      'packed-refs',
      'refs/heads/trap',
      'config.worktree',
      `objects/${root.slice(0, 2)}/${root.slice(2)}`,
      'objects/pack/pack-1.idx',
      'objects/pack/multi-pack-index',
      'objects/info/commit-graph',
      'objects/info/commit-graphs/commit-graph-chain',
      'objects/info/alternates',
      'reftable/tables.list',
      'worktrees/other/HEAD',
      'worktrees/other/refs/bisect/bad',
      'worktrees/link',
    ]) {
      const folder = gitFolder(name.replaceAll('/', '-'));
      const file = join(folder, name);
      mkdirSync(join(file, '..'), { recursive: true });
      for (const trap of [() => symlinkSync('/dev/zero', file), () => execFileSync('mkfifo', [file])]) {
        rmSync(file, { force: true });
        trap();
        const what = unusualIn(folder) ?? '';
        assert.match(what, /a (link|named pipe) at .*git is not asked until you remove that/);
        assert(what.includes(name), what);
      }
    }
    const loop = gitFolder('loop');
    symlinkSync('.', join(loop, 'refs', 'heads', 'a'));
    assert.match(unusualIn(loop) ?? '', /a link at refs\/heads\/a/);
    const deep = gitFolder('deep');
    mkdirSync(join(deep, 'refs', 'tags', ...Array.from({ length: 200 }, () => 'd')), { recursive: true });
    assert.match(unusualIn(deep) ?? '', /more than 64 levels/);
    const large = gitFolder('large');
    writeFileSync(join(large, 'config'), '#'.repeat(2 * 1024 * 1024));
    assert.match(unusualIn(large) ?? '', /at most 1 MB/);
    // What git does not read may be anything: people link hooks, and git itself keeps a socket there.
    symlinkSync('/dev/zero', join(ordinary, 'fsmonitor--daemon.ipc'));
    rmSync(join(ordinary, 'hooks'), { recursive: true });
    symlinkSync('../hooks', join(ordinary, 'hooks'));
    assert.equal(unusualIn(ordinary), undefined);
  });

  it('[Z-3] git is asked where its settings include files, and not where they include something else', (test) => {
    const on = machine(test);
    const top = on.repository('app', 'first');
    const [folder, config] = [join(top, '.git'), join(top, '.git', 'config')];
    const before = readFileSync(config, 'utf8');
    const includes = (text: string) => {
      writeFileSync(config, `${before}${text}\n`);
      return unusualIn(folder);
    };
    execFileSync('mkfifo', [on.inside('app', 'pipe')]);
    writeFileSync(on.inside('app', 'file'), '[user]\n\tname = x\n');
    writeFileSync(on.inside('app', 'again'), '[include]\npath=pipe\n');
    writeFileSync(on.inside('app', 'loop'), '[include]\npath=loop\n');
    for (const text of [
      '[include]\n\tpath = ../file',
      '[include]\r\n\tpath = "../file" ; why\r',
      '[includeIf "gitdir:~/"]\n\tpath = ../nothing # why',
      `[include]path = ${on.inside('app', 'file')}`,
      '[include]\n\tpath = ~/.nothing-of-this-name',
      '[alias]\n\tpath = ../pipe',
    ])
      assert.equal(includes(text), undefined, text);
    for (const text of [
      '[include]\n\tpath = ../pipe',
      '[Include]PATH=../pipe',
      '[a] [include] path=../pipe',
      '[include]\n\tpath = "../pipe" # why',
      '[include]\n\tpath = ../pi"pe"',
      '[include]\n\tpath = ../pi\\\npe',
      '[include]\n\tpath = ../pipe\0x',
      '[include]\n\tpath = ../file\u00a0',
      '[include]\n\tpath = ~root/pipe',
      '[include]\n\tpath = %(prefix)/pipe',
      '[include]\n\tpath = ..',
      '[include]\n\tpath = /dev/zero',
      '[includeIf "onbranch:main"]\n\tpath = ../pipe',
      '[include]\n\tpath = ../again',
      '[include]\n\tpath = ../loop',
    ])
      assert.match(includes(text) ?? '', /include|not a regular file/, text);
  });

  it('a history that was written anew is told so, and joined by what a person says', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    await on.save(app);
    git(app, 'checkout', '--quiet', '--orphan', 'anew');
    commit(app, 'all of it, without the secret');
    git(app, 'branch', '--quiet', '--delete', '--force', 'master');
    git(app, 'reflog', 'expire', '--expire=now', '--all');
    git(app, 'gc', '--quiet', '--prune=now');
    const { workspace, note } = await on.look(app);
    assert.notEqual(workspace, NAME);
    assert.match(note ?? '', /This folder had the memory "github\.com~acme~secret"/);
    assert.notEqual(await on.hurried(app), NAME);
    await on.join(app, NAME);
    assert.deepEqual([(await on.look(app)).workspace, await on.hurried(app)], [NAME, NAME]);
    assert.equal(
      (await on.look(on.clone(app, 'clone', URL))).workspace,
      NAME,
      'the memory keeps the new ones',
    );
  });

  it('an archive that is unpacked over a repository is noticed, though the old objects are left', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    await on.save(app);
    assert.equal((await on.look(app)).workspace, NAME);
    const other = on.repository('other', 'of a stranger');
    commit(app, 'second');
    assert.equal((await on.look(app)).workspace, NAME);
    const [first = ''] = git(app, 'rev-list', '--max-parents=0', '--all').split('\n');
    cpSync(join(other, '.git'), join(app, '.git'), { recursive: true });
    git(app, 'cat-file', '-e', first);
    const { workspace, note } = await on.look(app);
    assert.notEqual(workspace, NAME);
    assert.match(note ?? '', /its history now has other first commits/);
    assert.notEqual(await on.hurried(app), NAME, 'a hook knows it from then on');
  });

  it('two projects that had the same path, or none of git, never meet in one memory', async (test) => {
    const on = machine(test);
    const app = on.repository('app', undefined);
    const before = await on.save(app);
    renameSync(app, on.inside('moved'));
    const next = on.repository('app', undefined);
    assert.notEqual(
      await on.save(next),
      before,
      'made before its first commit, moved away, and another in its path',
    );
    assert.equal((await on.look(on.inside('moved'))).workspace, before);

    const notes = on.inside('notes');
    mkdirSync(notes);
    const own = await on.save(notes);
    assert.match(own, /^notes~[0-9a-f]{8}$/);
    writeFileSync(join(notes, 'a.md'), 'x');
    renameSync(notes, on.inside('notes-moved'));
    assert.equal((await on.look(on.inside('notes-moved'))).workspace, own);
    mkdirSync(notes);
    assert.notEqual((await on.look(notes)).workspace, own);
    cpSync(on.inside('notes-moved'), on.inside('here'), { recursive: true });
    assert.notEqual((await on.look(on.inside('here'))).workspace, own);
  });

  it('a copy of a repository is a clone of it where it has a remote', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', URL);
    await on.save(app);
    cpSync(app, on.inside('here'), { recursive: true });
    assert.equal((await on.look(on.inside('here'))).workspace, NAME);
  });

  it('two memories that have the name are both named, and none is chosen', async (test) => {
    const on = machine(test);
    const app = on.repository('app', 'first', 'https://github.com/acme/before');
    const other = on.clone(app, 'other', 'https://github.com/acme/other');
    for (const folder of [app, other]) {
      await on.save(folder);
      git(folder, 'remote', 'set-url', 'origin', URL);
      await on.save(folder);
    }
    const { workspace, note } = await on.look(on.clone(app, 'third', URL));
    assert.match(workspace, /^third~/);
    assert.match(note ?? '', /"github\.com~acme~before" and "github\.com~acme~other" both have that name/);
  });
});
