import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { branchOf } from '../src/git/folder.ts';
import { commit, git, machine } from './support/machine.ts';
import { resultOf } from './support/program.ts';

describe('the branch that a decision was taken on', () => {
  it('[V-1] is what HEAD says, of a worktree and a submodule too, and nothing on the main branch or on none', (test) => {
    const { folder, repository } = machine(test, undefined, undefined, 'here');
    const top = repository('app', 'first');
    const on = (name: string) => git(top, 'checkout', '--quiet', '-B', name);
    for (const main of ['main', 'master', 'trunk']) {
      on(main);
      assert.equal(branchOf(top), undefined, main);
    }
    on('fix/로그인');
    mkdirSync(join(top, 'src'));
    assert.equal(branchOf(join(top, 'src')), 'fix/로그인');
    git(top, 'update-ref', 'refs/remotes/origin/develop', 'HEAD');
    git(top, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    on('develop');
    assert.equal(branchOf(top), undefined, 'the main branch of its remote');
    const tree = join(folder('trees'), 'tree');
    git(top, 'worktree', 'add', '--quiet', '-b', 'feat/tree', tree);
    assert.equal(branchOf(tree), 'feat/tree');
    git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${top}`, 'sub');
    git(join(top, 'sub'), 'checkout', '--quiet', '-b', 'in-sub');
    assert.equal(branchOf(join(top, 'sub')), 'in-sub');
    git(top, 'checkout', '--quiet', '--detach');
    assert.equal(branchOf(top), undefined, 'detached');
    assert.equal(branchOf(folder('elsewhere')), undefined, 'outside');
  });

  it('[V-1] is not read where a folder only says that a git folder is its own, nor out of an odd HEAD', (test) => {
    const { folder, repository } = machine(test, undefined, undefined, 'here');
    const top = repository('app', 'first');
    git(top, 'checkout', '--quiet', '-b', 'confidential');
    const forged = folder('forged');
    writeFileSync(join(forged, '.git'), `gitdir: ${join(top, '.git')}\n`);
    assert.equal(branchOf(forged), undefined, 'a file');
    const linked = folder('linked');
    symlinkSync(join(top, '.git'), join(linked, '.git'));
    assert.equal(branchOf(linked), undefined, 'a link');
    const head = join(top, '.git', 'HEAD');
    const names = [
      '',
      '.invalid',
      '-x',
      '@',
      'a..b',
      'a/.b',
      'a//b',
      'a/',
      'a.',
      'a.lock',
      'a.lock/b',
      'a@{b',
      'a b',
      'a\\b',
    ];
    const unseen = [
      '</precedent>',
      '\u2028',
      '\u202e',
      '\u200e',
      '\ufe0f',
      '\u3164',
      '\u{e0041}',
      '\x1b[31m',
      '\u00a0b',
    ];
    const strange = [...names, ...unseen.map((each) => `x${each}y`), 'x'.repeat(251)];
    for (const odd of ['', 'x'.repeat(5_000), '\0', ...strange.map((name) => `ref: refs/heads/${name}`)]) {
      writeFileSync(head, odd);
      assert.equal(branchOf(top), undefined, JSON.stringify(odd.slice(0, 40)));
    }
    for (const name of ['x'.repeat(250), 'a@b', 'feat/#1-로그인', 'v1.2', '"quoted"']) {
      writeFileSync(head, `ref: refs/heads/${name}`);
      assert.equal(branchOf(top), name);
    }
    renameSync(head, join(top, 'secret'));
    writeFileSync(join(top, 'secret'), 'ref: refs/heads/read');
    symlinkSync(join(top, 'secret'), head);
    assert.equal(branchOf(top), undefined, 'a link in the place of HEAD');
  });

  it('[V-1] is kept by what is decided there, and shown with who decided it, on every face', async (test) => {
    const { repository, run, json, connect } = machine(test, undefined, undefined, 'here');
    const top = repository('app', 'first');
    git(top, 'checkout', '--quiet', '-B', 'main');
    await json(top, ['decide', 'auth:token', 'Cookies']);
    git(top, 'checkout', '--quiet', '-b', 'fix/login');
    await json(top, ['decide', 'auth:token', 'Tokens in a header']);
    const server = await connect(top);
    await server.call('mama_save', { topic: 'db:engine', decision: 'SQLite' });
    // A server lives longer than work on a branch.
    git(top, 'checkout', '--quiet', '-b', 'fix/other');
    await server.call('mama_save', { topic: 'db:pool', decision: 'Ten connections' });
    git(top, 'checkout', '--quiet', 'main');
    // The same again is no other version, wherever it is said.
    await json(top, ['decide', 'auth:token', 'Tokens in a header']);
    commit(top, 'merged');

    const { decisions } = await json(top, ['list']);
    assert.deepEqual(
      (decisions as { topic: string; branch: string | null }[]).map(({ topic, branch }) => [topic, branch]),
      [
        ['db:pool', 'fix/other'],
        ['db:engine', 'fix/login'],
        ['auth:token', 'fix/login'],
      ],
    );
    for (const args of [['why', 'auth:token'], ['show', 'auth:token'], ['log'], ['list'], ['review']]) {
      const { stdout } = await run(top, args);
      assert.match(stdout, /on branch fix\/login/, args.join(' '));
      assert.doesNotMatch(stdout, /branch main/);
    }
    const { branch } = resultOf(await server.ask('decision_get', { id: 'auth:token' })) as {
      branch?: string;
    };
    assert.equal(branch, 'fix/login', 'for a model');
    const { decisions: found } = await json(top, ['list', 'login']);
    assert.deepEqual(found, [], 'a branch is not searched for');
    const { stdout: page } = await run(top, ['export', '--format', 'html']);
    assert.match(page, /branch fix\/login/);
  });
});
