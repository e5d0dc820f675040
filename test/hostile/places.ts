import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeInEditor } from '../../src/cli/editor.ts';
import { page } from '../../src/cli/output/pager.ts';
import { openAudit } from '../../src/cli/serving/audit-file.ts';
import { changeTokens } from '../../src/cli/serving/tokens-here.ts';
import { commandLine } from '../../src/files/program.ts';
import { writeTokens } from '../../src/http/access/token-file.ts';
import { openMemory } from '../../src/index.ts';
import { findNamed, withWorkspaces } from '../../src/memory/engines.ts';
import { refuses } from '../support/expect.ts';
import { HOW_TO_GET_A_SERVER, newWorkspace, query, SERVER } from '../support/postgres.ts';
import { serving } from '../support/serving.ts';
import { noSmallDisk, smallDisk } from '../support/small-disk.ts';
import type { Attack, Scene } from './scene.ts';

const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const needsRoot = isRoot ? undefined : 'only root can be two accounts at once';
const needsPosix = isPosix ? undefined : 'modes and links of POSIX';

/** A disk that somebody filled, with a memory on it that nobody has open. */
async function filled({ cleanUp }: Scene, also: (folder: string) => void = () => {}) {
  const disk = smallDisk({ after: cleanUp });
  const db = join(disk.folder, 'memory.db');
  const memory = await openMemory({ db });
  await memory.mama.save({ topic: 'release', decision: 'Ship on Mondays' });
  await memory.close();
  also(disk.folder);
  disk.fill();
  return { disk, db };
}

const isRead = async (db: string) => {
  const memory = await openMemory({ db });
  try {
    assert.equal((await memory.mama.search({ query: 'Mondays' })).total, 1);
    await refuses(memory.mama.save({ topic: 't', decision: 'd' }), 'unavailable', 'the disk is full');
  } finally {
    await memory.close();
  }
};

/** A database that two roles may make a schema in; it is gone with them after the test. */
async function roles({ cleanUp }: Scene) {
  const name = newWorkspace();
  const [alice, mallory] = ['alice', 'mallory'].map((role) => `${role}-${name.slice(-8)}`) as [
    string,
    string,
  ];
  const as = (role: string) => {
    const url = Object.assign(new URL(SERVER), { pathname: `/${name}` });
    if (role !== '') url.username = role;
    return url.href;
  };
  await query(`create database "${name}"`);
  cleanUp(async () => {
    await query(`drop database "${name}" with (force)`);
    for (const role of [alice, mallory]) await query(`drop role if exists "${role}"`);
  });
  for (const role of [alice, mallory]) {
    await query(`create role "${role}" login`);
    await query(`grant create on database "${name}" to "${role}"`);
  }
  return {
    alice,
    mallory,
    root: (statement: string) => query(statement, [], as('')),
    run: (statement: string) => query(statement, [], as(mallory)),
    url: as(alice),
    /** A memory of a role, with one note in it. */
    async memory(role: string, workspace: string, title: string) {
      const memory = await openMemory({ db: as(role), workspace });
      await memory.mem.save({ title, content: 'of theirs' });
      await memory.close();
    },
    workspaces: <T>(role: string, work: Parameters<typeof withWorkspaces<T>>[2]) =>
      withWorkspaces(as(role), () => {}, work),
  };
}

/** A database in which mallory was first: its memories are hers, and she lets everybody use them. */
async function taken(scene: Scene) {
  const made = await roles(scene);
  await made.memory(made.mallory, 'acme', 'bait');
  await made.run('grant all on schema precedent to public');
  await made.run('grant all on all tables in schema precedent to public');
  return made;
}

/** A database whose tables both may use: a memory of the victim's, and one of mallory's that claims its names. */
async function claimed(scene: Scene) {
  const made = await roles(scene);
  const { alice, mallory, root, memory, workspaces } = made;
  await memory('', 'given', 'first');
  for (const role of [alice, mallory]) {
    await root(`grant usage on schema precedent to "${role}"`);
    await root(`grant select, insert, update, delete on all tables in schema precedent to "${role}"`);
  }
  await memory(alice, 'acme', 'the note');
  assert(await workspaces(alice, (there) => there.addNames('acme', ['mine'], true)));
  await memory(mallory, 'evil', 'bait note');
  assert(await workspaces(mallory, (there) => there.addNames('evil', ['acme', 'mine'], true)));
  return made;
}

/** A memory of the victim's, beside a schema of mallory's, and what becomes of them. */
async function rivals(scene: Scene) {
  const made = await taken(scene);
  const { mallory, root, run, url } = made;
  await run('alter schema precedent rename to bait');
  const open = () => openMemory({ db: url, workspace: 'acme' });
  await (await open()).close();
  return {
    mallory,
    url,
    open,
    /** The schema is renamed, and mallory's has its name then. */
    async takeName() {
      await root('alter schema precedent rename to gone');
      await run('alter schema bait rename to precedent');
    },
  };
}

/** A program of the stranger's with this name, in the folder where the person works. */
function lure({ stranger, tripwire }: Scene, name: string): void {
  symlinkSync(tripwire, join(stranger, name));
}

/** What an account puts in a folder that everybody may write. */
function shared({ folder, outside }: Scene) {
  const place = join(folder, 'shared');
  mkdirSync(place);
  chmodSync(place, 0o1777);
  const link = join(place, 'audit.log');
  symlinkSync(join(outside, 'precious.txt'), link);
  lchownSync(link, NOBODY, NOBODY);
  const file = join(place, 'theirs.log');
  writeFileSync(file, '');
  execFileSync('chown', [String(NOBODY), file]);
  chmodSync(file, 0o666);
  return { link, file };
}

export const PLACES: Attack[] = [
  {
    tries: 'a disk that is filled, so that nothing is remembered [Z-7]',
    skip: noSmallDisk,
    faces: {
      library: async (scene) => isRead((await filled(scene)).db),
      'command line': async (scene) => {
        const { db } = await filled(scene);
        const ran = await scene.run(['recall', 'Mondays', '--db', db]);
        assert.match(ran.stdout, /Ship on Mondays/);
        const saved = await scene.run(['tool', 'mem_save', 'a', 'b', '--db', db]);
        assert.equal(saved.code, 5);
        assert.match(saved.stderr, /the disk is full/);
      },
      'agent’s hook': async (scene) => {
        const { db } = await filled(scene);
        const stdin = JSON.stringify({
          hook_event_name: 'SessionStart',
          session_id: 's',
          cwd: scene.stranger,
        });
        const { code, stderr } = await scene.run(['hook', 'claude', '--db', db], { stdin });
        assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      },
    },
  },
  {
    tries: 'a disk that is filled with the home and the temporary folder on it [Z-7]',
    skip: noSmallDisk,
    faces: {
      'command line': async (scene) => {
        const { disk, db } = await filled(scene, (folder) => mkdirSync(join(folder, 'home')));
        const HOME = join(disk.folder, 'home');
        const ran = await scene.run(['search', 'Mondays', '--db', db], { env: { HOME, TMPDIR: HOME } });
        assert.match(ran.stdout, /Ship on Mondays/);
      },
      export: async (scene) => {
        const { disk, db } = await filled(scene, (folder) => mkdirSync(join(folder, 'home')));
        const HOME = join(disk.folder, 'home');
        const ran = await scene.run(['export', '--format', 'jsonl', '--db', db], {
          env: { HOME, TMPDIR: HOME },
        });
        assert.match(ran.stdout, /Ship on Mondays/);
      },
    },
  },
  {
    tries: 'a disk that is filled under an open memory [Z-7]',
    skip: noSmallDisk,
    faces: {
      library: async (scene) => {
        const disk = smallDisk({ after: scene.cleanUp });
        const memory = await openMemory({ db: join(disk.folder, 'memory.db') });
        await memory.mama.save({ topic: 'release', decision: 'Ship on Mondays' });
        disk.fill();
        const more = { title: 't', content: 'c'.repeat(200_000) };
        await refuses(memory.mem.save(more), 'unavailable', 'the disk is full');
        assert.equal((await memory.mama.search({ query: 'Mondays' })).total, 1);
        disk.clear();
        await memory.mem.save(more);
        await memory.close();
      },
      'another process': async (scene) => {
        const disk = smallDisk({ after: scene.cleanUp });
        const db = join(disk.folder, 'memory.db');
        const memory = await openMemory({ db });
        await memory.mama.save({ topic: 'release', decision: 'Ship on Mondays' });
        disk.fill();
        const ran = await scene.run(['show', 'release', '--db', db]);
        assert.match(ran.stdout, /Ship on Mondays/);
        await memory.close();
      },
    },
  },
  {
    tries: 'a lock that a full disk leaves without an owner, so that nobody goes on [Z-7]',
    skip: noSmallDisk,
    faces: {
      tokens: async (scene) => {
        const disk = smallDisk({ after: scene.cleanUp });
        disk.fill();
        const file = join(disk.folder, 'tokens.jsonl');
        const token = {
          name: 'a',
          author: 'a',
          person: false,
          access: 'read',
          hash: 'a',
          expires: 0,
        } as const;
        const add = () => changeTokens(file, () => [{ ...token, workspaces: undefined }]);
        await refuses(add(), 'unavailable', 'cannot be written');
        assert.equal(existsSync(`${file}.lock`), false);
        disk.clear();
        await add();
      },
      'command line': async (scene) => {
        const disk = smallDisk({ after: scene.cleanUp });
        disk.fill();
        const tokens = ['--tokens', join(disk.folder, 'tokens.jsonl')];
        assert.equal((await scene.run(['token', 'add', 'a', ...tokens])).code, 5);
        disk.clear();
        const ran = await scene.run(['token', 'add', 'a', ...tokens]);
        assert.equal(ran.code, 0, ran.stderr);
      },
    },
  },
  {
    tries: 'a workspace that claims the names of a memory [Z-10]',
    skip: SERVER === '' ? HOW_TO_GET_A_SERVER : undefined,
    faces: {
      library: async (scene) => {
        const { alice, mallory, workspaces } = await claimed(scene);
        const all = await workspaces(alice, (there) => there.list());
        assert.equal(findNamed(all, 'acme')?.workspace, 'acme');
        assert.throws(() => findNamed(all, 'mine'), /"acme" and "evil"/);
        await workspaces(mallory, async (there) => {
          assert.equal(await there.addNames('acme', [], true), false);
          await refuses(there.rename('acme', 'gone'), 'conflict', '"acme"');
          await refuses(there.remove('acme'), 'conflict', '"acme"');
        });
      },
      'command line': async (scene) => {
        const { url } = await claimed(scene);
        const recall = (name: string) => scene.run(['recall', 'note', '--db', url, '--workspace', name]);
        const [exact, claim] = [await recall('acme'), await recall('mine')];
        assert.match(exact.stdout, /the note/);
        assert.doesNotMatch(exact.stdout, /bait/);
        assert.equal(claim.code, 4, claim.stderr);
        assert.match(claim.stderr, /"acme" and "evil"/);
        assert.equal(claim.stdout, '');
      },
    },
  },
  {
    tries: 'the very schema of memories, made by a stranger first [Z-10]',
    skip: SERVER === '' ? HOW_TO_GET_A_SERVER : undefined,
    faces: {
      library: async (scene) => {
        const { mallory, url } = await taken(scene);
        for (const create of [true, false])
          await refuses(openMemory({ db: url, workspace: 'acme', create }), 'unavailable', `"${mallory}"`);
      },
      'command line': async (scene) => {
        const { mallory, url } = await taken(scene);
        for (const command of [['recall', 'bait'], ['tool', 'mem_save', 'a', 'b'], ['doctor']]) {
          const ran = await scene.run([...command, '--db', url, '--workspace', 'acme']);
          assert.equal(ran.code, 5);
          assert.match(ran.stderr, new RegExp(mallory));
          assert.doesNotMatch(ran.stdout, /bait/);
        }
      },
    },
  },
  {
    tries: 'a view in a memory’s place that runs a function of the stranger’s [Z-10]',
    skip: SERVER === '' ? HOW_TO_GET_A_SERVER : undefined,
    faces: {
      library: async (scene) => {
        const { mallory, run, url } = await taken(scene);
        await run('alter view precedent.records rename to gone');
        await run(`create function precedent.steal() returns bigint language sql as 'select 1/0::bigint'`);
        await run('create view precedent.records as select precedent.steal() as seq');
        const used = withWorkspaces(
          url,
          () => {},
          (there) => there.usage('acme'),
        );
        await refuses(used, 'unavailable', `"${mallory}"`);
      },
      'command line': async (scene) => {
        const { mallory, run, url } = await taken(scene);
        await run('alter table precedent.workspaces rename to gone');
        await run(
          `create view precedent.workspaces as select 1/0 as id, 'acme' as name, '{}'::text[] as names`,
        );
        const ran = await scene.run(['workspaces', '--db', url]);
        assert.equal(ran.code, 5, ran.stdout);
        assert.match(ran.stderr.replace(/\s+/g, ' '), new RegExp(`belongs to "${mallory}"`));
      },
    },
  },
  {
    tries: 'a schema that takes the place of an open memory’s [Z-10]',
    skip: SERVER === '' ? HOW_TO_GET_A_SERVER : undefined,
    faces: {
      library: async (scene) => {
        const { mallory, open, takeName } = await rivals(scene);
        const memory = await open();
        await takeName();
        await refuses(memory.mem.save({ title: 'secret', content: 'plan' }), 'unavailable', `"${mallory}"`);
        await refuses(memory.mem.search({ query: 'bait' }), 'unavailable', `"${mallory}"`);
        await memory.close();
      },
      'server over HTTP': async (scene) => {
        const { mallory, open, takeName } = await rivals(scene);
        const server = await serving(scene.folder, {}, { source: { list: async () => ['main'], open } });
        try {
          assert.equal((await server.api('main/mem_search', { query: 'bait' })).status, 200);
          await takeName();
          const saved = await server.api('main/mem_save', { title: 'secret', content: 'plan' });
          assert.equal(saved.status, 503);
          // A client is told that it is a stranger's, the operator whose.
          const answered = JSON.stringify(saved.body);
          assert.match(answered, /"reason":"foreign"/);
          assert.doesNotMatch(answered, new RegExp(mallory));
          assert.match(server.logged.join('\n'), new RegExp(mallory));
        } finally {
          await server.close();
        }
      },
    },
  },
  {
    tries: 'a pager or an editor in the folder where one works [Z-1]',
    skip: needsPosix,
    faces: {
      pager: async (scene) => {
        lure(scene, 'wicked');
        await inFolder(scene, () =>
          page('', { PAGER: 'wicked -R', PATH: `.::${scene.stranger.replace(/^\//, '')}` }),
        );
      },
      editor: async (scene) => {
        lure(scene, 'wicked');
        await inFolder(scene, () =>
          refuses(writeInEditor('', { EDITOR: 'wicked', PATH: '.:' }), 'invalid', 'PATH'),
        );
      },
      'command line': async (scene) => {
        lure(scene, 'wicked');
        await scene.run(['tool', 'mama_save', 'topic', 'decision']);
        const PATH = `.::${scene.environment.PATH}`;
        const ran = await scene.run(['revise', 'topic'], { env: { PATH, EDITOR: 'wicked' } });
        assert.notEqual(ran.code, 0);
      },
    },
  },
  {
    tries: 'a less.bat, notepad.bat or git.bat in the folder where one works on Windows [Z-1]',
    faces: {
      pager: () => {
        const there = { platform: 'win32' as const, isThere: (file: string) => !file.startsWith('C:') };
        for (const PATH of ['', '.', ';;', 'C:\\Windows;.', 'bin;D:bin;\\bin'])
          for (const name of ['less', 'more', 'less.bat', 'less -R'])
            assert.equal(commandLine(name, { PATH }, there), undefined);
      },
      editor: () => {
        const there = { platform: 'win32' as const, isThere: () => true };
        for (const name of ['notepad', 'code --wait'])
          assert.match(commandLine(name, { PATH: '.;C:\\Tools' }, there) ?? '', /^"C:\\Tools\\/);
      },
    },
  },
  {
    tries: 'an audit file that another account put there, or a link of theirs [Z-3]',
    skip: needsRoot,
    faces: {
      function: (scene) => {
        const { link, file } = shared(scene);
        for (const path of [link, file]) assert.throws(() => openAudit(path), /another account/);
      },
      'command line': async (scene) => {
        const { link } = shared(scene);
        const ran = await scene.run(['serve', '--port', '0', '--audit', link]);
        assert.equal(ran.code, 2);
        assert.match(ran.stderr, /another account/);
      },
    },
  },
  {
    tries: 'a link in the place of the draft of the file of tokens [Z-3]',
    skip: needsPosix,
    faces: {
      function: (scene) => {
        const file = join(scene.stranger, 'tokens.jsonl');
        symlinkSync(join(scene.outside, 'precious.txt'), join(scene.stranger, `.${process.pid}.tokens`));
        writeTokens(file, []);
        assert.equal(readFileSync(file, 'utf8'), '');
        assert.equal(statSync(file).mode & 0o777, 0o600);
      },
    },
  },
  {
    tries: 'a data folder that everybody may write, since nobody said a mode [Z-1]',
    skip: needsPosix,
    faces: Object.fromEntries(
      [
        ['token', 'add', 'a'],
        ['tool', 'mem_save', 'a', 'b'],
        ['setup', 'gemini'],
      ].map((command) => [
        command.join(' '),
        async (scene: Scene) => {
          const before = process.umask(0);
          try {
            const { code, stderr } = await scene.run(command);
            assert.equal(code, 0, stderr);
          } finally {
            process.umask(before);
          }
          const data = join(scene.home, '.local', 'share', 'precedent');
          for (const each of [data, join(scene.home, '.local', 'share')])
            assert.equal(statSync(each).mode & 0o777, 0o700, each);
        },
      ]),
    ),
  },
];

async function inFolder({ stranger }: Scene, work: () => Promise<unknown>): Promise<void> {
  const before = process.cwd();
  process.chdir(stranger);
  try {
    await work();
  } finally {
    process.chdir(before);
  }
}
