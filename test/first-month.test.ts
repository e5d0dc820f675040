import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { respond } from '../src/hook/respond.ts';
import { workbench } from './support/program.ts';

/** The questions of a first month, one command each; an agent saved in the name of the person who asks. */
describe('what a person asks about their agent after a month', () => {
  const bench = workbench({ after }, 'here');
  const data = join(bench.folder, 'data');
  const env = { PRECEDENT_AUTHOR: 'Kim <kim@example.com>', XDG_DATA_HOME: data };
  const type = (...args: string[]) => bench.succeed(args, { env });

  before(async () => {
    mkdirSync(join(data, 'precedent'), { recursive: true });
    await type('decide', 'auth:token', 'Tokens live in a cookie', '--strength', 'axis', '--scope', 'global');
    const { ask } = await bench.connect({ name: 'claude-code', version: '2.1.330', env });
    await ask('mama_save', {
      topic: 'auth:jwt',
      decision: 'JWT는 localStorage에 둔다',
      reasoning: '간단하다',
    });
    for (let n = 1; n <= 30; n++)
      await ask('mem_save', { title: `Run ${n}`, content: `All ${n} tests pass` });
    // In this process: a hook that is started has a deadline.
    let shown = '';
    await respond({
      agent: 'claude',
      payload: { session_id: 'talk', hook_event_name: 'SessionStart', source: 'startup', cwd: bench.folder },
      options: { db: bench.db, workspace: 'bench' },
      environment: env,
      cwd: bench.folder,
      write: async (text) => {
        shown += text;
      },
      note: async () => {},
    });
    assert.match(shown, /Tokens live in a cookie/);
  });

  it('[V-1] 2: what did my agent save today?', async () => {
    const answer = await type('log', 'via:agent', 'since:today', '-n', '100');
    assert.equal(answer.match(/via claude-code/g)?.length, 31);
    assert.match(answer, /auth:jwt {2}JWT는 localStorage에 둔다/);
    assert.doesNotMatch(answer, /auth:token/);
  });

  it('[V-4] 18 and 19: what did the agent see in its last session?', async () => {
    assert.match(await type('list', 'sessions'), /claude {2}.*shown 1 record; 0 prompts/);
    const { sessions } = JSON.parse(await type('list', 'sessions', '--json'));
    const dates = sessions.map(({ last }: { last: string }) => last);
    assert(dates.length > 1);
    assert.deepEqual(dates, dates.toSorted().reverse(), 'the newest first');
    const told = sessions.find(({ shown }: { shown: string[] }) => shown.length > 0);
    assert.match(
      await type('list', `session:${told.session}`),
      /shown by hooks\nauth:token(.|\n)*Tokens live in a cookie/,
    );
    const [{ at, event, ids }] = told.told;
    assert.deepEqual([typeof at, event, ids], ['number', told.told[0].event, told.shown]);
    assert.match(
      await type('list', `session:${told.session}`),
      new RegExp(`told\\n.*today \\d\\d:\\d\\d {2}${event} {2}auth:token\\n`),
    );
    const saved = sessions.find(({ saves }: { saves: number }) => saves > 0);
    assert.deepEqual([saved.via, saved.saves, saved.undone], ['claude-code', 31, 0]);
    assert.match(
      await type('list', `session:${saved.session.slice(0, 8)}`),
      /noted {2}Run 30 {2}All 30 tests pass/,
    );
    const { code } = await bench.run(['list', 'session:zz'], { env });
    assert.equal(code, 3);
  });

  it('[V-3] 23: a weekly review to paste', async () => {
    const answer = await type('review', '--markdown');
    assert.match(answer, /^# Review of bench/);
    assert.match(answer, /^- \*\*auth:jwt\*\* JWT는 localStorage에 둔다 \(decided · .* via claude-code/m);
    assert.match(answer, /^## These say nearly the same \(30\)$/m);
  });

  it('[V-4] 21: does my agent save too little?', async () => {
    const { sessions } = JSON.parse(await type('list', 'sessions', '--json'));
    const counts = sessions.map(({ saves, shown }: { saves: number; shown: string[] }) => [
      saves,
      shown.length,
    ]);
    assert.deepEqual(counts, [
      [0, 1],
      [31, 0],
    ]);
    assert.match(
      await type('list', 'sessions'),
      /saved 0; shown 1 record.*\n.*claude-code.*saved 31; not shown anything/,
    );
  });

  it('[V-8] 8 and 24: something to read for a new colleague, and for somebody who is no developer', async () => {
    const page = await type('export', '--format', 'html');
    assert.match(page, /^<!doctype html>/i);
    assert.match(page, /Tokens live in a cookie/);
    assert.match(page, /@media print/);
  });

  it('[V-8] 31: a backup each night', async () => {
    const folder = join(bench.folder, 'backups');
    for (let night = 1; night <= 3; night++) await type('backup', folder, '--keep', '2');
    const kept = readdirSync(folder);
    assert.equal(kept.length, 2);
    const copy = await type('--db', join(folder, kept[0] ?? ''), '--workspace', 'bench', 'list');
    assert.match(copy, /auth:token, axis {2}Tokens live in a cookie/);
  });

  it('[V-7] 35: what a screen reader or a pipe gets has no boxes', async () => {
    for (const TERM of ['dumb', 'xterm'])
      for (const args of [['doctor'], ['rules'], ['list'], ['review']]) {
        const said = await bench.succeed(args, { env: { ...env, TERM } });
        assert.doesNotMatch(said, /[\u2500-\u257f]/, args.join(' '));
      }
    assert.match(await type('doctor'), /^write, read\twork$/m);
  });

  it('[V-5] 40: look at it again in March', async () => {
    await type('decide', 'ui:beta', 'The beta has a banner', '--revisit', '2027-03-01');
    assert.match(
      await type('list', 'topic:ui:beta'),
      /revisit 2027-03-01 {2}ui:beta {2}The beta has a banner/,
    );
    await type('undo');
  });

  describe('in a repository', () => {
    const cwd = join(bench.folder, 'shop');
    const own = { ...env, PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined };
    const here = (...args: string[]) => bench.succeed(args, { env: own, cwd });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=k', '-c', 'user.email=k@example.com', ...args], {
        env: { ...process.env, GIT_COMMITTER_DATE: '2026-10-15T12:00:00Z' },
      });

    it('[U-5] 38: what was decided as of the tag v1.2?', async () => {
      git('init', '-q', cwd);
      git('-C', cwd, 'commit', '-q', '--allow-empty', '-m', 'one');
      git('-C', cwd, 'tag', 'v1.2');
      await here('decide', 'api:page', 'By offset', '--date', '2026-10-01');
      await here('decide', 'api:page', 'By a cursor', '--date', '2026-11-01');
      assert.match(await here('list', '--at', 'v1.2'), /as it was on 2026-10-15[\s\S]*api:page {2}By offset/);
      assert.match(await here('show', 'api:page', '--at', 'HEAD'), /By offset/);
      const { code, stderr } = await bench.run(['list', '--at', '--all'], { env: own, cwd });
      assert.deepEqual([code, stderr.includes('By')], [2, false]);
      assert.match((await bench.run(['list', '--at', 'v9'], { env: own, cwd })).stderr, /found "v9"/);
    });

    it('[Z-2] 13: a clone in another folder', async () => {
      const clone = join(bench.folder, 'clone');
      git('clone', '-q', cwd, clone);
      const there = (...args: string[]) => bench.run(args, { env: own, cwd: clone });
      const [, command = ''] = /precedent (workspaces join [^\s;]+)/.exec((await there('list')).stderr) ?? [];
      assert.equal((await there(...command.split(' '))).code, 0);
      assert.match((await there('list')).stdout, /By a cursor/);
    });

    it('[V-6] 16: off for this repository', async () => {
      assert.match(await here('off'), /off here: nothing is read or saved/);
      assert.equal((await bench.run(['note', 'T', 'x'], { env: own, cwd })).code, 5);
      await here('on');
      assert.match(await here('log'), /By a cursor/);
    });

    it('[A-1] 30: uninstalled without a trace, and what stays is said', async () => {
      const before = readdirSync(bench.folder);
      mkdirSync(join(bench.folder, '.cursor'));
      await here('setup', 'cursor');
      assert.match(await here('unsetup'), /Your memories stay in .*precedent/);
      assert.deepEqual(readdirSync(join(bench.folder, '.cursor')), []);
      rmdirSync(join(bench.folder, '.cursor'));
      assert.deepEqual(readdirSync(bench.folder), before);
    });
  });

  it('[V-2] 20: remove 30 junk records', async () => {
    assert.match(await type('undo', 'via:claude', 'kind:observation', '--yes'), /✔ 30 saves undone/);
    assert.match(await type('list', 'notes'), /^No note is active in workspace .* \(30 ended\)\./);
  });

  it('[V-2] 3: the agent saved something wrong: kill it', async () => {
    await type('undo', 'auth:jwt', '--yes');
    for (const command of [
      ['search', 'localStorage'],
      ['list', 'localStorage'],
      ['recall', 'JWT를 어디에 두나'],
    ])
      assert.doesNotMatch(await type(...command), /JWT는/, command.join(' '));
    assert.match(await type('list', 'sessions'), /saved 31 \(31 undone\)/);
  });
});
