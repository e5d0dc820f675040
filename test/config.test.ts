import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { devNull, homedir } from 'node:os';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { findPlace } from '../src/cli/place.ts';
import { PrecedentError } from '../src/domain/error.ts';
import * as questions from '../src/git/questions.ts';
import { scratch } from './support/engines.ts';
import { workbench } from './support/program.ts';

const LONGEST = 63;
const ME = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', [...ME, ...args], { cwd, stdio: 'pipe' });
}

/** A new repository, in a folder that may be named. */
function repository({ origin, name = 'app' }: { origin?: string; name?: string } = {}): string {
  const folder = join(scratch(), name);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--template=');
  // A remote's name counts where there is a first commit that can be compared.
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  if (origin !== undefined) git(folder, 'config', 'remote.origin.url', origin);
  return folder;
}

/** No memory keeps a first commit here. */
const asking = { ...questions, keptBy: async () => [] };
const workspaceOf = async (cwd: string) => (await findPlace({}, {}, cwd, asking)).workspace;
const nameOf = (origin: string) => workspaceOf(repository({ origin }));

/** Asserts that a name is one that `--workspace` takes, and a file can have. */
async function isValid(name: string): Promise<void> {
  assert(Buffer.byteLength(name) <= LONGEST, name);
  assert.equal((await findPlace({ workspace: name }, {}, '/')).workspace, name);
  const { db } = await findPlace({ workspace: name }, {}, '/');
  assert.equal(basename(db), `${name}.db`);
}

describe('workspace of a repository', () => {
  // A git hook that runs the tests sets these, and git would then not look at the folder.
  before(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
    Object.assign(process.env, { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' });
  });

  for (const [path, clones] of Object.entries({
    'github.com~acme~app': [
      'https://github.com/acme/app',
      'https://github.com/acme/app.git',
      'https://github.com/Acme/App.git/',
      'https://x-access-token:ghp_SECRET@github.com/acme/app.git',
      'https://ghp_SECRET@github.com:443/acme/app',
      'git@github.com:acme/app.git',
      'git@GitHub.com:ACME/app',
      'github.com:acme/app.git',
      'ssh://git@github.com/acme/app.git',
      'ssh://git@github.com:22/acme/app',
      'git://github.com/acme/app.git',
    ],
    'github.com~3scale~apicast': [
      'https://github.com/3scale/apicast.git',
      'git@github.com:3scale/apicast.git',
      'ssh://git@github.com:22/3scale/apicast',
    ],
    'github.com~42~push_swap': ['https://github.com/42/push_swap', 'git@github.com:42/push_swap.git'],
    'git.example.com~team~group~app': [
      'https://git.example.com:8443/team/group/app.git',
      'ssh://git@git.example.com:2222/team/group/app.git',
      'git@git.example.com:team/group/app.git',
    ],
  })) {
    it(`is ${path} however it was cloned`, async () => {
      const names = await Promise.all(clones.map(async (url) => `${await nameOf(url)}  ${url}`));
      assert.deepEqual(
        names,
        clones.map((url) => `${path}  ${url}`),
      );
      await isValid(path);
    });
  }

  it('[K-1] is another one where a file cannot be called as the repository is', async () => {
    for (const [one, other] of [
      ['https://github.com/me/.dotfiles', 'https://github.com/me/dotfiles'],
      ['/srv/my app', '/srv/my-app'],
      ['/srv/c++', '/srv/c#'],
      ['/srv/🎉', '/srv/🚀'],
    ] as const) {
      assert.notEqual(await nameOf(one), await nameOf(other), one);
      assert.equal(await nameOf(one), await nameOf(`${one}.git`));
      await isValid((await nameOf(one)) ?? '');
    }
  });

  it('shows nothing of a password, whatever characters it has', async () => {
    for (const password of ['p@ss', 'p:ss', 'p%40ss', 'p@ss@word']) {
      assert.equal(await nameOf(`https://me:${password}@github.com/acme/app`), 'github.com~acme~app');
    }
  });

  it('is the same in a subfolder and in a worktree, with and without an origin', async () => {
    for (const origin of ['git@github.com:acme/app.git', undefined]) {
      const main = repository(origin === undefined ? {} : { origin });
      const [subfolder, worktree] = [join(main, 'src', 'deep'), join(scratch(), 'feature')];
      mkdirSync(subfolder, { recursive: true });
      git(main, 'commit', '--quiet', '--allow-empty', '--message', 'first');
      git(main, 'worktree', 'add', '--quiet', worktree);
      const name = await workspaceOf(main);
      assert.match(name, /app/);
      assert.deepEqual([await workspaceOf(subfolder), await workspaceOf(worktree)], [name, name]);
      await isValid(name);
    }
  });

  it('differs between two repositories of one name, neither with an origin', async () => {
    assert.notEqual(await workspaceOf(repository()), await workspaceOf(repository()));
  });

  it('differs between repositories whose long names begin alike', async () => {
    const long = `https://git.example.com/${'team/'.repeat(30)}`;
    assert.notEqual(await nameOf(`${long}one`), await nameOf(`${long}two`));
  });

  it('is never that of another repository because git cannot be asked', async () => {
    const { PATH } = process.env;
    const [one, two] = [repository({ origin: 'git@github.com:acme/app' }), repository()];
    git(two, 'commit', '--quiet', '--allow-empty', '--message', 'first');
    const worktree = join(scratch(), 'feature');
    git(two, 'worktree', 'add', '--quiet', worktree);
    mkdirSync(join(one, 'src'));
    process.env.PATH = scratch();
    try {
      const names = await Promise.all([one, join(one, 'src'), two, worktree].map(workspaceOf));
      assert.deepEqual([names[0], names[2]], [names[1], names[3]], 'a subfolder and a worktree belong to it');
      assert.notEqual(names[0], names[2]);
      assert(!names.includes('default'), names.join());
      for (const name of names) await isValid(name);
    } finally {
      process.env.PATH = PATH;
    }
  });

  const asRoot = { skip: process.getuid?.() !== 0 && 'only root may give a folder away' };
  it('is that of its folder where git refuses a repository because of its owner [Z-2]', asRoot, async () => {
    const folder = repository({ origin: 'git@github.com:acme/app.git' });
    execFileSync('chown', ['-R', '12345', folder]);
    assert.throws(() => git(folder, 'status'), /dubious ownership/);
    assert.match(await workspaceOf(folder), /^app~[0-9a-f]{8}$/);
  });

  it('differs between repositories whose origins are the same relative path, or name nothing', async () => {
    for (const origin of ['../origin.git', 'backup/app', '.', './', '.git', '/', 'https://']) {
      const names = await Promise.all([nameOf(origin), nameOf(origin)]);
      for (const name of names) await isValid(name);
      if (origin !== '/') assert.notEqual(names[0], names[1], origin);
    }
  });

  it('is that of a bare repository, and a submodule has its own', async () => {
    const main = repository();
    const bare = join(scratch(), 'bare.git');
    git(main, 'commit', '--quiet', '--allow-empty', '--message', 'first');
    git(main, 'clone', '--quiet', '--bare', '.', bare);
    git(bare, 'remote', 'remove', 'origin');
    assert.match(await workspaceOf(bare), /^bare.git~/);
    git(main, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bare, 'part');
    const part = join(main, 'part');
    assert.notEqual(await workspaceOf(part), await workspaceOf(main));
    assert.equal(await workspaceOf(part), await nameOf(bare), 'the one that its origin has');
  });

  it('is that of the folder outside of any, and `default` in the home folder and in the root [Z-2]', async (test) => {
    const [one, other] = [join(scratch(), 'notes'), join(scratch(), 'notes')];
    for (const folder of [one, other]) mkdirSync(folder);
    assert.match(await workspaceOf(one), /^notes~[0-9a-f]{8}$/);
    assert.notEqual(await workspaceOf(one), await workspaceOf(other));
    const { HOME } = process.env;
    test.after(() => {
      process.env.HOME = HOME;
    });
    process.env.HOME = one;
    assert.deepEqual([await workspaceOf(one), await workspaceOf('/')], ['default', 'default']);
    const inside = join(one, 'inside');
    mkdirSync(inside);
    assert.match(await workspaceOf(inside), /^inside~/);
  });

  it('is valid for long, Korean, decomposed and strange names', async () => {
    const names = await Promise.all([
      nameOf(`https://git.example.com/${'very-long-group/'.repeat(20)}app.git`),
      nameOf('https://git.example.com/우리회사/결정을-기억하는-아주-긴-이름의-저장소-이름입니다.git'),
      nameOf('https://git.example.com/우리/앱'.normalize('NFD')),
      nameOf('../relative/app.git'),
      nameOf('/srv/git/my app.git'),
      nameOf('C:\\repos\\app.git'),
      nameOf('file:///srv/git/.hidden'),
      nameOf('ssh://[::1]:22/~me/app.git'),
      nameOf('https://git.example.com/a b/c*?"<>|.git'),
      workspaceOf(repository({ name: '한글 이름의 폴더'.repeat(5) })),
      workspaceOf(repository({ name: '.dotfiles' })),
      workspaceOf(repository({ name: '🚀' })),
    ]);
    for (const name of names) await isValid(name);
    assert.equal(new Set(names).size, names.length);
    assert.equal(names[2], 'git.example.com~우리~앱');
  });
});

describe('place of the memory', () => {
  const cwd = scratch();

  it('refuses a workspace that cannot be one, from an option and from the environment', async () => {
    for (const name of [
      '../x',
      '',
      '.',
      '..',
      '.hidden',
      'a/b',
      'a\\b',
      'a b',
      'x'.repeat(64),
      '가'.repeat(22),
    ]) {
      const refused = (error: unknown) => error instanceof PrecedentError && error.code === 'invalid';
      await assert.rejects(findPlace({ workspace: name }, {}, cwd), refused, name);
      if (name !== '') await assert.rejects(findPlace({}, { PRECEDENT_WORKSPACE: name }, cwd), refused, name);
    }
    for (const name of ['x'.repeat(63), '가'.repeat(21), 'a.b_c~d-e']) await isValid(name);
  });

  it('is as the options say, then the environment, then the repository', async () => {
    const environment = { PRECEDENT_DB: join(cwd, 'env.db'), PRECEDENT_WORKSPACE: 'env' };
    const options = { db: 'sub/option.db', workspace: 'option' };
    assert.deepEqual(await findPlace(options, environment, cwd), {
      db: join(cwd, 'sub', 'option.db'),
      workspace: 'option',
      isNamed: true,
      home: undefined,
      off: [],
    });
    assert.deepEqual(await findPlace({}, environment, cwd), {
      db: join(cwd, 'env.db'),
      workspace: 'env',
      isNamed: true,
      home: undefined,
      off: [],
    });
    await assert.rejects(findPlace({ workspace: 'option' }, environment, cwd), {
      code: 'invalid',
      message: /^Expected --workspace without PRECEDENT_DB, which names the file .*env\.db/,
    });
    const cloned = repository({ origin: 'git@github.com:acme/app' });
    const { db, workspace } = await findPlace({}, {}, cloned, asking);
    assert.equal(basename(db), `${workspace}.db`);
  });

  it('[TR-5] begins in the home folder with ~/, and has no variable that nothing replaced', async () => {
    const { db } = await findPlace({ db: '~/why.db' }, {}, cwd);
    assert.equal(db, join(homedir(), 'why.db'));
    assert.equal((await findPlace({}, { PRECEDENT_DB: '~/why.db' }, cwd)).db, db);
    const braced = (name: string) => `$\{${name}}`;
    for (const [written, named] of [
      ['$HOME/why.db', /found \$HOME in it/],
      [`${braced('workspaceFolder')}/why.db`, /found \$\{workspaceFolder\} in it/],
      [`postgres://kim:secret@${braced('HOST')}/why`, /found \$\{HOST\} in it/],
    ] as const)
      for (const [options, environment] of [
        [{ db: written }, {}],
        [{}, { PRECEDENT_DB: written }],
      ] as const)
        await assert.rejects(findPlace(options, environment, cwd), (error: PrecedentError) => {
          assert.match(error.message, named);
          assert.doesNotMatch(error.message, /secret/);
          return error.code === 'invalid' && error.message.includes('begin it with ~/');
        });
  });

  it('[Z-11] is never taken from the working folder by the environment', async () => {
    for (const written of ['why.db', './why.db', '../why.db', '~why.db'])
      await assert.rejects(findPlace({}, { PRECEDENT_DB: written }, cwd), {
        code: 'invalid',
        message: /^Expected PRECEDENT_DB as a full path, found .*Write the full path, or ~\//,
      });
  });

  it('is never in the working folder because a home is missing', async (test) => {
    const bench = workbench(test, 'here');
    const settings = { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined };
    await bench.succeed(['tool', 'mem_save', 'a', 'b'], { env: { ...settings, XDG_DATA_HOME: 'data' } });
    assert(!existsSync(join(bench.folder, 'data')), 'a relative folder counts as none');
    assert(existsSync(join(bench.folder, '.local', 'share', 'precedent', 'default.db')));
    const homeless = await bench.run(['tool', 'mem_save', 'a', 'b'], { env: { ...settings, HOME: '' } });
    assert.deepEqual(
      [homeless.code, homeless.stderr],
      [
        2,
        'precedent: Expected a home folder for the memory, found "". Set HOME, or name a file with --db.\n(invalid/no_home, see "precedent tool mem_save --help")\n',
      ],
    );
  });

  it('takes a workspace in composed Unicode, so that one name is one memory', async () => {
    const [composed, decomposed] = await Promise.all(
      (['NFC', 'NFD'] as const).map((form) => findPlace({ workspace: '결정'.normalize(form) }, {}, cwd)),
    );
    assert.deepEqual(composed, decomposed);
  });
});
