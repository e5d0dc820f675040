import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import stringWidth from 'fast-string-width';
import { resultOf, workbench } from './support/program.ts';

/** A memory with a little of everything. */
async function furnished(test: Parameters<typeof workbench>[0]) {
  const bench = workbench(test, 'here');
  const by = (author: string) => ({ env: { PRECEDENT_AUTHOR: author } });
  const kim = by('Kim <kim@example.com>');
  await bench.succeed(['tool', 'mama_save', 'auth:token', 'Keep JWTs in local storage'], kim);
  await bench.succeed(['tool', 'mama_update', 'auth:token', 'failed', '스크립트가 읽을 수 있었다'], kim);
  const next = ['tool', 'mama_save', 'auth:token', 'Keep session cookies', '--strength', 'lock'];
  await bench.succeed([...next, '--evidence', 'a log', '--reasoning', 'Scripts read them'], by('Lee'));
  await bench.succeed(['tool', 'mama_save', 'db:engine', 'SQLite 하나로 시작한다'], kim);
  await bench.succeed(['tool', 'mem_save', 'Clock drift', '시계가 90초 늦다', '--project', 'app'], kim);
  await bench.succeed(['tool', 'memo_save', 'A memo of tokens', '--keywords', 'token'], kim);
  return bench;
}

/** Short ids, dates and the line that names the memory away. */
const told = (printed: string) =>
  printed
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('workspace '))
    .map((line) =>
      line.replace(/\b[0-9a-f]{8}\b/g, '<id>').replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, '<day>'),
    );

describe('CLI: list, log, show', { concurrency: 2 }, () => {
  it('[U-3] the log is a line each: what became of it, short id, day, who, what, on what', async (test) => {
    const bench = await furnished(test);
    assert.deepEqual(told(await bench.succeed(['log'])), [
      '· <id>  <day> · Kim · memo  A memo of tokens',
      '· #1  <day> · Kim · noted  Clock drift  시계가 90초 늦다',
      '· <id>  <day> · Kim · decided  db:engine  SQLite 하나로 시작한다',
      '· <id>  <day> · Lee · evidence  auth:token  a log',
      '· <id>  <day> · Lee · revised  auth:token  Keep session cookies',
      '✗ <id>  <day> · Kim · failed  auth:token  스크립트가 읽을 수 있었다',
      '✗ <id>  <day> · Kim · decided  auth:token  Keep JWTs in local storage',
    ]);
    assert.deepEqual(told(await bench.succeed(['log', 'by:lee', '--kind', 'decision'])), [
      '· <id>  <day> · Lee · revised  auth:token  Keep session cookies',
    ]);
    assert.deepEqual((await bench.succeed(['log', '-n', '2'])).match(/^more: --cursor \S+$/m)?.length, 1);
    assert.equal(told(await bench.succeed(['log', 'since:2 weeks ago'])).length, 7);
    assert.match(
      await bench.succeed(['log', '--until', 'yesterday']),
      /^No record passes until "yesterday" in workspace bench \(\d+ without it\)\.$/m,
    );
  });

  it('[U-4] a list begins with the oldest where it is asked to, and goes on from there', async (test) => {
    const bench = workbench(test, 'here');
    for (const name of ['db:engine', 'ui:grid', 'auth:token']) {
      await bench.succeed(['decide', name, '오래간다']);
      await bench.succeed(['note', name, 'Noted']);
    }
    const shown = (printed: string) => printed.match(/db:engine|ui:grid|auth:token/g);
    for (const list of [['list'], ['list', 'notes']]) {
      assert.deepEqual(shown(await bench.succeed(list)), ['auth:token', 'ui:grid', 'db:engine']);
      const first = await bench.succeed([...list, '--reverse', '-n', '2']);
      assert.deepEqual(shown(first), ['db:engine', 'ui:grid']);
      const [, cursor = ''] = /--cursor (\S+)/.exec(first) ?? [];
      const rest = [...list, '--reverse', '-n', '2', '--cursor', cursor];
      assert.deepEqual(shown(await bench.succeed(rest)), ['auth:token']);
    }
  });

  it('[U-4] a word with a colon that is no filter is looked for as words, which an empty answer says', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'auth:token', '쿠키를 쓴다']);
    const said =
      '"감자:" is not a filter, so "감자:고구마" was looked for as words. Filters are scope:, topic:, by:';
    for (const command of ['list', 'log', 'search']) {
      const { stdout } = await bench.run([command, '감자:고구마']);
      assert(stdout.includes(said), stdout);
      for (const words of ['auth:token', 'nowhere', '"감자:고구마"']) {
        const other = await bench.run([command, words]);
        assert(!other.stdout.includes('is not a filter'), other.stdout);
      }
    }
  });

  it('[U-4] a list tells why something was decided from why it failed, and says when nobody said why', async (test) => {
    const bench = workbench(test, 'here');
    for (const [topic, reason] of [
      ['poll:each', ['Too many requests']],
      ['poll:long', []],
    ] as const) {
      await bench.succeed(['decide', topic, 'Poll', '--reasoning', 'Simple to do']);
      await bench.succeed(['failed', topic, ...reason]);
    }
    const { decisions } = JSON.parse(await bench.succeed(['list', '--reverse', '--json']));
    assert.deepEqual(
      decisions.map((each: { why?: string; failure?: string }) => [each.why, each.failure]),
      [
        ['Simple to do', 'Too many requests'],
        ['Simple to do', undefined],
      ],
    );
    const shown = await bench.succeed(['list']);
    assert.match(shown, /poll:long {2}Poll\n {2}failed \S+: no reason given\n/);
    assert.match(shown, /poll:each {2}Poll\n {2}failed \S+: Too many requests\n/);
  });

  it('[K-6] what was undone is called so, once in the log, and in the list of what was', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_AUTHOR: 'Kim' };
    await bench.succeed(['decide', 'ui:grid', 'Eight pixels'], { env });
    await bench.succeed(['undo'], { env });
    assert.deepEqual(told(await bench.succeed(['log'])), [
      '· <id>  <day> · Kim · undone  ui:grid  Eight pixels',
      '· <id>  <day> · Kim · decided, undone since  ui:grid  Eight pixels',
    ]);
    assert.match(await bench.succeed(['doctor']), /\b0 active decisions \(2 versions in all\)/);
    const mistaken = told(await bench.succeed(['list', 'is:mistaken']));
    assert.deepEqual(mistaken, [
      '· <id>  <day> · undone by Kim, <day>  ui:grid  Eight pixels',
      'Decisions alone. Undone notes, memos and outcomes: "precedent log kind:change".',
    ]);
    await bench.succeed(['note', 'Clock skew', 'NTP was off'], { env });
    await bench.succeed(['undo'], { env });
    assert.match(await bench.succeed(['log', 'kind:change']), /deleted {2}Clock skew/);
    assert.match(await bench.succeed(['log', 'kind:observation']), /noted, deleted since {2}Clock skew/);
    assert.match(await bench.succeed(['list', 'is:contradicted']), /Compared by words alone\./);
    await bench.succeed(['decide', 'ui:font', 'Inter'], { env });
    await bench.succeed(['withdraw', 'ui:font', 'Not ours'], { env });
    assert.match(await bench.succeed(['log', '-n', '1']), /withdrawn {2}ui:font/);
  });

  it('[U-2] why shows the decisions around one as a tree, so many links away', async (test) => {
    const bench = workbench(test, 'here');
    for (const [topic, basis] of [['at:a'], ['at:b', 'at:a'], ['at:c', 'at:b']] as const)
      await bench.succeed([
        'decide',
        topic,
        `Text ${topic.at(-1)}`,
        ...(basis ? ['--reasoning', `builds_on: ${basis}`] : []),
      ]);
    const around = async (depth: string) =>
      (await bench.succeed(['why', 'at:a', '--depth', depth])).split(/(?=around it)/)[1] ?? '';
    assert.match(await around('1'), /^around it: 1\n└─ built on by · at:b {2}Text b/);
    assert.match(
      await around('2'),
      /^around it: 2\n└─ built on by · at:b {2}Text b.*\n {3}└─ built on by · at:c {2}Text c/,
    );
  });

  it('why of the number of a note shows that note, and searches for no words', async (test) => {
    const bench = await furnished(test);
    assert.match(await bench.succeed(['why', '#1']), /^#1 Clock drift/);
    assert.equal((await bench.run(['why', '#9'])).code, 3);
  });

  it('[U-2] why has the reasons of all versions whole; a model is told where a long one of an earlier version is cut', async (test) => {
    const bench = workbench(test, 'here');
    const reason = '첫째 문장이다. The second sentence tells what the first does not.';
    for (const [text, reasoning] of [
      ['JWT', reason],
      ['Cookies', '가'.repeat(700)],
      ['Opaque', 'Short'],
    ] as const)
      await bench.succeed(['decide', '인증', text, '--reasoning', reasoning]);
    const server = await bench.connect();
    const read = JSON.stringify(resultOf(await server.ask('decision_get', { id: '인증' })));
    const people = (await bench.succeed(['why', '인증'])).replace(/\s+/g, ' ');
    for (const said of [people, await bench.succeed(['why', '인증', '--json']), read])
      assert(said.includes(reason), said);
    assert.match(people.replaceAll(' ', ''), /가{700}/);
    assert.match(read, /가… \[\+100 characters: decision_get of its id has all\]/);
  });

  it('[U-4] list takes a kind, words of a filter as they come from a shell, and options', async (test) => {
    const bench = await furnished(test);
    const list = async (...words: string[]) => told(await bench.succeed(['list', ...words]));
    const [db, cookies] = [
      '· <id>  <day> · Kim  db:engine  SQLite 하나로 시작한다',
      '· <id>  <day> · Lee  auth:token, lock  Keep session cookies',
    ];
    assert.deepEqual(await list(), [db, cookies]);
    assert.deepEqual(await list('decisions', 'scope:auth', 'session cookies'), [cookies]);
    assert.deepEqual(await list('--no-evidence'), [db]);
    assert.deepEqual(await list('--pending', '--strength', 'lock', '--author', 'lee'), [cookies]);
    assert.deepEqual(await list('notes', 'project:app'), [
      '· #1  <day> · Kim · manual  Clock drift  시계가 90초 늦다',
    ]);
    assert.equal((await list('memos', 'token'))[0], 'A memo of tokens');
    assert.deepEqual(await list('topics'), await told(await bench.succeed(['list', 'topics'])));
    assert.deepEqual(told(await bench.succeed(['list', 'topics', 'auth:'])), [
      '· auth:token  <id> · <day> · 2 versions',
    ]);
    assert.deepEqual(told(await bench.succeed(['list', 'scopes'])), ['auth  1 lock', 'db  1 normal']);
    assert.deepEqual(told(await bench.succeed(['list', 'authors'])), [
      'Kim <kim@example.com>  6 records',
      'Lee  2 records',
    ]);
    const { code, stderr } = await bench.run(['list', 'scop:auth']);
    assert.equal(code, 2);
    assert.match(stderr, /Did you mean "scope:auth"\?/);
  });

  it('[U-4] [U-8] a filter may be quoted whole, and whoever finds nothing is told where to look', async (test) => {
    const bench = await furnished(test);
    const replaced = '✗ <id>  <day> · Kim  auth:token, superseded  Keep JWTs in local storage';
    const failed = told(await bench.succeed(['list', 'outcome:failed state:any scope:auth']));
    assert.equal(failed[0], replaced);
    assert.deepEqual(told(await bench.succeed(['list', 'outcome:failed']))[0], replaced);
    const inactive = await bench.succeed(['list', 'outcome:failed', 'state:active']);
    assert.match(
      inactive,
      /^No decision passes outcome "failed", state "active" in workspace bench \(2 without it/,
    );
    assert.match(
      await bench.succeed(['list', 'JWTs']),
      /Found among inactive versions: 1\. state:any shows them\./,
    );
    // A value without its part is no word of a record.
    assert.match(await bench.succeed(['list', '실패']), /Did you mean\s+outcome:failed\?/);
    assert.match(await bench.succeed(['list', 'example.com']), /Did you mean\s+by:example\.com\?/);
    const refused = async (...args: string[]) => (await bench.run(args)).stderr;
    assert.match(await refused('log', 'by:nobody'), /"precedent list authors" shows what there is/);
    assert.match(
      await refused('tool', 'changed_since', 'friday'),
      /found "friday"\. "precedent log since:yesterday" tells/,
    );
    assert.match(
      await refused('decide', 'db:engine', 'One', 'file'),
      /^error: too many arguments .*\n\(Put a text of several words in quotation marks\.\)\n\(invalid\/command_line, see /,
    );
    assert.doesNotMatch(await refused('undo', 'now'), /quotation/);
  });

  it('[U-8] a warning is shown once, and calls operations by their commands', async (test) => {
    const bench = await furnished(test);
    await bench.succeed(['failed', 'db:engine', 'Too slow']);
    const updated = await bench.succeed(['tool', 'mama_update', 'db:engine', 'success']);
    assert.equal(updated.split('It was recorded as failed').length, 2, updated);
    const renamed = await bench.succeed(['rename', 'db:engine', 'storage:engine'], {
      env: { COLUMNS: '200' },
    });
    assert.match(renamed, /Its scope is still "db"; "precedent revise" moves it/);
  });

  it('[U-2] [U-6] show, history and diff take what a record is called', async (test) => {
    const bench = await furnished(test);
    const shown = told(await bench.succeed(['show', 'AUTH:token']));
    assert.deepEqual(shown, [
      'auth:token  lock · auth',
      '  ! failed before: v1 “Keep JWTs in local storage” — “스크립트가 읽을 수 있었다”',
      'v2  active  <day> · Lee · <id>',
      '  Keep session cookies',
      '  why: Scripts read them',
      '  evidence: a log  <day> · <id>',
      'other versions',
      'v1  superseded  <day> · Kim · <id>',
      '  Keep JWTs in local storage',
      '  ✗ failed — 스크립트가 읽을 수 있었다  <day> · Kim',
    ]);
    assert.match(await bench.succeed(['show', '#1']), /^#1 Clock drift manual\n {2}시계가 90초 늦다\n/);
    assert.equal(told(await bench.succeed(['show', 'auth:token', '--history']))[0], 'auth:token  2 in all');
    assert.deepEqual(told(await bench.succeed(['show', 'auth:token', '--diff'])).slice(0, 3), [
      'auth:token@1 <id> → auth:token@2 <id>',
      'text:',
      '  Keep [-JWTs in local storage-]{+session cookies+}',
    ]);
    const { code, stderr } = await bench.run(['show', 'auth:tokn']);
    assert.equal(code, 3);
    assert.match(stderr, /Did you mean "auth:token"\?/);
  });

  it('[U-3] a line is never longer than the terminal, in any script', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed([
      'tool',
      'mama_save',
      '결제:환불',
      '환불은 일주일 안에 원래의 결제 수단으로만 한다 '.repeat(9),
    ]);
    await bench.succeed(['tool', 'mama_save', 'a:long', 'words '.repeat(60)]);
    for (const width of [40, 71, 100]) {
      const log = await bench.succeed(['log'], { env: { COLUMNS: String(width) } });
      for (const line of log.split('\n')) assert(stringWidth(line) <= width, `${stringWidth(line)}: ${line}`);
    }
    // What no terminal shows is searched, so it is whole.
    assert.match(await bench.succeed(['log']), /(환불은 일주일 안에 원래의 결제 수단으로만 한다 ?){5}/);
  });
});
