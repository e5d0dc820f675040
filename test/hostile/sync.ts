import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sha256 } from '../../src/domain/text/digest.ts';
import { type Memory, openMemory } from '../../src/index.ts';
import { withinProcessorTime } from '../support/clock.ts';
import { commit, git } from '../support/machine.ts';
import { exported } from '../support/stream.ts';
import { served } from '../support/synced.ts';
import type { Attack, Scene } from './scene.ts';

const SECRET = 'nobody else may read';

const linesOf = (facts: object[]) => facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');

/** That what is small counts, and the rest is said to be left out and takes no room. */
async function assertRoom(folder: string, place: string): Promise<void> {
  const [copies, memory] = [join(folder, 'copies'), await openMemory({ db: join(folder, 'memory.db') })];
  try {
    const { warnings } = (await memory.sync(place, { copies })) ?? assert.fail();
    assert.match(warnings.join('\n'), /more than a memory takes: of 512 MB .* 4 files were left out/);
    assert.match(JSON.stringify(await memory.decision.list({})), /One that counts/);
  } finally {
    await memory.close();
  }
  if (!existsSync(copies)) return;
  const files = readdirSync(copies, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const sizes = files.map((each) => statSync(join(each.parentPath, each.name)).size);
  assert(sizes.reduce((sum, size) => sum + size, 0) < 600_000_000);
}

/** A repository of this machine that people sync by; its branch holds what a stranger committed. */
function branchOf({ folder, outside, tripwire }: Scene): string {
  const [made, remote] = [join(folder, 'made'), join(folder, 'remote.git')];
  git(folder, 'init', '--quiet', '--initial-branch=precedent', made);
  const put = (path: string, text: string) => {
    mkdirSync(join(made, path, '..'), { recursive: true });
    writeFileSync(join(made, path), text);
  };
  put(`m-good/${nameOf(WHOLE)}`, WHOLE);
  // Links, by which a reader would take in, or write over, what is elsewhere.
  mkdirSync(join(made, 'm-links'));
  symlinkSync(join(outside, 'precious.txt'), join(made, 'm-links', nameOf('link')));
  symlinkSync('/dev/zero', join(made, 'm-links', nameOf('zero')));
  symlinkSync(outside, join(made, 'm-folder'));
  put('.gitmodules', `[submodule "s"]\n\tpath = m-sub\n\turl = ext::${tripwire}\n\tupdate = !${tripwire}\n`);
  put('.github/workflows/x.yml', `on: push\njobs: {x: {steps: [{run: ${tripwire}}]}}\n`);
  put(`m-good/${nameOf('another')}`, 'not what its name says\n');
  put(`m-large/${nameOf('large')}`, 'x'.repeat(70_000_000));
  git(made, 'add', '--all');
  commit(made, 'of a stranger');
  const head = git(made, 'rev-parse', 'HEAD');
  git(made, 'update-index', '--add', '--cacheinfo', `160000,${head},m-sub`);
  // Names that no work tree may have: they lead out of it. And attributes that no git here takes note of.
  const tree = git(made, 'write-tree');
  writeFileSync(
    join(made, 'attributes'),
    '* filter=x diff=x merge=x text eol=crlf working-tree-encoding=UTF-16\n',
  );
  const blob = git(made, 'hash-object', '-w', 'attributes');
  const treeOf = (...entries: string[]) =>
    execFileSync('git', ['mktree'], { cwd: made, input: `${entries.join('\n')}\n`, encoding: 'utf8' }).trim();
  const up = treeOf(`100644 blob ${blob}\tprecious.txt`);
  const outwards = treeOf(`040000 tree ${up}\toutside`);
  const all = treeOf(
    git(made, 'ls-tree', tree),
    `040000 tree ${outwards}\t..`,
    `040000 tree ${up}\t.git`,
    `100644 blob ${blob}\t-x`,
    `100644 blob ${blob}\t.gitattributes`,
  );
  const last = git(made, 'commit-tree', all, '-p', head, '-m', 'of a stranger');
  git(made, 'update-ref', 'refs/heads/precedent', last);
  git(folder, 'clone', '--quiet', '--bare', made, remote);
  return remote;
}

/** A folder whose settings name programs for everything that git could start on the way to a remote. */
function repositoryOf({ stranger, put, tripwire }: Scene, remote: string): string {
  git(stranger, 'init', '--quiet');
  commit(stranger, 'of a stranger');
  put(
    '.git/config',
    `[core]\n\trepositoryformatversion = 0\n\tsshCommand = ${tripwire}\n\tgitProxy = ${tripwire}\n\tfsmonitor = ${tripwire}\n\taskPass = ${tripwire}\n\thooksPath = hooks\n` +
      `[credential]\n\thelper = ${tripwire}\n[filter "x"]\n\tclean = ${tripwire}\n\tsmudge = ${tripwire}\n\tprocess = ${tripwire}\n` +
      `[protocol]\n\tallow = always\n[url "ext::${tripwire} "]\n\tinsteadOf = /\n\tpushInsteadOf = /\n` +
      `[remote "origin"]\n\turl = ${remote}\n\tpushurl = ext::${tripwire}\n\tuploadpack = ${tripwire}\n\treceivepack = ${tripwire}\n\tvcs = evil\n`,
  );
  const hook = put('hooks/pre-push', `#!/bin/sh\n${tripwire}\n`);
  chmodSync(hook, 0o755);
  return stranger;
}

/** The same for the repository that is synced by, where that is a folder. */
function arm(remote: string, { folder, tripwire }: Scene): void {
  const alternate = join(folder, 'made', '.git', 'objects');
  writeFileSync(join(remote, 'objects', 'info', 'alternates'), `${alternate}\n`);
  for (const [name, value] of [
    ['core.alternateRefsCommand', tripwire],
    ['core.fsmonitor', tripwire],
    ['core.sshCommand', tripwire],
    ['core.hooksPath', 'hooks'],
    ['uploadpack.packObjectsHook', tripwire],
    ['receive.autogc', 'true'],
    ['gc.auto', '1'],
    ['gc.recentObjectsHook', tripwire],
    ['receive.certNonceSeed', 'x'],
    ['gpg.program', tripwire],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.url', 'ssh://git@h/x'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.uploadpack', tripwire],
  ] as const)
    git(remote, 'config', name, value);
  for (const name of [
    'pre-receive',
    'update',
    'post-receive',
    'post-update',
    'reference-transaction',
    'push-to-checkout',
  ]) {
    writeFileSync(join(remote, 'hooks', name), `#!/bin/sh\n${tripwire}\n`);
    chmodSync(join(remote, 'hooks', name), 0o755);
  }
}

/** What a person syncs, on each way in; each says all that the memory holds then, and goes once more after a save. */
const WAYS: Record<string, (scene: Scene, remote: string) => Promise<string>> = {
  'command line': async (scene, remote) => {
    const { run } = scene;
    const cwd = repositoryOf(scene, remote);
    const said: string[] = [];
    for (const words of [
      ['sync', '--init', '--yes'],
      ['decide', 'own', 'of this machine'],
      ['sync'],
      ['list', '--json'],
    ]) {
      const { code, stdout, stderr } = await run(words, { cwd });
      assert.equal(code, 0, stderr);
      said.push(stdout);
    }
    return said.join('\n');
  },
  library: async ({ folder }, remote) => {
    const memory = await openMemory({ db: join(folder, 'memory.db') });
    try {
      const copies = join(folder, 'copies');
      const first = await memory.sync(`git:${remote}`, { copies });
      await memory.mama.save({ topic: 'own', decision: 'of this machine' });
      const second = await memory.sync(undefined, { copies });
      return JSON.stringify([first, second, await memory.decision.list({})]);
    } finally {
      await memory.close();
    }
  },
};

const everyWay = (act: (scene: Scene) => string): Attack['faces'] =>
  Object.fromEntries(
    Object.entries(WAYS).map(([way, sync]) => [
      way,
      async (scene: Scene) => {
        const remote = act(scene);
        const said = await sync(scene, remote);
        assert.match(said, /One that counts/);
        for (const hidden of [SECRET, 'm-links', 'm-folder', 'm-large', 'm-sub'])
          assert(!said.includes(hidden), said);
        assert.equal(git(remote, 'log', '--format=%s', 'precedent').match(/skip ci/g)?.length, 1, 'it went');
      },
    ]),
  );

const GOOD = {
  ...{ f: 1, k: 'decision', id: 'good-1', at: 1_760_000_000_000, by: ['Lee', 'h', 'c', 's'] },
  ...{ topic: 'x', basedOn: null, withdrawn: 0, text: 'One that counts', reasoning: null },
  ...{ strength: 'normal', scope: 'x', confidence: 0.5, revisit: null, files: null },
};
const WHOLE = `${JSON.stringify(GOOD)}\n`;
const nameOf = (text: string | Uint8Array) => `${sha256(text).slice(0, 32)}.jsonl`;

/** Each way to what others share, as what hears these texts, each of another machine, and says what it warned of. */
const HEARD: Record<string, (scene: Scene, texts: (string | Buffer)[]) => Promise<string>> = {
  'a folder': async (scene, texts) => heardBy(scene, folderWith(scene, texts)),
  'a branch': async (scene, texts) => {
    const [made, remote] = [folderWith(scene, texts), join(scene.folder, 'shared.git')];
    git(scene.folder, 'init', '--quiet', '--initial-branch=precedent', made);
    git(made, 'add', '--all');
    commit(made, 'of a stranger');
    git(scene.folder, 'clone', '--quiet', '--bare', made, remote);
    return heardBy(scene, remote);
  },
  'a client of the server': async (scene, texts) => {
    const memory = await openMemory({ db: join(scene.folder, 'served.db') });
    scene.cleanUp(() => memory.close());
    const { server, at, token } = await served({ after: scene.cleanUp }, memory);
    const warnings: string[] = [];
    for (const text of texts) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(at, { method: 'POST', headers, body: new Uint8Array(gzipSync(text)) });
      assert.equal(response.status, 200, `${server.url}`);
      warnings.push(...((await response.json()) as { warnings: string[] }).warnings);
    }
    await assertGood(memory);
    return warnings.join('\n');
  },
  'a server that lies': async (scene, texts) => {
    const head = JSON.stringify({ machine: 'm-server', after: '1', isWhole: true });
    const answer = gzipSync(Buffer.concat([`${head}\n`, ...texts].map((text) => Buffer.from(text))));
    const server = createServer((request, response) =>
      request.url?.endsWith('/me')
        ? response.end('{"workspaces":["shop"]}')
        : response
            .writeHead(200, { 'content-encoding': 'gzip' })
            .end(request.method === 'GET' ? answer : gzipSync('{"warnings":[]}')),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    scene.cleanUp(() => server.close() && undefined);
    const memory = await openMemory({ db: join(scene.folder, 'memory.db') });
    scene.cleanUp(() => memory.close());
    const { port } = server.address() as AddressInfo;
    const said = await memory.sync(`http://127.0.0.1:${port}/api/v1/shop/sync`);
    await assertGood(memory);
    return said?.warnings.join('\n') ?? '';
  },
};

/** A folder in which machines said these texts. */
function folderWith({ folder }: Scene, texts: (string | Buffer)[]): string {
  const shared = join(folder, 'shared');
  for (const [n, text] of texts.entries()) {
    mkdirSync(join(shared, `m-${n}00`), { recursive: true });
    writeFileSync(join(shared, `m-${n}00`, nameOf(text)), text);
  }
  return shared;
}

async function heardBy({ run }: Scene, place: string): Promise<string> {
  const db = ['--db', `${place}.db`];
  const { code, stdout, stderr } = await run([...db, 'sync', '--init', place, '--yes']);
  assert.equal(code, 0, stderr);
  const listed = await run([...db, 'list', '--json']);
  assert.match(listed.stdout, /One that counts/);
  const sound = await run([...db, 'doctor']);
  assert.equal(sound.code, 0, sound.stdout);
  return stdout.replace(/\s+/g, ' ');
}

/** That what is right came, the memory is sound, and its export comes back. */
async function assertGood(memory: Memory): Promise<void> {
  assert.match(JSON.stringify(await memory.decision.list({})), /One that counts/);
  assert.deepEqual((await memory.inspect()).problems, []);
  const again = await openMemory({ db: ':memory:' });
  await again.import(await exported(memory));
  await again.close();
}

/** The most memory that this process ever took, in bytes; 0 where only Linux would say it. */
const mostTaken = () =>
  process.platform === 'linux'
    ? 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
    : 0;

/** What is said on each way: the good one is heard, and little is spent. */
const everyHearing = (texts: (string | Buffer)[], warning: RegExp): Attack['faces'] =>
  Object.fromEntries(
    Object.entries(HEARD).map(([way, hear]) => [
      way,
      async (scene: Scene) => {
        const before = mostTaken();
        assert.match(await withinProcessorTime(10_000, () => hear(scene, [WHOLE, ...texts])), warning);
        assert(mostTaken() - before < 300_000_000, `${mostTaken() - before} bytes`);
      },
    ]),
  );

/** A decision with the only name taken away, and what breaks off what reads it. */
const by = ['S', 'vm', 'cli', 'x'];
const WRONG = [
  { ...GOOD, id: 'other-1', topic: 'c:d', text: 'three' },
  { f: 1, k: 'called', id: 'c-1', at: GOOD.at, by, decision: 'other-1', topic: 'c:d', gone: true },
  { f: 1, k: 'called', id: 'c-2', at: GOOD.at, by, decision: 'other-1', gone: false },
  { f: 1, k: 'mark', id: 'other-1', at: GOOD.at, by, gone: true },
  { f: 1, k: 'outcome', id: 'o-1', at: GOOD.at, by, decision: 'good-1', outcome: 'failed' },
  { ...GOOD, id: 'other-2', topic: undefined },
];

export const sync: Attack[] = [
  {
    tries: 'a shared line has no end, millions of levels, or of values [Z-12] [Z-13]',
    faces: everyHearing(
      [Buffer.alloc(4_000_000, '['), `[${'{},'.repeat(1_500_000)}{}]\n`],
      /a line of it is not a fact/,
    ),
  },
  {
    tries: 'a shared text has millions of lines [Z-12] [Z-13]',
    faces: everyHearing([Buffer.alloc(12_000_000, '{}\n')], /a line of it is not a fact/),
  },
  {
    tries: 'a shared fact has no field, or takes away what a decision is [Z-13]',
    faces: everyHearing([linesOf(WRONG)], /was left out: it has no "was"/),
  },
  {
    tries: 'a place has more files and bytes than a disk [Z-13]',
    faces: {
      'a folder': async ({ folder }) => {
        const shared = join(folder, 'shared');
        mkdirSync(join(shared, 'm-evil'), { recursive: true });
        mkdirSync(join(shared, 'm-good'));
        writeFileSync(join(shared, 'm-good', nameOf(WHOLE)), WHOLE);
        for (let n = 0; n < 12; n++) {
          const path = join(shared, 'm-evil', nameOf(`${n}`));
          writeFileSync(path, '');
          truncateSync(path, 60_000_000);
        }
        await assertRoom(folder, shared);
      },
      'a branch': async ({ folder }) => {
        const [made, remote] = [join(folder, 'made'), join(folder, 'shared.git')];
        git(folder, 'init', '--quiet', '--initial-branch=precedent', made);
        mkdirSync(join(made, 'm-good'));
        writeFileSync(join(made, 'm-good', nameOf(WHOLE)), WHOLE);
        writeFileSync(join(folder, 'large'), '');
        truncateSync(join(folder, 'large'), 60_000_000);
        const blob = git(made, 'hash-object', '-w', join(folder, 'large'));
        for (let n = 0; n < 12; n++)
          git(made, 'update-index', '--add', '--cacheinfo', `100644,${blob},m-evil/${nameOf(`${n}`)}`);
        git(made, 'add', 'm-good');
        commit(made, 'of a stranger');
        git(folder, 'clone', '--quiet', '--bare', made, remote);
        await assertRoom(folder, `git:${remote}`);
      },
    },
  },
  {
    tries:
      'a branch has links, attributes with filters, a submodule, names that lead out and a huge file [Z-1] [Z-3]',
    faces: everyWay(branchOf),
  },
  {
    tries:
      'the repository, and the one it is synced by, name programs for everything that git can start [Z-1]',
    faces: everyWay((scene) => {
      const remote = branchOf(scene);
      arm(remote, scene);
      return remote;
    }),
  },
  {
    tries: 'the remote of an archive is a command, or an option [Z-1]',
    faces: Object.fromEntries(
      [
        'ext::TRIPWIRE %S',
        'evil::x',
        '-uTRIPWIRE',
        '--upload-pack=TRIPWIRE',
        'ssh://-oProxyCommand=TRIPWIRE/x',
        'git://h/x',
      ].map((url) => [
        url,
        async (scene: Scene) => {
          const { run, tripwire } = scene;
          const cwd = repositoryOf(scene, url.replace('TRIPWIRE', tripwire));
          const { code, stderr } = await run(['sync', '--init', '--yes'], { cwd });
          assert.notEqual(code, 0, stderr);
        },
      ]),
    ),
  },
];
