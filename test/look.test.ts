import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import stringWidth from 'fast-string-width';
import { markOf } from '../src/cli/output/print.ts';
import { render } from '../src/cli/output/render.ts';
import { openMemory } from '../src/index.ts';
import { operations } from '../src/operations/index.ts';
import { OF_PROGRAMS, PROGRAM, type Where, workbench } from './support/program.ts';

// Dates are shown in the time of this place.
process.env.TZ = 'UTC';

/** A minute's work on a fixed day: ids, authors and dates are the same in every run. */
async function life() {
  let ids = 0;
  let now = Date.UTC(2026, 9, 31, 3);
  const memory = await openMemory({
    db: ':memory:',
    workspace: 'shop',
    writer: { author: 'Kim <kim@example.com>' },
    clock: () => (now += 1_000),
    newId: () =>
      `${(++ids * 0x1f3d5b79).toString(16).padStart(8, '0').slice(-8)}-0000-4000-8000-000000000000`,
  });
  const first = await memory.mama.save({
    topic: 'auth:token',
    decision:
      'Keep the access token in local storage and send it in the Authorization header on every request',
    reasoning:
      'Simplest thing for a single-page app; no cookie domain issues between app. and api. subdomains.',
  });
  await memory.mama.update({ id: first.id, outcome: 'failed', reason: 'A script of a widget could read it' });
  await memory.mama.save({
    topic: 'auth:token',
    decision:
      '브라우저에는 아무 뜻 없는 난수 세션 식별자만 HttpOnly 쿠키로 내려보낸다. 자바스크립트는 토큰을 만지지 않는다.',
    reasoning: '메모리 보관은 새로고침마다 갱신 요청이 생겨 첫 화면이 300ms 늦었다.',
  });
  await memory.decision.save({
    text: '모든 시각은 UTC 밀리초로 저장하고, 화면에서만 지역 시각으로 바꾼다',
    scope: 'global',
    strength: 'axis',
  });
  await memory.mem.save({
    title: '토큰 만료가 어긋난다',
    content: '서버 두 대의 시계가 이 분 차이 나서 token이 거절되었다. chrony를 모든 서버에 설치했다.',
  });
  return memory;
}

const ASKED: [operation: string, input: object][] = [
  ['mama_search', { query: 'token 토큰' }],
  ['search', { query: 'token 토큰' }],
  ['show', { ref: 'auth:token' }],
  ['decision_retrieve', { domain: 'auth' }],
  ['recall', { task: '토큰 token', domain: 'auth' }],
];

/** The answers as they look at a width, three weeks later. */
async function looks(width: number): Promise<string> {
  const memory = await life();
  const shown: string[] = [];
  for (const [name, input] of ASKED) {
    const operation = operations.find((each) => each.name === name);
    assert(operation);
    const terminal = { width, color: false, now: new Date(Date.UTC(2026, 10, 21, 12)) };
    shown.push(
      `$ ${name}`,
      render(operation.view?.((await memory.call(name, input)) as never) ?? [], terminal),
      '',
    );
  }
  await memory.close();
  return shown.join('\n');
}

describe('[U-9] an answer fits its terminal', () => {
  for (const width of [40, 80, 120]) {
    it(`of ${width} columns, in English and Korean`, async () => {
      const file = join('test', 'looks', `${width}.txt`);
      const shown = await looks(width);
      for (const line of shown.split('\n')) assert(stringWidth(line) <= width, line);
      if (process.env.UPDATE_LOOKS) writeFileSync(file, shown);
      assert.equal(shown, readFileSync(file, 'utf8'), `UPDATE_LOOKS=1 writes ${file}`);
    });
  }

  it('marks what was asked for, and where a word begins', () => {
    const marked = (question: string, text: string) =>
      text.replace(markOf(question) ?? /$^/, (found) => `[${found}]`);
    assert.equal(marked('Token', 'token, tokens, betoken'), '[token], [token]s, betoken');
    assert.equal(marked('토큰', '세션토큰을'), '세션[토큰]을');
    assert.equal(marked('a.b*', 'a.b*'), 'a.b*', 'letters alone are too short');
    assert.equal(markOf(undefined), undefined);
  });

  async function saved(test: TestContext, where?: Where) {
    const bench = workbench(test, where);
    const memory = await openMemory({ db: bench.db, workspace: 'bench' });
    for (let n = 1; n <= 12; n++)
      await memory.mama.save({ topic: `auth:t${n}`, decision: `Token ${n}`, reasoning: 'Because' });
    await memory.close();
    return bench;
  }

  it('takes its width from COLUMNS, and its colours from --color', async (test) => {
    const bench = await saved(test, 'here');
    const said = async (env: Record<string, string>, ...args: string[]) =>
      (await bench.run(['tool', 'decision_retrieve', 'auth', ...args], { env })).stdout;
    assert.match(await said({ COLUMNS: '60' }), /│ domain\+normal/);
    assert.match(await said({ COLUMNS: '59' }), /^tier: domain\+normal$/m);
    assert.equal(await said({ COLUMNS: '7' }), await said({ COLUMNS: '40' }));
    const colour = '\u001b[';
    assert(!(await said({})).includes(colour));
    assert((await said({ NO_COLOR: '1' }, '--color', 'always')).includes(colour));
    assert(!(await said({ FORCE_COLOR: '1' }, '--color', 'never')).includes(colour));
    assert.equal((await bench.run(['--color', 'pink', 'doctor'])).code, 2);
  });

  const hasScript = spawnSync('script', ['--version']).status === 0;
  it('is paged on a terminal alone, 80 columns wide where that has none', {
    skip: !hasScript && 'needs script(1)',
  }, async (test) => {
    const bench = await saved(test);
    const typed = (columns: number, command: string, env: Record<string, string> = {}) => {
      const line = `stty cols ${columns} rows 10; '${process.execPath}' '${PROGRAM}' ${command}`;
      const own = {
        ...OF_PROGRAMS,
        PATH: process.env.PATH,
        HOME: bench.folder,
        PRECEDENT_DB: bench.db,
        TERM: 'xterm',
        ...env,
      };
      return spawnSync('script', ['-qec', line, '/dev/null'], { env: own, encoding: 'utf8' }).stdout;
    };
    const pager = { PRECEDENT_PAGER: 'sed s/^/PAGED:/' };
    assert.match(typed(80, 'tool mama_search --color never', pager), /PAGED:auth:t12/);
    assert.doesNotMatch(typed(80, 'tool mama_search --no-pager', pager), /PAGED:/);
    assert.doesNotMatch(typed(80, 'tool mama_search --limit 1 ', pager), /PAGED:/);
    assert.doesNotMatch(typed(80, 'tool mama_search | cat', pager), /PAGED:/);
    assert.match(typed(80, 'tool mama_search', { PRECEDENT_PAGER: 'no-such-pager 2>/dev/null' }), /auth:t12/);
    const wide = typed(0, 'rules auth --limit 1 --no-pager --color never');
    assert.match(wide, /│ domain\+normal/);
  });
});
