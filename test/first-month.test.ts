import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
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

  it('[V-4] 18 and 19: what did the agent see in its last session, and what did that cost?', async () => {
    assert.match(await type('sessions'), /shown 1 record, \d+ tokens in \d prompts/);
    const { sessions } = JSON.parse(await type('sessions', '--json'));
    const dates = sessions.map(({ last }: { last: string }) => last);
    assert(dates.length > 1);
    assert.deepEqual(dates, dates.toSorted().reverse(), 'the newest first');
    const told = sessions.find(({ shown }: { shown: string[] }) => shown.length > 0);
    assert.match(
      await type('sessions', told.session),
      /shown by hooks\nauth:token(.|\n)*Tokens live in a cookie/,
    );
    const saved = sessions.find(({ saves }: { saves: number }) => saves > 0);
    assert.deepEqual([saved.via, saved.saves, saved.undone], ['claude-code', 31, 0]);
    assert.match(await type('sessions', saved.session.slice(0, 8)), /noted {2}Run 30 {2}All 30 tests pass/);
    const { code } = await bench.run(['sessions', 'zz'], { env });
    assert.equal(code, 3);
  });

  it('[V-3] 23: a weekly review to paste', async () => {
    const answer = await type('review', '--markdown');
    assert.match(answer, /^# Review of bench/);
    assert.match(answer, /^- \*\*auth:jwt\*\* JWT는 localStorage에 둔다 \(decided · .* via claude-code/m);
    assert.match(answer, /^## These say nearly the same \(30\)$/m);
  });

  it('[V-2] 20: remove 30 junk records', async () => {
    assert.match(await type('undo', 'via:claude', 'kind:observation', '--yes'), /✔ 30 saves undone/);
    assert.match(await type('list', 'notes'), /^Nothing found/);
  });

  it('[V-2] 3: the agent saved something wrong: kill it', async () => {
    await type('undo', 'auth:jwt', '--yes');
    for (const command of [
      ['search', 'localStorage'],
      ['list', 'localStorage'],
      ['recall', 'JWT를 어디에 두나'],
    ])
      assert.doesNotMatch(await type(...command), /JWT는/, command.join(' '));
    assert.match(await type('sessions'), /saved 31 \(31 undone\)/);
  });
});
