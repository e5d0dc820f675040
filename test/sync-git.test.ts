import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { addressOf } from '../src/git/branch.ts';
import type { Memory } from '../src/index.ts';
import { sqlite } from './support/engines.ts';
import { commit, git, machine } from './support/machine.ts';

/** A bare repository with one commit, which laptops have a clone of. */
function remoteOn(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-remote-'));
  test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [seed, remote] = [join(folder, 'seed'), join(folder, 'app.git')];
  git(folder, 'init', '--quiet', '--initial-branch=main', seed);
  commit(seed, 'first');
  git(folder, 'clone', '--quiet', '--bare', seed, remote);
  return remote;
}

/** The laptop of somebody with a clone: what is typed there. */
function laptop(test: TestContext, remote: string, author: string) {
  const { clone, run, data } = machine(test, undefined, undefined, 'here');
  const top = clone(remote, 'app', remote);
  const typed = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(top, words, { PRECEDENT_AUTHOR: author });
    return { code, said: stdout + stderr };
  };
  return {
    top,
    data,
    typed,
    async done(...words: string[]) {
      const { code, said } = await typed(...words);
      assert.equal(code, 0, said);
      return said;
    },
    decide: (topic: string, text: string) => typed('decide', topic, text),
  };
}

/** Two memories that know one branch of a repository, without a command line. */
async function replicas(test: TestContext, remote: string) {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-copies-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const at = async (name: string) => {
    const memory = (await sqlite.open()) as Memory;
    const copies = join(folder, name);
    return {
      memory,
      copies,
      sync: async () => (await memory.sync(`git:${remote}`, { copies })) ?? assert.fail(),
      texts: async () => (await memory.decision.list({})).decisions.map(({ text }) => text).sort(),
    };
  };
  return [await at('kim'), await at('lee')] as const;
}

const filesOf = (remote: string) =>
  git(remote, 'ls-tree', '-r', '--name-only', 'precedent').split('\n').filter(Boolean);

describe('two clones of one repository, one memory', () => {
  it('[Y-5] [Z-1] what is typed on two laptops, from the first sync until what was decided twice is settled', async (test) => {
    const remote = remoteOn(test);
    const [kim, lee] = [laptop(test, remote, 'Kim'), laptop(test, remote, 'Lee')];
    await kim.decide('인증:토큰', 'JWT');
    const named = await kim.typed('sync');
    assert.equal(named.code, 3, named.said);
    assert.match(named.said, /precedent sync --init/, 'the refusal says the next command');
    const would = await kim.done('sync', '--init', '--dry-run');
    assert.match(
      would.replace(/\s+/g, ' '),
      new RegExp(`branch "precedent" of ${remote}, where everybody with access can read`),
    );
    assert.match(would, /1 version\n {2}names in it: Kim/);
    assert.equal(existsSync(join(kim.data, 'sync')), false, 'nothing is reached before somebody says yes');
    const asked = await kim.typed('sync', '--init');
    assert.match(asked.said, /--yes/);
    assert.equal(git(remote, 'branch', '--list', 'precedent'), '');
    assert.match(await kim.done('sync', '--init', '--yes'), /1 fact/);
    assert.match(git(remote, 'log', '--format=%s', 'precedent'), /\[skip ci\]/);
    assert.match(
      (await lee.typed('sync', '--status')).said,
      /Choose one: "precedent sync --init" for a branch/,
    );
    git(lee.top, 'fetch', '--quiet');
    for (const how of [[], ['--status']])
      assert.match((await lee.typed('sync', ...how)).said, /others sync: "precedent sync --init" joins them/);
    assert.match(await lee.done('sync', '--init', 'git', '--yes'), /1 record from Kim/);
    await kim.decide('인증:토큰', 'JWT with a short life');
    await lee.decide('인증:토큰', 'opaque tokens');
    await kim.done('sync');
    assert.match(await lee.done('sync'), /decided twice: 인증:토큰/);
    assert.match(await kim.done('sync'), /“opaque tokens” \(\w{8}, Lee, .*precedent settle 인증:토큰\n/s);
    const undecided = await lee.typed('settle', '인증:토큰');
    assert.match(undecided.said, /--keep with one of “.*” \(\w{8}, (Kim|Lee), \d{4}-.* and “/s);
    assert.match(undecided.said, /As in: precedent settle 인증:토큰 --keep \w{8}/);
    const missed = await lee.typed('settle', 'nope:x');
    assert.match(missed.said.replace(/\s+/g, ' '), /Decided twice: precedent settle 인증:토큰/);
    await lee.done('settle', '인증:토큰', '--text', 'opaque tokens, of ten minutes');
    await lee.done('sync');
    const settled = await kim.done('sync');
    assert.doesNotMatch(settled, /twice/);
    assert.match(settled, /settled by Lee: 인증:토큰 {2}opaque tokens, of ten minutes/);
    assert.match(await kim.done('why', '인증:토큰'), /of ten minutes/);
    // The repository itself, and its settings, are as they were.
    assert.equal(git(kim.top, 'branch', '--all').includes('precedent'), false);
    // Where the remote of the repository leads later, nothing follows.
    git(lee.top, 'remote', 'set-url', 'origin', '/nowhere.git');
    await lee.decide('later', 'one more');
    await lee.done('sync');
    assert.match(await kim.done('sync'), /1 record from Lee/);
  });

  it('[Y-5] what was synced by mistake is left again, and a folder that was mistyped is neither made nor filled', async (test) => {
    const remote = remoteOn(test);
    const [kim, eve] = [laptop(test, remote, 'Kim'), laptop(test, remote, 'Eve')];
    await kim.decide('인증', 'JWT');
    assert.doesNotMatch(await kim.done('sync', '--init', '--yes'), /restore/, 'nothing came');
    await eve.decide('garden', 'Roses');
    const init = await eve.done('sync', '--init', '--yes');
    const blanked = await eve.done('redact', 'garden', '--text', 'Ros', '--yes', '--json');
    assert.match(blanked, /"backups":\s*\[\s*".*before-sync/, 'a redaction names the backup');
    assert.match(await eve.done('doctor'), new RegExp(`synced\\s.*${remote}, last on \\d{4}-`));
    const stopped = await eve.done('sync', '--stop', '--json');
    const { backup } = JSON.parse(stopped) as { backup: string };
    assert(init.replace(/\s+/g, '').includes(backup), init + stopped);
    assert.match(
      init,
      /\n\s*precedent sync --stop\n\s*precedent backup --restore /,
      'else the next sync brings it back',
    );
    assert.deepEqual(readdirSync(join(eve.data, 'sync')), [], 'the copy of the branch is gone');
    assert.match(
      (await eve.typed('sync', '--stop')).said,
      /found one that is not/,
      'there is nothing to stop',
    );
    await eve.done('backup', '--restore', backup, '--force', '--yes');
    const left = await eve.done('list');
    assert.match(left, /Roses/, 'as it was before');
    assert.doesNotMatch(left, /JWT/);
    assert.match((await eve.typed('sync')).said, /Expected a place to sync/, 'nothing comes again');
    for (const [wrong, said] of [
      [join(eve.top, 'no', 'such'), /found neither/],
      [eve.data, /Expected an empty folder/],
    ] as const)
      assert.match((await eve.typed('sync', '--init', wrong, '--yes')).said.replace(/\s+/g, ' '), said);
    assert.equal(existsSync(join(eve.top, 'no')), false);
    assert.match((await eve.typed('sync', '--init', 'gti', '--yes')).said, /precedent sync --init \.\/gti/);
    assert.equal(existsSync(join(eve.top, 'gti')), false);
    assert.match(
      await kim.done('sync', '--status'),
      new RegExp(`branch "precedent" of ${remote}, last on \\d{4}`),
    );
    const would = await kim.done('sync', '--init', './shared', '--dry-run');
    assert.match(would.replace(/\s+/g, ' '), /and no longer sync with branch "precedent" of/);
    assert.match(await kim.done('sync', '--init', './shared', '--yes'), /No longer synced with branch/);
    assert.match(await kim.done('sync', '--status'), /with .*shared, last on/);
  });

  it('[Y-10] [Y-5] in CI a fresh clone that may not push reads the branch, and a check asks for the word of its locks', async (test) => {
    const remote = remoteOn(test);
    const kim = laptop(test, remote, 'Kim');
    await kim.done(
      'decide',
      'api:errors',
      '오류에 번호가 있다',
      '--strength',
      'lock',
      '--files',
      'src/api/**',
      '--date',
      '2026-01-01',
    );
    await kim.done('sync', '--init', '--yes');
    const ci = laptop(test, remote, 'ci');
    writeFileSync(join(remote, 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    mkdirSync(join(ci.top, 'src', 'api'), { recursive: true });
    writeFileSync(join(ci.top, 'src', 'api', 'a.ts'), 'throw 1;\n');
    git(ci.top, 'add', '--all');
    commit(ci.top, 'a change');
    await ci.done('sync', '--init', '--yes');
    const { code, said } = await ci.typed('check', 'origin/main...HEAD', '--strict');
    assert.equal(code, 1, said);
    assert.match(said, /오류에 번호가 있다/);
  });

  it('[Y-8] with --ask a third laptop is kept apart, by name, until sync trust', async (test) => {
    const remote = remoteOn(test);
    const [kim, eve] = [laptop(test, remote, 'Kim'), laptop(test, remote, 'Eve')];
    await kim.done('sync', '--init', '--ask', '--yes');
    await eve.decide('db', 'One file');
    assert.match(await eve.done('sync', '--init', '--yes'), /1 fact/);
    const apart = await kim.done('sync');
    const [, name = ''] = apart.match(/held back: (m-\w+) Eve: 1 decision, 0 binding/) ?? [];
    assert.match(apart, new RegExp(`precedent sync trust ${name}\n`));
    assert.match((await kim.typed('why', 'db')).said, /Nothing|no decision/i);
    assert.match((await kim.typed('sync', 'trust')).said, /precedent sync trust MACHINE/);
    assert.match(
      (await kim.typed('sync', '--init', '--yes', '/shared')).said,
      /: precedent sync --init \/shared\n/,
    );
    assert.match((await kim.typed('sync', 'trust', 'm-other')).said, new RegExp(`Expected one of .*${name}`));
    assert.match(await kim.done('sync', 'trust', name), /1 record from Eve/);
    assert.match(await kim.done('why', 'db'), /One file/);
  });

  it('[Y-4] a branch that was rewritten, emptied or removed loses nothing: what is missing is said again', async (test) => {
    const remote = remoteOn(test);
    const [kim, lee] = await replicas(test, remote);
    await kim.memory.mama.save({ topic: 'one', decision: 'first' });
    await kim.sync();
    await lee.memory.mama.save({ topic: 'two', decision: 'second' });
    await lee.sync();
    const tree = git(remote, 'rev-parse', 'precedent^{tree}');
    const squashed = git(remote, 'commit-tree', tree, '-m', 'squashed');
    git(remote, 'update-ref', 'refs/heads/precedent', squashed);
    assert.equal((await lee.sync()).said, 0);
    const empty = git(
      remote,
      'commit-tree',
      git(remote, 'hash-object', '-w', '-t', 'tree', '/dev/null'),
      '-m',
      'gone',
    );
    git(remote, 'update-ref', 'refs/heads/precedent', empty);
    assert.equal((await lee.sync()).said, 2, 'also what others said');
    git(remote, 'update-ref', '-d', 'refs/heads/precedent');
    await lee.sync();
    assert.equal(filesOf(remote).length, 1);
    await kim.sync();
    for (const each of [kim, lee]) assert.deepEqual(await each.texts(), ['first', 'second']);
  });

  it('[Y-1] [Y-4] what a git that was killed left of our own folder stops no sync: it is made anew', async (test) => {
    const remote = remoteOn(test);
    const [kim, lee] = await replicas(test, remote);
    await kim.sync();
    await lee.sync();
    const own = join(kim.copies, readdirSync(kim.copies)[0] ?? '', '.git');
    const texts: string[] = [];
    for (const [what, harm] of Object.entries({
      'begun and not made': () => {
        rmSync(own, { recursive: true });
        mkdirSync(own);
      },
      'a lock of a reference': () => writeFileSync(join(own, 'refs', 'precedent', 'theirs.lock'), ''),
      'an empty reference': () => writeFileSync(join(own, 'refs', 'precedent', 'theirs'), ''),
      'an object that was not written': () => {
        for (const name of readdirSync(join(own, 'objects', 'pack')).map((file) =>
          join(own, 'objects', 'pack', file),
        ))
          rmSync(name);
        for (const name of readdirSync(join(own, 'objects')).filter((folder) => /^..$/.test(folder)))
          rmSync(join(own, 'objects', name), { recursive: true });
      },
      'no head': () => rmSync(join(own, 'HEAD')),
    })) {
      await lee.memory.mama.save({ topic: what, decision: what });
      await lee.sync();
      harm();
      texts.push(what);
      await kim.sync().catch((error) => assert.fail(`${what}: ${error}`));
      assert.deepEqual(await kim.texts(), texts.toSorted(), what);
    }
  });

  it('[Y-7] what was blanked stays in no object of git here once the branch was begun anew', async (test) => {
    const remote = remoteOn(test);
    const [kim, lee] = await replicas(test, remote);
    const { id } = await kim.memory.mama.save({ topic: 'db', decision: '암호는 hunter2-key 이다' });
    for (const each of [kim, lee]) await each.sync();
    await kim.memory.redact(id, 'hunter2-key');
    for (const each of [kim, lee]) await each.sync();
    const objectsOf = ({ copies }: { copies: string }) => {
      const [copy = ''] = readdirSync(copies);
      return git(join(copies, copy), 'cat-file', '--batch', '--batch-all-objects', '--unordered');
    };
    assert.match(objectsOf(kim), /hunter2-key/, 'history keeps it until then');
    git(remote, 'update-ref', '-d', 'refs/heads/precedent');
    for (const each of [kim, lee, kim]) await each.sync();
    for (const each of [kim, lee]) {
      const objects = objectsOf(each);
      assert.match(objects, /암호는/);
      assert.doesNotMatch(objects, /hunter2/);
    }
    await kim.memory.sync(null, { copies: kim.copies });
    assert.deepEqual(readdirSync(kim.copies), [], 'and nothing of it is kept once it is not synced');
  });

  it('[Y-5] who is quicker is heard first, and the second one is sent all the same', async (test) => {
    const remote = remoteOn(test);
    const [kim, lee] = await replicas(test, remote);
    await kim.sync();
    await kim.memory.mama.save({ topic: 'one', decision: 'of Kim' });
    await lee.memory.mama.save({ topic: 'two', decision: 'of Lee' });
    const processes = process.getBuiltinModule('node:child_process');
    const { execFile } = processes;
    let races = 1;
    let isLast = false;
    const quicker = (...call: Parameters<typeof execFile>) => {
      const words = call[1] as string[];
      if (!words.includes('push') || !words.some((word) => word.startsWith(kim.copies)) || races-- <= 0)
        return execFile(...call);
      const before = isLast ? lee.memory.mem.save({ title: 'another', content: `note ${races}` }) : undefined;
      void Promise.resolve(before)
        .then(lee.sync)
        .then(() => execFile(...call));
      return {};
    };
    test.mock.method(processes, 'execFile', quicker);
    const said = await kim.sync();
    assert.deepEqual([said.said, said.came.map(({ records }) => records)], [1, [1]]);
    await lee.sync();
    for (const each of [kim, lee]) assert.deepEqual(await each.texts(), ['of Kim', 'of Lee']);
    assert.equal(filesOf(remote).length, 2);
    [races, isLast] = [9, true];
    await kim.memory.mama.save({ topic: 'three', decision: 'of Kim again' });
    await assert.rejects(kim.sync(), /pushed first, 3 times/);
    races = 0;
    assert.equal((await kim.sync()).said, 1);
  });

  it('[Y-8] what is on any other branch, as that of a pull request, never reaches a memory', async (test) => {
    const remote = remoteOn(test);
    const [kim, lee] = await replicas(test, remote);
    await kim.memory.mama.save({ topic: 'one', decision: 'of Kim' });
    await kim.sync();
    await lee.memory.mama.save({ topic: 'two', decision: 'of a stranger', strength: 'lock' });
    const fork = remoteOn(test);
    await lee.memory.sync(`git:${fork}`, { copies: lee.copies });
    for (const name of [
      'refs/pull/7/head',
      'refs/heads/precedent-2',
      'refs/heads/main',
      'refs/tags/precedent',
    ])
      git(fork, 'push', '--quiet', '--force', remote, `precedent:${name}`);
    await kim.sync();
    assert.deepEqual(await kim.texts(), ['of Kim']);
    // Nor does a work tree with the folder of segments in it.
    assert.equal(readdirSync(kim.copies).length, 1);
  });

  it('[Z-1] [Z-9] an address is one over https, ssh or a folder, and keeps no password', () => {
    for (const [given, kept] of Object.entries({
      'https://github.com/acme/app.git': 'https://github.com/acme/app.git',
      'https://kim:hunter2hunter2@github.com/acme/app': 'https://kim@github.com/acme/app',
      'https://:hunter2hunter2@github.com/acme/app': 'https://@github.com/acme/app',
      'https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@github.com/a/b': 'https://github.com/a/b',
      'git@github.com:acme/app.git': 'git@github.com:acme/app.git',
      'host:app.git': 'host:app.git',
      'ssh://git@host:2222/app': 'ssh://git@host:2222/app',
      'file:///srv/app.git': 'file:///srv/app.git',
      '/srv/app.git': '/srv/app.git',
      'ext::sh -c date': undefined,
      'ext::date': undefined,
      '-oProxyCommand=date:x': undefined,
      '--upload-pack=date': undefined,
      'http://host/app': undefined,
      'git://host/app': undefined,
      'postgres://u:p@h/d': undefined,
      'a\nb@c:d': undefined,
      '': undefined,
    }))
      assert.equal(addressOf(given), kept, given);
  });
});
