import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workbench } from './support/program.ts';

const hasScript = spawnSync('script', ['--version']).status === 0;
const needsTerminal = !hasScript && 'needs `script`, which gives a program a terminal (util-linux)';
const KIM = 'Kim <kim@example.com>';

/** A memory in which an agent saved in a person's name: a rule against a lock, noise, two decisions and a note. */
async function withSaves(test: TestContext, isReal = false) {
  const bench = workbench(test, 'here');
  const { succeed, connect } = bench;
  const typing = isReal ? bench.typeInProcess : bench.type;
  const env = { PRECEDENT_AUTHOR: KIM };
  const type = (...args: string[]) => succeed(args, { env });
  await type(
    'decide',
    'pay:amounts',
    '금액은 정수 원으로만 다룬다',
    '--strength',
    'lock',
    '--scope',
    'global',
  );
  const { ask } = await connect({ name: 'claude-code', version: '2.1.330', env });
  await ask('mama_save', { topic: 'pay:type', decision: '금액은 소수로 다룬다' });
  for (const n of [41, 42, 43]) await ask('mem_save', { title: `Run ${n}`, content: `All ${n} tests pass` });
  await ask('mama_save', { topic: 'log:form', decision: 'Logs are JSON', reasoning: 'They are searched' });
  await ask('mama_save', { topic: 'queue:poll', decision: 'Queues are polled', reasoning: 'No push' });
  await ask('mem_save', { title: 'proxy', content: 'It cuts <b>headers</b> at 4 kB' });
  /** What a person sees who answers with these letters, each with Enter. */
  const answer = async (letters: string) => {
    const { status, shown } = await typing([...letters].map((each) => `${each}\r`).join(''), ['review'], env);
    assert.equal(status, 0, shown);
    return shown;
  };
  const topics = async () =>
    (JSON.parse(await type('list', '--json')).decisions as { topic: string }[])
      .map(({ topic }) => topic)
      .sort();
  return {
    type,
    answer,
    topics,
    ask,
    typing: (typed: string, more = {}) => typing(typed, ['review'], { ...env, ...more }),
  };
}

describe('[V-3] precedent review', () => {
  it('is a list without a terminal, as text, JSON and Markdown, with what to beware of first', async (test) => {
    const { type } = await withSaves(test);
    const text = await type('review');
    assert.match(text, /^Look at these first {2}1\n {2}decided pay:type/);
    assert.match(text, /! close to the lock “pay:amounts”/);
    assert.match(text, /These say nearly the same {2}3/);
    assert.match(text, /Session \S+ via claude-code {2}3/);
    const { groups, total } = JSON.parse(await type('review', '--json'));
    assert.deepEqual([total, groups.length], [7, 3]);
    const markdown = await type('review', '--markdown');
    assert.match(
      markdown,
      /^# Review of bench, \d{4}-\d\d-\d\d\n\n## Look at these first \(1\)\n\n- \*\*pay:type\*\* /,
    );
    assert.match(markdown, /^- \*\*proxy\*\* It cuts \\<b\\>headers/m, 'nothing of a record is Markdown');
    assert.match(markdown, /via claude-code/);
  });

  it('[TR-2] prints what a model is asked, also as an MCP prompt, and takes its answer', async (test) => {
    const { succeed, run, connect } = workbench(test, 'here');
    const env = { PRECEDENT_AUTHOR: KIM };
    await succeed(['decide', 'pay:type', 'Whole cents', '--strength', 'lock'], { env });
    const { ask, client } = await connect({ name: 'claude-code', version: '2.1.330', env });
    await ask('mama_save', { topic: 'price:unit', decision: 'Prices are doubles', scope: 'pay' });
    const { stdout, stderr } = await run(['review', '--ask'], { env });
    assert.match(
      stdout,
      /\nSAVES\n\S+ of "pay" "price:unit: Prices are doubles"\n\nRULES\n\S+ lock "pay:type/,
    );
    assert.match(stderr, /precedent review --answers -/);
    assert.deepEqual(
      (await client.listPrompts()).prompts.map(({ name }) => name),
      ['review'],
    );
    const { messages } = await client.getPrompt({ name: 'review' });
    assert(JSON.stringify(messages).includes(JSON.stringify(stdout.trim()).slice(1, -1)));
    const said = 'price:unit contradicts pay:type\nwell\n';
    const kept = await succeed(['review', '--answers', '-'], { env, stdin: said });
    assert.match(kept, /^✔ 1 mark[\s\S]*left out: 1 line\n {2}"well"/);
    assert.match(
      await succeed(['review', '--list'], { env }),
      /! a model says that it contradicts the lock “pay:type”/,
    );
  });

  it('[TR-2] speaks Korean where the locale does, and says what is over a limit', async (test) => {
    const { succeed, connect } = workbench(test, 'here');
    const env = { PRECEDENT_AUTHOR: KIM, LANG: 'ko_KR.UTF-8' };
    await succeed(['decide', 'pay:amounts', '금액은 정수 원으로만 다룬다', '--strength', 'lock'], { env });
    const { ask } = await connect({ name: 'claude-code', version: '2.1.330', env });
    await ask('mama_save', { topic: 'pay:type', decision: '금액은 소수로 다룬다' });
    await ask('mama_save', { topic: 'log:form', decision: 'Logs are JSON' });
    const text = await succeed(['review', '--list', '--limit', '1'], { env });
    assert.match(text, /^먼저 확인할 것 {2}1\n[\s\S]*! 필수 규칙과 충돌할 수 있음: “pay:amounts”/);
    assert.match(text, /세션 \S+ \(claude-code\) {2}1\n/);
    assert.match(text, /검토할 것이 1개 더 있음: "precedent review --list --limit 2"/);
  });

  it('[Z-14] is a list for an agent that has a terminal, which changes nothing', async (test) => {
    const { typing, topics } = await withSaves(test);
    const before = await topics();
    const { shown } = await typing('u\r', { CLAUDECODE: '1' });
    assert.match(shown, /^Look at these first {2}1\n[\s\S]*Session \S+ via claude-code {2}3/);
    assert.doesNotMatch(shown, /k keep/);
    assert.deepEqual(await topics(), before);
  });

  it('one at a time: undo, a group at once, keep, the last answer reverted; the next review goes on there', {
    skip: needsTerminal,
  }, async (test) => {
    // At a real terminal: the others are played.
    const { type, answer, topics, ask } = await withSaves(test, true);
    // The harm is undone, the three alike at once, and the session is left.
    const seen = await answer('uauq');
    assert.match(seen, /✔ undo: pay:type[\s\S]*✔ undo: 3 records/);
    assert.match(seen, /undo 4; 3 still wait/);
    assert.deepEqual(await topics(), ['log:form', 'pay:amounts', 'queue:poll']);
    assert.match(await type('search', 'tests pass'), /No record shares enough of these words/);
    assert.match(
      await answer('kzsuzq'),
      /Reverted: keep[\s\S]*Reverted: undo[\s\S]*nothing was changed; 3 still/,
    );
    assert.deepEqual(await topics(), ['log:form', 'pay:amounts', 'queue:poll']);
    assert.match(await answer('keeq'), /keep 1, end 2; nothing waits/);
    assert.deepEqual(await topics(), ['pay:amounts']);
    assert.match(await type('review'), /^Nothing waits/);
    // What is active again is so for its own reason.
    await type('decide', 'cache:ttl', 'An hour', '--reasoning', 'It is cheap');
    // It is due as well, and is that no more once it is undone.
    const due = { reasoning: 'Fewer calls', revisit: '2026-01-01' };
    await ask('mama_save', { topic: 'cache:ttl', decision: 'A day', ...due });
    assert.match(await answer('uq'), /undo 1; nothing waits/);
    const again = JSON.parse(await type('tool', 'decision_get', 'cache:ttl', '--json')).decision;
    assert.deepEqual([again.text, again.reasoning], ['An hour', 'It is cheap']);
  });

  it('[TR-2] says at the end how many were skipped and still wait', async (test) => {
    const { answer } = await withSaves(test);
    assert.match(await answer('ksssssssq'), /That was all but 6 skipped items, which still wait/);
  });

  it('a shows the whole group before one answer is for all of it, which z reverts', async (test) => {
    const { type, answer, topics } = await withSaves(test);
    const before = await topics();
    const found = async (words: string) => JSON.parse(await type('search', words, '--json')).results.length;
    const seen = await answer('sauzq');
    assert.match(seen, /a all 3[\s\S]*Run 42[\s\S]*Run 41[\s\S]*✔ undo: 3 records/);
    assert.match(seen, /Reverted: undo[\s\S]*nothing was changed; 7 still wait/, 'what is skipped waits too');
    assert.equal(await found('tests pass'), 3);
    const one = await answer('skq');
    assert.match(one, /✔ keep: Run 4\d\n[\s\S]*keep 1; 6 still wait/, 'without a it is one of them');
    assert.match(await answer('sasaeq'), /e end[\s\S]*nothing was changed; 6/, 'a note does not end');
    assert.match(await answer('akq'), /keep 1; 5 still wait/, 'a group of one has no a');
    assert.match(await answer('akakq'), /keep 5; nothing waits/);
    assert.deepEqual(await topics(), before);
  });

  it('[T-6] both hold: the reason says so, and what was close is no contradiction any more', async (test) => {
    const { type, answer } = await withSaves(test);
    const contradicted = async () => JSON.parse(await type('list', 'is:contradicted', '--json')).total;
    const before = await contradicted();
    assert(before > 0);
    assert.match(await answer('bzq'), /b both[\s\S]*✔ both: pay:type[\s\S]*Reverted: both/);
    assert.equal(await contradicted(), before);
    assert.match(await answer('ㅠㅂ'), /both 1; 6 still wait/, 'on a Korean keyboard');
    assert.equal(await contradicted(), 0);
    const { decision } = JSON.parse(await type('tool', 'decision_get', 'pay:type', '--json'));
    assert.match(decision.reasoning, /^alongside: [\da-f]+/);
    assert.equal(decision.tidied?.how, 'linked', '[TR-3] who says that both hold decides nothing anew');
    assert.match(await type('review'), /^These say nearly the same/);
    assert.match(await answer('bq'), /nothing was changed/, 'what contradicts nothing has no such answer');
  });

  it('[CC-1] b says of what still says the old that both hold, with Korean words where the locale is Korean', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_AUTHOR: KIM, LANG: 'ko_KR.UTF-8' };
    const decide = (topic: string, text: string) => bench.succeed(['decide', topic, text], { env });
    await decide('log:days', '로그는 90일 동안 보관한다.');
    await decide('ops:logs', '서버 로그는 90일간 보관됩니다.');
    await decide('log:days', '로그는 30일만 보관한다.');
    const answer = (letters: string) =>
      bench.type([...letters].map((each) => `${each}\r`).join(''), ['review'], env);
    const { shown } = await answer('bq');
    assert.match(
      shown,
      /대체된 내용이 남아 있을 수 있는 것[\s\S]*log:days[\s\S]*b both[\s\S]*✔ both: ops:logs/,
    );
    const { decision } = JSON.parse(
      await bench.succeed(['tool', 'decision_get', 'ops:logs', '--json'], { env }),
    );
    assert.match(decision.reasoning, /^alongside: [\da-f]+/);
    assert.doesNotMatch(await bench.succeed(['review', '--list'], { env }), /대체된 내용/);
    assert.equal(JSON.parse(await bench.succeed(['list', 'is:outdated', '--json'], { env })).total, 0);
  });

  it('[CC-1] b on a note and a memo adds to their text that both hold, which a sync and an export take along', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_AUTHOR: KIM };
    const there = ['--db', join(bench.folder, 'there.db')];
    const run = (...args: string[]) => bench.succeed(args, { env });
    await run('decide', 'price:cache', 'Responses of the price API are cached for 10 minutes');
    const content = `The price API caches responses for 10 min. ${'It is slow. '.repeat(300).trim()}`;
    await run('tool', 'mem_save', 'Price page', content);
    await run('tool', 'memo_save', 'Price API responses stay cached for ten minutes');
    await run('decide', 'price:cache', 'Responses of the price API are cached for 5 minutes');
    const waiting = async (...place: string[]) => {
      const { groups } = JSON.parse(await run('review', '--json', ...place));
      return (groups as { kind: string; count: number }[]).find(({ kind }) => kind === 'copies')?.count ?? 0;
    };
    const places = [[], there];
    const synced = async () => {
      for (const place of places)
        await run('sync', '--init', join(bench.folder, 'shared'), '--yes', ...place);
      return Promise.all(places.map((place) => waiting(...place)));
    };
    assert.deepEqual(await synced(), [2, 1], 'a memo stays on its machine');
    const { shown } = await bench.type('b\rz\rb\rb\rq\r', ['review'], env);
    assert.match(shown, /✔ both: [\s\S]*Reverted: both[\s\S]*both 2; nothing waits/);
    assert.deepEqual(await synced(), [0, 0]);
    const { observation } = JSON.parse(await run('show', '#1', '--json', ...there));
    assert.match(observation.content, /It is slow\.\nalongside: [\da-f-]+$/);
    assert.equal(observation.content.split('\n')[0], content);
    assert.equal(observation.outdated, undefined);
    const copy = ['--db', join(bench.folder, 'copy.db')];
    const lines = await run('export', '--format', 'jsonl');
    assert.equal((await bench.run(['import', ...copy], { env, stdin: lines })).code, 0);
    assert.equal(await waiting(...copy), 0);
    // A new reason is a new version, and says the same.
    await run(
      'decide',
      'price:cache',
      'Responses of the price API are cached for 5 minutes',
      '--reasoning',
      'x',
    );
    const { memos } = JSON.parse(await run('list', 'memos', '--json'));
    for (const ref of ['#1', memos[0].infoId ?? memos[0].info_id])
      assert.doesNotMatch(await run('show', ref), /may still say/);
  });

  it('[RE-16] h asks for the hints of an old rule, and saves what can be a hint', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_AUTHOR: KIM };
    const lock = ['decide', 'db:engine', 'PostgreSQL alone', '--strength', 'lock', '--date', '2026-01-01'];
    await bench.succeed(lock, { env });
    const typing = async (typed: string) => (await bench.type(typed, ['review'], env)).shown;
    const hints = async () =>
      JSON.parse(await bench.succeed(['show', 'db:engine', '--json'], { env })).decision.hints;
    const refused = await typing('h\rthe, a\rq\r');
    assert.match(
      refused,
      /These bind, and no hints recall them[\s\S]*h hints[\s\S]*Left out of the hints[\s\S]*nothing was changed/,
    );
    assert.equal(await hints(), undefined);
    assert.match(
      await typing('h\radd redis, 레디스 추가\rz\rh\radd redis\r\r'),
      /✔ hints: db:engine[\s\S]*Reverted: hints[\s\S]*hints 1; nothing waits/,
    );
    assert.deepEqual(await hints(), ['add redis']);
  });

  it('wrong asks why, and worked does not; a person who leaves at that question records nothing', async (test) => {
    const { type, typing } = await withSaves(test);
    await type('decide', 'cache:ttl', 'An hour', '--revisit', '2026-01-01');
    const outcome = async () => {
      const { decision } = JSON.parse(await type('tool', 'decision_get', 'cache:ttl', '--json'));
      return [decision.outcome, decision.outcomeReason];
    };
    const toIt = 's\ra\rs\ra\rs\r';
    const left = await typing(`${toIt}w\r\x03`);
    assert.match(left.shown, /Due for review[\s\S]*nothing was changed/);
    assert.deepEqual(await outcome(), [null, null]);
    assert.match((await typing(`${toIt}y\rz\rq\r`)).shown, /✔ worked: cache:ttl[\s\S]*Reverted: worked/);
    assert.match((await typing(`${toIt}w\rstale prices\r\r`)).shown, /That was all[\s\S]*wrong 1/);
    assert.deepEqual(await outcome(), ['failed', 'stale prices']);
  });

  it('an answer that means nothing here explains those that do, and changes nothing', async (test) => {
    const { answer, topics, typing } = await withSaves(test);
    const before = await topics();
    const seen = await answer('xw9?ㅂ');
    assert.match(seen, /k keep, e end, u undo, b both, s skip, q quit, \? help:/);
    assert.match(seen, /u {2}undo: it was a mistake; agents no longer see it/);
    assert.match(seen, /nothing was changed; 7 still wait/);
    for (const typed of ['\r\r keep\r2u\rK2\rq\r', '\x04', '\x03'])
      assert.match((await typing(typed)).shown, /nothing was changed; 7 still wait/);
    assert.deepEqual(await topics(), before);
  });
});

describe('[V-2] precedent undo', () => {
  it('of what was chosen asks once, shows what it would do, and leaves all where the answer is no', async (test) => {
    const { type, topics } = await withSaves(test);
    const refused = type('undo', 'via:claude');
    await assert.rejects(refused, /--yes/);
    assert.match(await type('undo', 'via:claude', '--dry-run'), /7 saves would be undone/);
    assert.equal((await topics()).length, 4);
    assert.match(await type('undo', 'via:claude', 'tests', '--yes'), /✔ 3 saves undone {2}workspace bench\n/);
    await type('undo', 'via:claude', '--yes');
    assert.deepEqual(await topics(), ['pay:amounts']);
    assert.match(await type('undo', '--redo', '--last', '7'), /✔ 7 saves redone/);
    assert.equal((await topics()).length, 4);
  });
});
